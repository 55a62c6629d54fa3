import { artworkSets } from '@roadshow/contract/catalog/artwork'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { artworkColumns, artworkFilters } from './artworkColumns.tsx'
import { lazyForm } from '../../ui/record/RecordDrawer.tsx'

const ArtworkForm = lazyForm(() => import('./ArtworkForm.tsx'))

export default function ArtworkPage() {
  return (
    <DataTable
      nouns={['artwork set', 'artwork sets']}
      list={artworkSets.list}
      columns={artworkColumns}
      filters={artworkFilters}
      create={artworkSets.create}
      form={ArtworkForm}
      empty="No artwork yet. A set has a file for each side of a truck, is checked against its screens, and is approved."
    />
  )
}
