import { clients } from '@roadshow/contract/catalog/clients'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { clientColumns } from './clientColumns.tsx'
import { lazyForm } from '../../ui/record/RecordDrawer.tsx'

const ClientForm = lazyForm(() => import('./ClientForm.tsx'))

export default function ClientsPage() {
  return (
    <DataTable
      nouns={['client', 'clients']}
      list={clients.list}
      columns={clientColumns}
      create={clients.create}
      form={ClientForm}
      empty="No clients yet. Add the first one to plan its programs."
    />
  )
}
