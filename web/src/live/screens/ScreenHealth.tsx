import { screens } from '@roadshow/contract/live/screens'
import type { Device } from '@roadshow/contract/catalog/devices'
import type { ScreenState } from '@roadshow/contract/live/screens'
import { Progress } from 'antd'
import { Soft } from '../../ui/layout.tsx'
import { useNow } from '../../ui/useNow.ts'
import { FactList } from '../facts/FactList.tsx'
import { agoText } from '../facts/ages.ts'
import { filesPercent, filesText, healthFacts } from './screenText.ts'
import { useCall } from '../../api/useCall.ts'
import styles from './ScreenPanel.module.css'

const SECOND_MS = 1_000

/** The files of a screen as a bar, and what else it says about itself. */
export function ScreenHealth({ health }: { health: ScreenState['health'] }) {
  const now = useNow(SECOND_MS)
  if (!health)
    return (
      <p>
        <Soft>No health report yet.</Soft>
      </p>
    )
  const { screen } = health
  const percent = screen ? filesPercent(screen) : undefined
  const facts = [...healthFacts(health), ['Reported', agoText(health.at, now)] as const]
  return (
    <div className={styles.health}>
      {screen && percent !== undefined && (
        <div className={styles.files}>
          <span>{filesText(screen)}</span>
          <Progress percent={percent} size="small" aria-label="Files on the screen" />
        </div>
      )}
      <FactList facts={facts} />
    </div>
  )
}

/** The health of one player, for its card among the devices of its truck. */
export function DeviceScreenHealth({ device }: { device: Device }) {
  const { data } = useCall(screens.list, { params: { uid: device.truckUid } })
  const found = data?.find(({ deviceUid }) => deviceUid === device.uid)
  return found?.health ? <ScreenHealth health={found.health} /> : null
}
