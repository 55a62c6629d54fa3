import { addDays, localDay } from '@roadshow/contract/planning/shift-time'
import { shifts } from '@roadshow/contract/planning/shifts'
import type { Shift } from '@roadshow/contract/planning/shifts'
import type { Column } from '../../../ui/rows/columns.ts'
import { RelatedRows } from '../../../ui/record/RelatedRows.tsx'
import { localZone } from '@roadshow/contract/platform/dates'
import { shiftListColumns } from '../shiftColumns.tsx'
import styles from './userSchedule.module.css'

// A drawer is narrow: names share the width that hours and status leave.
const columns = shiftListColumns.map((column): Column<Shift> => {
  if (!['driver', 'program', 'market'].includes(column.key)) return column
  const { width: _width, ...rest } = column
  return rest
})

interface ShiftsTabProps {
  /** The record of the shifts: `{ truck: uid }`. */
  of: Record<string, string>
  /** Columns that are the same for all of them. */
  without: readonly string[]
}

/** The shifts of a record, for a tab of its drawer: upcoming ones, then past ones, nearest first. */
export function ShiftsTab({ of, without }: ShiftsTabProps) {
  const today = localDay(localZone())
  const parts = [
    ['Upcoming', { from: today, sort: 'localStart' }, 'No upcoming shifts.'],
    ['Past', { to: addDays(today, -1), sort: '-localStart' }, 'No past shifts.'],
  ] as const
  return (
    <div className={styles.parts}>
      {parts.map(([title, query, empty]) => (
        <section key={title} aria-label={`${title} shifts`}>
          <h3>{title}</h3>
          <RelatedRows
            screen={['/schedule/program-schedule', 'Program Schedule']}
            list={shifts.list}
            query={{ ...of, ...query }}
            columns={columns}
            without={without}
            empty={empty}
          />
        </section>
      ))}
    </div>
  )
}
