import { addresses } from '@roadshow/contract/catalog/addresses'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { addressSetColumns, addressSetFilters } from './addressSetColumns.tsx'
import { lazyForm } from '../../ui/record/RecordDrawer.tsx'

const AddressSetForm = lazyForm(() => import('./AddressSetForm.tsx'))

export default function AddressesPage() {
  return (
    <DataTable
      nouns={['address set', 'address sets']}
      list={addresses.list}
      columns={addressSetColumns}
      filters={addressSetFilters}
      create={addresses.create}
      form={AddressSetForm}
      imports="sd-addresses"
      empty="No address sets yet. Near the places of a set, a program shows artwork of its own."
    />
  )
}
