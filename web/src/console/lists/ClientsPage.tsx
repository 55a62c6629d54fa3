import { clients } from '@roadshow/contract/catalog/clients'
import { listFacts } from '@roadshow/contract/console/list-facts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { lazyForm } from '../../ui/record/RecordDrawer.tsx'
import { clientListColumns } from './clientListColumns.tsx'

const ClientForm = lazyForm(() => import('../../catalog/clients/ClientForm.tsx'))

export default function ClientsPage() {
  return (
    <DataTable
      nouns={['client', 'clients']}
      list={clients.list}
      facts={{ call: listFacts.clients, of: 'client' }}
      columns={clientListColumns}
      create={clients.create}
      form={ClientForm}
      imports="clients"
      empty="No clients yet. A client is a company that buys programs, with the people who get its proposals and reports."
    />
  )
}
