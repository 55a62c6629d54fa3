import { fleet } from '@roadshow/contract/live/fleet'
import { useCall } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'
import styles from './SimulatedBadge.module.css'

/** Says that the moving trucks are simulated, to users who see trucks move. */
export function SimulatedBadge() {
  const maySee = useMay(fleet.figures)
  // The answer stays the same while the server runs: it is asked for until it is known, and not by this badge again.
  const { data } = useCall(fleet.figures, {}, { enabled: ({ state }) => maySee && state.data === undefined })
  return data?.simulated && <span className={styles.badge}>simulated fleet</span>
}
