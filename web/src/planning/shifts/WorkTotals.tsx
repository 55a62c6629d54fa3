import { shifts } from '@roadshow/contract/planning/shifts'
import { formatHours } from '@roadshow/contract/proof/pop-figure-words'
import { formatMileCount } from '@roadshow/contract/platform/distance'
import { countOf } from '@roadshow/contract/platform/figures'
import { useCall } from '../../api/useCall.ts'
import { ErrorState } from '../../ui/states.tsx'
import { validSearch } from '../../ui/useListState.ts'
import type { UrlSearch } from '../../ui/useListState.ts'
import styles from './shifts.module.css'

/** What the listed shifts come to: the figure that led here. */
export function WorkTotals({ query }: { query: UrlSearch }) {
  const asked = validSearch(shifts.workTotals.query, query)
  const found = useCall(shifts.workTotals, { query: asked })
  // A search narrows the list and not its totals.
  if (query.search !== undefined) return null
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return null
  const { metres, seconds, days, shifts: count, shiftsWithoutGps } = found.data
  const miles = count > 0 && shiftsWithoutGps === count ? 'no GPS data' : `${formatMileCount(metres)} miles`
  const parts = [countOf(count, 'shift'), countOf(days, 'day'), miles, `${formatHours(seconds)} hours`]
  const partly = shiftsWithoutGps > 0 && shiftsWithoutGps < count
  return (
    <p role="status" className={`figures ${styles.totals ?? ''}`}>
      Took place: {parts.join(' · ')}
      {partly && ` (no GPS data for ${countOf(shiftsWithoutGps, 'shift')})`}
    </p>
  )
}
