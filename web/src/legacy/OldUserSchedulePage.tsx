import { formatClocks } from '@roadshow/contract/platform/dates'
import { formatCount } from '@roadshow/contract/platform/figures'
import { MAX_PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { userSchedule } from '@roadshow/contract/legacy'
import type { DailyShift, DriverWeek } from '@roadshow/contract/legacy'
import { addDays } from '@roadshow/contract/planning/shift-time'
import { shifts, shiftStatusLabel } from '@roadshow/contract/planning/shifts'
import { useMemo } from 'react'
import { useList } from '../api/useList.ts'
import { useMay, useUser } from '../api/user.ts'
import { endsNextDay, restText } from '../planning/shifts/shiftText.ts'
import { DateSteps } from '../planning/shifts/DateSteps.tsx'
import { dayLabel } from '../planning/shifts/shiftText.ts'
import { mondayOf, useSchedule } from '../planning/shifts/useSchedule.ts'
import { ListSearch } from '../ui/list/ListSearch.tsx'
import { Pager } from '../ui/rows/Pager.tsx'
import { RowLink } from '../ui/rows/RowLink.tsx'
import { List, Row, Soft } from '../ui/layout.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/states.tsx'
import { useListState } from '../ui/useListState.ts'
import { ClassicTable } from './table/ClassicTable.tsx'
import { ExportTable } from './table/ExportTable.tsx'
import type { ClassicColumn } from './table/columns.ts'
import shared from './oldPages.module.css'

const DAYS = [0, 1, 2, 3, 4, 5, 6]

const hoursOf = ({ start, end }: DailyShift) =>
  `${formatClocks({ start, end })}${endsNextDay({ start, end }) ? ' +1' : ''}`

const restOf = ({ programName, marketName, status }: DailyShift) =>
  `${programName}, ${marketName}${status === 'planned' ? '' : ` (${shiftStatusLabel[status]})`}`

const textOf = (shift: DailyShift) => `${hoursOf(shift)} ${shift.truckNumber} ${restOf(shift)}`

/** The same text, whose truck stays on one line. */
const shown = (shift: DailyShift) => (
  <>
    {hoursOf(shift)} <span className={shared.whole}>{shift.truckNumber}</span> {restOf(shift)}
  </>
)

const ofDay = ({ shifts: own }: DriverWeek, day: string) => own.filter(({ date }) => date === day)

/** Drivers down, the days of a week across, everything about a shift in its cell. */
function columnsOf(monday: string, mayPlan: boolean): ClassicColumn<DriverWeek>[] {
  const days = DAYS.map((each): ClassicColumn<DriverWeek> => {
    const day = addDays(monday, each)
    return {
      key: day,
      label: dayLabel(day),
      width: 144,
      text: (week) => ofDay(week, day).map(textOf).join('\n'),
      show: (week) => (
        <List className={shared.shifts}>
          {ofDay(week, day).map((shift) => (
            <li key={shift.uid} title={restText(shift)} data-short={shift.shortRestHours !== null}>
              {mayPlan ? (
                <RowLink uid={shift.uid} to="/schedule/program-schedule">
                  {shown(shift)}
                </RowLink>
              ) : (
                shown(shift)
              )}
            </li>
          ))}
        </List>
      ),
    }
  })
  return [
    { key: 'driverName', label: 'Driver', width: 140, text: ({ driverName }) => driverName ?? '' },
    {
      key: 'count',
      label: 'Shifts',
      width: 52,
      align: 'right',
      text: ({ shifts: own }) => String(own.length),
    },
    ...days,
  ]
}

const rowKey = ({ driverUid }: DriverWeek) => driverUid ?? ''
const nameOf = ({ driverName }: DriverWeek) => driverName ?? ''

/** One week, drivers as rows. */
export default function OldUserSchedulePage() {
  const { date, goTo } = useSchedule()
  const { query, ask } = useListState(userSchedule.list)
  const mayPlan = useMay(shifts.update)
  const isOwn = useUser().role === 'driver'
  const from = mondayOf(date)
  const found = useList(userSchedule.list, {
    from,
    search: query.search,
    page: query.page,
    pageSize: String(MAX_PAGE_SIZE),
  })
  const columns = useMemo(() => columnsOf(from, mayPlan), [from, mayPlan])
  const { data: rows, total = 0 } = found.data ?? {}
  const week = { from, to: addDays(from, 6), date, goTo, step: (by: 1 | -1) => goTo(addDays(from, by * 7)) }
  return (
    <>
      <Row gap={3} lineGap={2} align="center" wrap className={`${shared.tools} list-tools`} role="search">
        <DateSteps schedule={week} />
        {!isOwn && (
          <div className={shared.search}>
            <ListSearch noun="drivers" query={query} ask={ask} />
          </div>
        )}
        <ExportTable
          list={userSchedule.list}
          query={{ from, search: query.search }}
          columns={columns}
          name={`drivers-${from}`}
        />
        <Soft small>Times are in each market’s time zone.</Soft>
      </Row>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {rows?.length === 0 && <EmptyState>{query.search ? 'No drivers match.' : 'No shifts this week.'}</EmptyState>}
      {rows?.length !== 0 && (rows || !found.isError) && (
        <ClassicTable
          label="Drivers"
          columns={columns}
          rows={rows}
          rowKey={rowKey}
          nameOf={nameOf}
          reload={async () => (await found.refetch()).data?.data ?? []}
        />
      )}
      <div className={shared.footer}>
        <span role="status" className="figures">
          {!isOwn && total > 0 && `${formatCount(total)} ${total === 1 ? 'driver' : 'drivers'}`}
        </span>
        <Pager
          page={Number(query.page ?? 1)}
          perPage={MAX_PAGE_SIZE}
          total={total}
          onChange={(page) => ask({ page: page === 1 ? undefined : String(page) })}
        />
      </div>
    </>
  )
}
