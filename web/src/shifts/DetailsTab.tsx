import { shifts } from '@roadshow/contract/shifts'
import { Skeleton } from 'antd'
import { useList } from '../api/useList.ts'
import { NOTHING } from '../ui/words.ts'
import { ErrorState } from '../ui/states.tsx'
import { timestamp } from '../ui/time.ts'
import styles from './shifts.module.css'

const hours = (minutes: number | null) =>
  minutes === null ? NOTHING : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`

function lateness(minutes: number | null): string {
  if (minutes === null) return NOTHING
  if (minutes === 0) return 'on time'
  return `${Math.abs(minutes)} min ${minutes > 0 ? 'late' : 'early'}`
}

/** What was planned beside what happened. */
export function DetailsTab({ uid }: { uid: string }) {
  const found = useList(shifts.details, { uid })
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  const shift = found.data?.data[0]
  if (!shift) return <Skeleton active />
  const { zone } = shift
  const at = (instant: string | null) => (instant ? timestamp(instant, zone) : NOTHING)
  const rows = [
    ['Start', at(shift.startsAt), at(shift.startedAt)],
    ['End', at(shift.endsAt), at(shift.stoppedAt)],
    ['Length', hours(shift.plannedMinutes), hours(shift.actualMinutes)],
    ['Begun', NOTHING, lateness(shift.lateMinutes)],
  ]
  return (
    <>
      <p className={styles.soft}>Times are in {zone}.</p>
      <table className={`figures ${styles.facts}`}>
        <thead>
          <tr>
            <th scope="col">Of the shift</th>
            <th scope="col">Planned</th>
            <th scope="col">Actual</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, planned, actual]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{planned}</td>
              <td>{actual}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
