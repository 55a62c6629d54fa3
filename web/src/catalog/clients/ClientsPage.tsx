import { clients } from '@roadshow/contract/catalog/clients'
import { lazy } from 'react'
import { DataTable } from '../../ui/DataTable.tsx'
import { clientColumns } from './clientColumns.tsx'

const ClientForm = lazy(() => import('./ClientForm.tsx'))

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
