import { programStatusLabel } from '@roadshow/contract/catalog/programs'
import type { Program, ProgramStatus } from '@roadshow/contract/catalog/programs'
import { formatDay } from '@roadshow/contract/platform/dates'
import { clientLookup } from '../lookups/clientLookup.ts'
import { marketLookup } from '../lookups/marketLookup.ts'
import type { Column } from '../../ui/rows/columns.ts'
import type { Filter } from '../../ui/list/FilterChips.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'

export const programStatusTone: Record<ProgramStatus, Tone> = {
  draft: 'silent',
  active: 'driving',
  paused: 'warn',
  completed: 'parked',
}

export const programColumns: Column<Program>[] = [
  { key: 'name', title: 'Name', width: 190, render: (program) => program.name },
  { key: 'client', title: 'Client', width: 160, render: (program) => program.client.name },
  {
    key: 'status',
    title: 'Status',
    width: 124,
    render: ({ status }) => <StateTag tone={programStatusTone[status]}>{programStatusLabel[status]}</StateTag>,
  },
  { key: 'startsOn', title: 'Starts', width: 120, render: (program) => formatDay(program.startsOn) },
  { key: 'endsOn', title: 'Ends', width: 120, render: (program) => formatDay(program.endsOn) },
  { key: 'markets', title: 'Markets', render: ({ markets }) => markets.map(({ name }) => name).join(', ') },
  { key: 'popUrl', title: 'POP address', width: 150, isExtra: true, render: (program) => program.popUrl },
]

export const programFilters: Filter[] = [
  { key: 'status', label: 'Status', words: programStatusLabel },
  { key: 'client', label: 'Client', lookup: clientLookup },
  { key: 'market', label: 'Market', lookup: marketLookup },
  { key: 'runningOn', label: 'Running on', day: true },
]
