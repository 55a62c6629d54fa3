import { trucks } from '@roadshow/contract/catalog/trucks'
import { lazy } from 'react'
import { MarketsButton } from '../markets/MarketsButton.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { PairingTruck } from './PairingTruck.tsx'
import { truckColumns, truckFilters } from './truckColumns.tsx'

const TruckForm = lazy(() => import('./TruckForm.tsx'))

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
