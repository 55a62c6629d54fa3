import { clients } from '@roadshow/contract/catalog/clients'
import type { Client } from '@roadshow/contract/catalog/clients'
import type { Lookup } from '../../ui/form/RecordSelect.tsx'

/** A client in every form and filter that asks for one. */
export const clientLookup: Lookup<Client> = {
  list: clients.list,
  sort: 'name',
  opensIn: { path: '/clients' },
  nameOf: ({ name }) => name,
}
