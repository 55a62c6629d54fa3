import { programs } from '@roadshow/contract/catalog/programs'
import { listFacts } from '@roadshow/contract/console/list-facts'
import { MarketsButton } from '../../catalog/markets/MarketsButton.tsx'
import { programFilters } from '../../catalog/programs/programColumns.tsx'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { lazyForm } from '../../ui/record/RecordDrawer.tsx'
import { lazyPage, RecordScreen } from '../../ui/record/RecordPage.tsx'
import type { UrlSearch } from '../../ui/useListState.ts'
import { programListColumns } from './programListColumns.tsx'

const loadProgramForm = () => import('../../catalog/programs/ProgramForm.tsx')
const ProgramForm = lazyForm(loadProgramForm)
const ProgramPage = lazyPage(loadProgramForm)

/** Completed programs stay away until someone asks for them, by a search or their status too. */
const startsWith = ({ search, status }: UrlSearch): UrlSearch => ({
  sort: 'progress',
  ...(search === undefined && status === undefined && { completed: 'hidden' }),
})

export default function ProgramsPage() {
  return (
    <RecordScreen list={programs.list} page={ProgramPage}>
      <DataTable
        nouns={['program', 'programs']}
        list={programs.list}
        startsWith={startsWith}
        facts={{ call: listFacts.programs, of: 'program' }}
        columns={programListColumns}
        filters={programFilters}
        create={programs.create}
        form={ProgramForm}
        actions={<MarketsButton />}
        imports="programs"
        empty="No programs are planned or running. A program is a client’s campaign: its markets and days, its artwork, and what is booked."
      />
    </RecordScreen>
  )
}
