import { NEW_RECORD } from '../../../ui/useListState.ts'
import { useRowsPerPage } from '../../../api/preferences.ts'
import { addDays } from '@roadshow/contract/planning/shift-time'
import { shifts, blocksTruck } from '@roadshow/contract/planning/shifts'
import type { Shift } from '@roadshow/contract/planning/shifts'
import { users } from '@roadshow/contract/catalog/users'
import { Button } from 'antd'
import { useList } from '../../../api/useList.ts'
import { useIsOutsider } from '../../../api/user.ts'
import { countOf } from '@roadshow/contract/platform/figures'
import { formatWeekday } from '@roadshow/contract/platform/dates'
import { Pager } from '../../../ui/rows/Pager.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/states.tsx'
import { AgendaSkeleton, DriverAgenda } from './DriverAgenda.tsx'
import { DriverTable } from './DriverTable.tsx'
import { OutOfServiceOverlay } from '../out-of-service/OutOfServiceOverlay.tsx'
import { useNow } from '../../../ui/useNow.ts'
import { UserScheduleBar } from './UserScheduleBar.tsx'
import { useUserSchedule } from './useUserSchedule.ts'
import type { UserSchedule } from './useUserSchedule.ts'
import styles from './userSchedule.module.css'

export default function UserSchedulePage() {
  const schedule = useUserSchedule()
  const isOutside = useIsOutsider()
  const { from, to, query, isOwn, isAgenda, days, today } = schedule
  // A night shift from the day before may still be out.
  const first = isAgenda && from === today ? addDays(from, -1) : from
  const rows = useRowsPerPage()
  const perPage = Number(query.pageSize ?? rows)
  const found = useList(shifts.byDriver, { ...query, pageSize: String(perPage), from: first, to })

  const now = useNow()
  const { total = 0 } = found.data ?? {}
  const isShown = ({ date, status, endsAt }: Shift) =>
    date >= from || status === 'out' || (blocksTruck(status) && Date.parse(endsAt) > now)
  const drivers = found.data?.data.map(({ shifts: own, ...row }) => ({ ...row, shifts: own.filter(isShown) }))
  const hasNone =
    drivers?.length === 0 || (isOwn && drivers?.every((driver) => driver.shifts.length + driver.timeOff.length === 0))
  return (
    <>
      <UserScheduleBar schedule={schedule} />
      <OutOfServiceOverlay />
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {hasNone && <NoShifts schedule={schedule} total={total} />}
      {!hasNone && (drivers || !found.isError) && (
        <div className={styles.rows} aria-busy={!drivers || found.isPlaceholderData}>
          {!isAgenda && <DriverTable drivers={drivers} days={days} today={today} />}
          {isAgenda && !drivers && <AgendaSkeleton />}
          {isAgenda && drivers && <DriverAgenda drivers={drivers} today={today} isOwn={isOwn} />}
        </div>
      )}
      {!isOwn && !isOutside && (
        <div className={styles.footer}>
          <span role="status" className="figures">
            {total > 0 && countOf(total, 'driver')}
          </span>
          <Pager
            page={Number(query.page ?? 1)}
            perPage={perPage}
            total={total}
            onChange={(page) => schedule.ask({ page: page === 1 ? undefined : String(page) })}
          />
        </div>
      )}
    </>
  )
}

const addDriver = { label: 'New user', needs: users.create, to: '/users', search: { open: NEW_RECORD } }

/** Why the page is empty, and what to do about it. */
function NoShifts({ schedule, total }: { schedule: UserSchedule; total: number }) {
  const isOutside = useIsOutsider()
  const { isOwn, isNarrowed, from, to, today } = schedule
  if (isOwn) {
    const days = from === to ? `on ${formatWeekday(from)}` : `from ${formatWeekday(from)} to ${formatWeekday(to)}`
    return (
      <EmptyState
        action={
          from > today ? (
            <Button onClick={() => schedule.goTo(undefined)}>Back to today</Button>
          ) : (
            <Button onClick={() => schedule.step(1)}>Look further ahead</Button>
          )
        }
      >{`You have no shifts ${days}. New shifts appear here as soon as they are planned.`}</EmptyState>
    )
  }
  if (total > 0) {
    return (
      <EmptyState action={<Button onClick={() => schedule.ask({})}>First page</Button>}>This page is empty.</EmptyState>
    )
  }
  if (isNarrowed) {
    return (
      <EmptyState action={<Button onClick={schedule.clear}>Clear search and filters</Button>}>
        {isOutside ? 'No shifts match on these days.' : 'No drivers match on these days.'}
      </EmptyState>
    )
  }
  if (isOutside)
    return <EmptyState>No shifts on these days. New shifts appear here as soon as they are planned.</EmptyState>
  return (
    <EmptyState next={addDriver} imports={{ kind: 'users', needs: users.create }}>
      No drivers yet. Each driver’s shifts stand here, day by day.
    </EmptyState>
  )
}
