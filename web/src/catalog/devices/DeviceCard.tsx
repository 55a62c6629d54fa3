import { deviceKindLabel, devices, deviceStateLabel, PAIRING_MINUTES } from '@roadshow/contract/catalog/devices'
import type { Device, DeviceState } from '@roadshow/contract/catalog/devices'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { useRestore } from '../../ui/record/useRestore.ts'
import { HistoryTab } from '../../ui/record/HistoryTab.tsx'
import { SlotParts } from '../../ui/slots.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { localZone, formatDateTime } from '@roadshow/contract/platform/dates'
import styles from './devices.module.css'

declare module '../../ui/slots.tsx' {
  interface SlotProps {
    deviceDetails: { device: Device }
  }
}

const stateTone: Record<DeviceState, Tone> = { unpaired: 'silent', waiting: 'warn', paired: 'driving', revoked: 'bad' }

const when = (value: unknown) => formatDateTime(String(value), localZone())
const historyFields = {
  kind: ['Type', deviceKindLabel],
  macAddress: 'MAC address',
  codeExpiresAt: ['Code valid until', when],
  pairedAt: ['Paired', when],
  revokedAt: ['Revoked', when],
} as const

/** Since when a device is what it is. */
function sinceText({ state, pairedAt, revokedAt, codeExpiresAt, seenAt }: Device): string {
  const texts = [
    state === 'paired' && pairedAt && `paired since ${formatDateTime(pairedAt, localZone())}`,
    state === 'revoked' && revokedAt && `revoked ${formatDateTime(revokedAt, localZone())}`,
    codeExpiresAt && `a code is valid until ${formatDateTime(codeExpiresAt, localZone())}`,
    seenAt && `last seen ${formatDateTime(seenAt, localZone())}`,
  ]
  return texts.filter(Boolean).join(', ')
}

interface DeviceCardProps {
  device: Device
  mayChange: boolean
}

const questions = {
  revoke: ['Revoke', 'Its key stops working at once. You can pair it again with a new code.'],
  remove: [
    'Remove',
    'The device is removed from this truck, and its key stops working at once. Its MAC address can be used again.',
  ],
} as const

interface PairingCode {
  code: string
  expiresAt: string
}

const ShownCode = ({ code, expiresAt }: PairingCode) => (
  <div role="status" className={styles.code}>
    <output>{`${code.slice(0, 4)}-${code.slice(4)}`}</output>
    <p>
      Type this code on the device within {PAIRING_MINUTES} minutes, until {formatDateTime(expiresAt, localZone())}. It
      works once and is shown only now.
    </p>
  </div>
)

/** Gives the device a pairing code, revokes its key or removes it. */
function useDeviceActs({ device: { uid, macAddress, codeExpiresAt } }: DeviceCardProps) {
  const [given, setGiven] = useState<PairingCode>()
  const [asking, setAsking] = useState<keyof typeof questions>()
  const [problem, setProblem] = useState<string>()
  const code = useSave(devices.code)
  const revoke = useSave(devices.revoke)
  const remove = useSave(devices.remove)
  const restore = useRestore()
  const notice = useNotice()

  const act = async (work: () => Promise<unknown>) => {
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setProblem(errorMessage(error))
    }
    setAsking(undefined)
  }
  const getCode = () => act(async () => setGiven((await code.mutateAsync({ params: { uid } })).data))
  const acts = {
    revoke: () => revoke.mutateAsync({ params: { uid } }),
    async remove() {
      await remove.mutateAsync({ params: { uid } })
      const undo = () => void restore(devices.restore, uid, `Device ${macAddress}`)
      notice('Device removed.', 'done', [{ label: 'Undo', onAct: undo }])
    },
  }

  return {
    // Once the device has used it, the code says nothing any more.
    shownCode: given && given.expiresAt === codeExpiresAt ? given : undefined,
    asking,
    setAsking,
    problem,
    getCode,
    confirm: (asked: keyof typeof questions) => act(acts[asked]),
    isGettingCode: code.isPending,
    isBusy: revoke.isPending || remove.isPending,
  }
}

/** One device: its state, and what can be done about it. */
export function DeviceCard(props: DeviceCardProps) {
  const { device, mayChange } = props
  const { uid, kind, macAddress, state, codeExpiresAt } = device
  const { asking, setAsking, ...acts } = useDeviceActs(props)
  const [looksBack, setLooksBack] = useState(false)
  const name = `${deviceKindLabel[kind]} ${macAddress}`
  const isLetIn = state === 'paired' || codeExpiresAt !== null

  return (
    <section className={styles.device} aria-label={name}>
      <Row gap={4} lineGap={1} align="baseline" wrap>
        <strong>{deviceKindLabel[kind]}</strong>
        <span className="figures">{macAddress}</span>
        <StateTag tone={stateTone[state]}>{deviceStateLabel[state]}</StateTag>
      </Row>
      <Soft as="p" small>
        {sinceText(device)}
      </Soft>
      <SlotParts name="deviceDetails" props={{ device }} />
      {acts.problem && <Alert type="error" role="alert" title={acts.problem} />}
      {acts.shownCode && <ShownCode {...acts.shownCode} />}
      <Row gap={2} wrap>
        {mayChange && (
          <>
            <Button loading={acts.isGettingCode} onClick={() => void acts.getCode()}>
              {codeExpiresAt ? 'New code' : state === 'paired' ? 'Pair again' : 'Get pairing code'}
            </Button>
            {isLetIn && <Button onClick={() => setAsking('revoke')}>Revoke</Button>}
            <Button onClick={() => setAsking('remove')}>Remove</Button>
          </>
        )}
        <Button type="text" aria-expanded={looksBack} onClick={() => setLooksBack(!looksBack)}>
          History
        </Button>
      </Row>
      {looksBack && <HistoryTab history={devices.history} uid={uid} fields={historyFields} />}
      {asking && (
        <Confirm
          open
          question={`${questions[asking][0]} ${name}?`}
          text={questions[asking][1]}
          act={questions[asking][0]}
          busy={acts.isBusy}
          onAct={() => void acts.confirm(asking)}
          onCancel={() => setAsking(undefined)}
        />
      )}
    </section>
  )
}
