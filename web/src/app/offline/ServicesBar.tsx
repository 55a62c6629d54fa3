import { services } from '@roadshow/contract/console/services'
import type { AwayService } from '@roadshow/contract/console/services'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import { useMay } from '../../api/user.ts'
import styles from './OfflineBar.module.css'

const REFRESH_MS = 60_000

const clock = (moment: string) => new Date(moment).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' })

const textOf = ({ label, since, effect }: AwayService) => `${label} can't be reached since ${clock(since)}. ${effect}`

/** Tells admins which services of the server are away, and what does not work meanwhile. */
export function ServicesBar() {
  const maySee = useMay(services.away)
  const { data = [] } = useQuery({
    enabled: maySee,
    queryKey: keyOf(services.away),
    queryFn: async ({ signal }) => (await call(services.away, {}, { signal })).data,
    refetchInterval: REFRESH_MS,
  })
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
