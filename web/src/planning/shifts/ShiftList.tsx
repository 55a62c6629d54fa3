import { shifts } from '@roadshow/contract/planning/shifts'
import type { ComponentType, ReactNode } from 'react'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Filter } from '../../ui/FilterChips.tsx'
import type { RecordFormProps } from '../../ui/RecordDrawer.tsx'
import { useLiveShifts } from './useLiveShifts.ts'
import { shiftListColumns, useShiftFilters } from './shiftColumns.tsx'

const days: Filter[] = [
  { key: 'from', label: 'From day', day: true },
  { key: 'to', label: 'To day', day: true },
]

interface ShiftListProps {
  form: ComponentType<RecordFormProps>
  actions: ReactNode
}

/** The same shifts as a list, with search, sorting and export. */
export function ShiftList({ form, actions }: ShiftListProps) {
  const filters = useShiftFilters()
  useLiveShifts()
  return (
    <DataTable
      nouns={['shift', 'shifts']}
      list={shifts.list}
      columns={shiftListColumns}
      filters={[...filters, ...days]}
      create={shifts.create}
      form={form}
      actions={actions}
      empty="No shifts yet. Plan the first one to put a truck on the road."
    />
  )
}
