import { trucks } from '@roadshow/contract/catalog/trucks'
import { listFacts } from '@roadshow/contract/console/list-facts'
import { MarketsButton } from '../../catalog/markets/MarketsButton.tsx'
import { PairingTruck } from '../../catalog/trucks/PairingTruck.tsx'
import { truckFilters } from '../../catalog/trucks/truckColumns.tsx'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { lazyForm } from '../../ui/record/RecordDrawer.tsx'
import { lazyPage, RecordScreen } from '../../ui/record/RecordPage.tsx'
import { truckListColumns } from './truckListColumns.tsx'

const loadTruckForm = () => import('../../catalog/trucks/TruckForm.tsx')
const TruckForm = lazyForm(loadTruckForm)
const TruckPage = lazyPage(loadTruckForm)

export default function TrucksPage() {
  return (
    <>
      <PairingTruck />
      <RecordScreen list={trucks.list} page={TruckPage}>
        <DataTable
          nouns={['truck', 'trucks']}
          list={trucks.list}
          facts={{ call: listFacts.trucks, of: 'truck' }}
          columns={truckListColumns}
          filters={truckFilters}
          create={trucks.create}
          form={TruckForm}
          actions={<MarketsButton />}
          imports="trucks"
          empty="No trucks yet. A truck is scheduled, tracked, and shows artwork on three sides."
        />
      </RecordScreen>
    </>
  )
}
