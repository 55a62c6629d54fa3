import { programs } from '@roadshow/contract/catalog/programs'
import { MarketsButton } from '../markets/MarketsButton.tsx'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { programColumns, programFilters } from './programColumns.tsx'
import { lazyForm } from '../../ui/record/RecordDrawer.tsx'

const ProgramForm = lazyForm(() => import('./ProgramForm.tsx'))

export default function ProgramsPage() {
  return (
    <DataTable
      nouns={['program', 'programs']}
      list={programs.list}
      columns={programColumns}
      filters={programFilters}
      create={programs.create}
      form={ProgramForm}
      actions={<MarketsButton />}
      empty="No programs yet. Add the first one to give it artwork, addresses and shifts."
    />
  )
}
