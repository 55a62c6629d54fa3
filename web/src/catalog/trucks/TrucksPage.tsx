import { trucks } from '@roadshow/contract/catalog/trucks'
import { MarketsButton } from '../markets/MarketsButton.tsx'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { PairingTruck } from './PairingTruck.tsx'
import { truckColumns, truckFilters } from './truckColumns.tsx'
import { lazyForm } from '../../ui/record/RecordDrawer.tsx'

const TruckForm = lazyForm(() => import('./TruckForm.tsx'))

export default function TrucksPage() {
  return (
    <>
      <PairingTruck />
      <DataTable
        nouns={['truck', 'trucks']}
        list={trucks.list}
        columns={truckColumns}
        filters={truckFilters}
        create={trucks.create}
        form={TruckForm}
        actions={<MarketsButton />}
        empty="No trucks yet. Add the first one to schedule it."
      />
    </>
  )
}
