import { fleet } from '@roadshow/contract/live/fleet'
import type { TruckDayMiles } from '@roadshow/contract/live/fleet'
import { day } from '@roadshow/contract/platform/common'
import { PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { METERS_PER_MILE } from '@roadshow/contract/platform/constants'
import { formatMiles, sumOfShownMiles, toMiles } from '@roadshow/contract/platform/geo'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useList } from '../../api/useList.ts'
import { formatShiftHours } from '../../planning/shifts/shiftText.ts'
import type { Column } from '../../ui/rows/columns.ts'
import { DayPicker } from '../../ui/form/DayPicker.tsx'
import { ExportMenu } from '../../ui/list/ExportMenu.tsx'
import { Pager } from '../../ui/rows/Pager.tsx'
import { RowCards } from '../../ui/rows/RowCards.tsx'
import { RowLink } from '../../ui/rows/RowLink.tsx'
import { RowTable } from '../../ui/rows/RowTable.tsx'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { formatWeekday } from '@roadshow/contract/platform/dates'
import { useIsPhone } from '../../ui/useMedia.ts'
import { useSearchParam } from '../../ui/useSearchParam.ts'
import { distanceText } from '../facts/distanceText.ts'
import styles from './MilesTab.module.css'

/** The total adds up from what is shown beside it. */
function totalText({ shifts, unassignedMetres, metres }: TruckDayMiles): string {
  const miles = sumOfShownMiles([...shifts.map((shift) => shift.metres), unassignedMetres])
  return miles === null || toMiles(metres ?? 0) < 0.1 ? distanceText(metres) : formatMiles(miles * METERS_PER_MILE)
}

const columnsOf = (truckUid: string): Column<TruckDayMiles>[] => [
  {
    key: 'date',
    title: 'Day',
    width: 120,
    render: ({ date }) => (
      <Link to="/replay" search={{ truck: truckUid, day: date }} title="Replay this day">
        {formatWeekday(date)}
      </Link>
    ),
  },
  {
    key: 'shifts',
    title: 'Shifts',
    render: ({ shifts }) =>
      shifts.length === 0 ? (
        'No shift'
      ) : (
        <ul className={styles.shifts}>
          {shifts.map(({ uid, program, start, end, metres }) => (
            <Row as="li" gap={3} lineGap={0} align="center" wrap between key={uid}>
              <RowLink uid={uid} to="/schedule/program-schedule">
                {program}, {formatShiftHours({ start, end })}
              </RowLink>
              <span>{distanceText(metres)}</span>
            </Row>
          ))}
        </ul>
      ),
  },
  {
    key: 'unassigned',
    title: 'Unassigned',
    width: 120,
    align: 'right',
    render: ({ unassignedMetres }) => distanceText(unassignedMetres),
  },
  { key: 'total', title: 'Total', width: 120, align: 'right', render: totalText },
]

/** The miles of a truck by day of its market: its shifts, what belongs to no shift, and both together. */
export function MilesTab({ truckUid }: { truckUid: string }) {
  // A link may lead to one day: `?open=<uid>&tab=miles-by-day&day=2026-07-01`.
  const [linked] = useSearchParam('day')
  const first = day.safeParse(linked).data
  const [days, setDays] = useState<{ from?: string | undefined; to?: string | undefined }>({ from: first, to: first })
  const [sort, setSort] = useState<string>()
  const [page, setPage] = useState(1)
  const asked = { truck: truckUid, ...days, ...(sort && { sort }) }
  const found = useList(fleet.truckDays, { ...asked, ...(page > 1 && { page: String(page) }) })
  const Rows = useIsPhone() ? RowCards : RowTable
  const { data: rows, total = 0 } = found.data ?? {}
  const choose = (key: 'from' | 'to') => (chosen: string | null) => {
    setPage(1)
    setDays((now) => ({ ...now, [key]: chosen ?? undefined }))
  }
  return (
    <Stack gap={4} className={styles.miles}>
      <Row gap={2} wrap className={styles.tools}>
        <div className={styles.day}>
          <DayPicker
            aria-label="First day"
            placeholder="First day"
            value={days.from ?? null}
            onChange={choose('from')}
          />
        </div>
        <div className={styles.day}>
          <DayPicker aria-label="Last day" placeholder="Last day" value={days.to ?? null} onChange={choose('to')} />
        </div>
        <ExportMenu list={fleet.truckDays} query={asked} />
      </Row>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {rows?.length === 0 && <p>No shifts and no GPS data on these days.</p>}
      {rows?.length !== 0 && (rows || !found.isError) && (
        <Rows
          list={fleet.truckDays}
          columns={columnsOf(truckUid)}
          rows={rows}
          stale={found.isPlaceholderData}
          sort={sort}
          onSort={setSort}
          isError={() => false}
          label="Miles by day"
          isPlain
        />
      )}
      <Soft as="p">
        Days are those of the market. A shift counts on the day it began, with the miles shown everywhere for it.
        Unassigned miles are driven outside any shift, measured by GPS.
      </Soft>
      <Pager page={page} perPage={PAGE_SIZE} total={total} onChange={setPage} />
    </Stack>
  )
}
