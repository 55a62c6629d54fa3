import type { DeviceCommandKind } from '@roadshow/contract/live/device-events'
import { deviceCommandLabel, deviceCommandStateLabel, screens } from '@roadshow/contract/live/screens'
import type { DeviceCommandState, GivenCommand, ScreenState } from '@roadshow/contract/live/screens'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { errorMessage, send } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { StateTag } from '../../ui/text/StateTag.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'
import { List, Row, Soft } from '../../ui/layout.tsx'
import { formatMoment, localZone } from '@roadshow/contract/platform/dates'
import { ScreenHealth } from './ScreenHealth.tsx'
import { useCall } from '../../api/useCall.ts'
import styles from './ScreenPanel.module.css'

const offered: readonly DeviceCommandKind[] = [
  'showScreen',
  'restart',
  'download',
  'testPattern',
  'volumeOff',
  'volumeOn',
]
const tone: Record<DeviceCommandState, Tone> = { waiting: 'warn', done: 'driving', refused: 'bad', expired: 'silent' }

/** The screens of a truck: how they are, what can be asked of them, and what they answered. */
export function ScreenPanels({ truckUid }: { truckUid: string }) {
  const maySee = useMay(screens.list)
  const { data = [] } = useCall(screens.list, { params: { uid: truckUid } }, { enabled: maySee })
  return maySee && data.map((screen) => <ScreenPanel key={screen.deviceUid} screen={screen} />)
}

function ScreenPanel({ screen: { deviceUid, macAddress, isPaired, health, commands } }: { screen: ScreenState }) {
  const mayCommand = useMay(screens.command)
  const command = useSave(screens.command)
  const [problem, setProblem] = useState<string>()
  const give = async (kind: DeviceCommandKind) => {
    setProblem(undefined)
    try {
      await command.mutateAsync({ params: { uid: deviceUid }, body: { kind } })
    } catch (error) {
      setProblem(errorMessage(error))
    }
  }
  const isWaiting = (kind: DeviceCommandKind) =>
    commands.some((given) => given.kind === kind && given.state === 'waiting') ||
    (command.isPending && command.variables.body.kind === kind)
  const shown = commands.find(({ hasPicture }) => hasPicture)
  return (
    <section className={styles.panel} aria-label={`Screen ${macAddress}`}>
      <h2>
        Screen <span className="figures">{macAddress}</span>
      </h2>
      <ScreenHealth health={health} />
      {!isPaired && (
        <p>
          <Soft>This screen is not paired. Pair it under Devices.</Soft>
        </p>
      )}
      {mayCommand && isPaired && (
        <Row gap={2} wrap className={styles.acts}>
          {offered.map((kind) => (
            <Button key={kind} loading={isWaiting(kind)} onClick={() => void give(kind)}>
              {deviceCommandLabel[kind]}
            </Button>
          ))}
        </Row>
      )}
      {problem && <Alert type="error" role="alert" title={problem} />}
      {shown && <ScreenPicture command={shown} />}
      {commands.length > 0 && <Commands commands={commands} />}
    </section>
  )
}

const Commands = ({ commands }: { commands: readonly GivenCommand[] }) => (
  <List gap={2} aria-label="Commands" aria-live="polite">
    {commands.map(({ uid, kind, state, answer, by, askedAt }) => (
      <Row as="li" gap={3} lineGap={1} align="center" wrap key={uid}>
        <strong>{deviceCommandLabel[kind]}</strong>
        <StateTag tone={tone[state]}>{deviceCommandStateLabel[state]}</StateTag>
        {answer && <span>{answer}</span>}
        <Soft>
          {by.name}, {formatMoment(askedAt, localZone())}
        </Soft>
      </Row>
    ))}
  </List>
)

/** The newest picture of the screen. It needs the session, so it is loaded like any other data. */
function ScreenPicture({ command: { uid, askedAt } }: { command: GivenCommand }) {
  const { data } = useQuery({
    queryKey: keyOf(screens.picture, { uid }),
    queryFn: async () => (await send(screens.picture, { params: { uid } })).blob(),
    staleTime: Infinity,
  })
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    if (!data || !image.current) return undefined
    const address = URL.createObjectURL(data)
    image.current.src = address
    return () => URL.revokeObjectURL(address)
  }, [data])
  return (
    data && <img ref={image} className={styles.picture} alt={`The screen on ${formatMoment(askedAt, localZone())}`} />
  )
}
