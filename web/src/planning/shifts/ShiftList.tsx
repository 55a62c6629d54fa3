import { shifts } from '@roadshow/contract/planning/shifts'
import type { ComponentType, ReactNode } from 'react'
import { useMay } from '../../api/user.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import type { Filter } from '../../ui/list/FilterChips.tsx'
import type { RecordFormProps } from '../../ui/record/RecordDrawer.tsx'
import { useListState } from '../../ui/useListState.ts'
import { shiftListColumns, useColumnsForUser, useShiftFilters, workedShiftColumns } from './shiftColumns.tsx'
import { truckLookup } from './shiftLookups.ts'
import { WorkTotals } from './WorkTotals.tsx'

const truckFilter: Filter = { key: 'truck', label: 'Truck', lookup: truckLookup }
const days: Filter[] = [
  { key: 'tookPlace', label: 'Took place', words: { yes: 'Took place' } },
  { key: 'from', label: 'From day', day: true },
  { key: 'to', label: 'To day', day: true },
]

/** Times of several zones, in the order in which they read. */
const inOrderOfTimes = () => ({ sort: 'localStart' })

interface ShiftListProps {
  form: ComponentType<RecordFormProps>
  actions: ReactNode
}

/** The same shifts as a list, with search, sorting and export. */
export function ShiftList({ form, actions }: ShiftListProps) {
  const mayChooseTrucks = useMay(shifts.trucks)
  const filters = [...(mayChooseTrucks ? [truckFilter] : []), ...useShiftFilters()]
  const columns = useColumnsForUser(shiftListColumns)
  const workedColumns = useColumnsForUser(workedShiftColumns)
  const { query } = useListState(shifts.list)
  const table = { nouns: ['shift', 'shifts'], filters: [...filters, ...days], form, actions } as const
  if (query.tookPlace === 'yes') {
    return (
      <>
        <WorkTotals query={query} />
        <DataTable
          {...table}
          list={shifts.details}
          startsWith={inOrderOfTimes}
          columns={workedColumns}
          next={{ label: 'Open the schedule', needs: shifts.create, to: '/schedule/program-schedule', search: {} }}
          empty="No shift took place yet. Hours, miles and plays of each stand here as soon as it starts."
        />
      </>
    )
  }
  return (
    <DataTable
      {...table}
      list={shifts.list}
      startsWith={inOrderOfTimes}
      columns={columns}
      create={shifts.create}
      imports="shifts"
      empty="No shifts yet. A shift puts a truck on the road: its driver, program and market, and when."
    />
  )
}
