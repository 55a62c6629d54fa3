import { fleet } from '@roadshow/contract/live/fleet'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import { useMay } from '../../api/user.ts'
import styles from './SimulatedBadge.module.css'

/** Says that the moving trucks are simulated, to users who see trucks move. */
export function SimulatedBadge() {
  const maySee = useMay(fleet.figures)
  const { data } = useQuery({
    enabled: maySee,
    queryKey: keyOf(fleet.figures),
    queryFn: async ({ signal }) => (await call(fleet.figures, {}, { signal })).data,
    // The answer stays the same while the server runs; the overview refreshes the figures themselves.
    staleTime: Infinity,
  })
  return data?.simulated && <span className={styles.badge}>simulated fleet</span>
}
