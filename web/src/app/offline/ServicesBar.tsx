import { services } from '@roadshow/contract/console/services'
import type { AwayService } from '@roadshow/contract/console/services'
import { formatTimeOnly, localZone } from '@roadshow/contract/platform/dates'
import { useCall } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'
import styles from './OfflineBar.module.css'

const clock = (moment: string) => formatTimeOnly(moment, localZone())

const textOf = ({ label, since, effect }: AwayService) => `${label} can't be reached since ${clock(since)}. ${effect}`

/** Tells admins which services of the server are away, and what does not work meanwhile. */
export function ServicesBar() {
  const maySee = useMay(services.away)
  const { data = [] } = useCall(services.away, {}, { enabled: maySee })
  return (
    <div role="status">
      {data.length > 0 && (
        <section aria-label="Services" className={styles.bar}>
          {data.map((away) => (
            <div key={away.service} className={styles.line}>
              {textOf(away)}
            </div>
          ))}
        </section>
      )}
    </div>
  )
}
