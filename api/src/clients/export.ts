import type { Client, clients, Contact, QueryOf } from '@roadshow/contract'
import type { Db } from '../db/connection.ts'
import type { Scope } from '../db/scope.ts'
import { namesOf } from '../http/lists.ts'
import { utc } from '../http/sheet.ts'
import { clientRecords } from './queries.ts'

const inOneLine = ({ name, title, email, phone }: Contact) => [name, title, email, phone].filter(Boolean).join(', ')

export const clientSheet = {
  name: 'clients',
  columns: {
    Name: (client: Client) => client.name,
    Programs: (client: Client) => client.programsCount,
    Contacts: (client: Client) => client.contacts.map(inOneLine).join('\n'),
    Note: (client: Client) => client.note,
    'Updated (UTC)': (client: Client) => utc(client.updatedAt),
  },
  filters: async (db: Db, scope: Scope, { uid }: QueryOf<typeof clients.list>) =>
    uid ? [`client: ${await namesOf(clientRecords, db, scope, uid)}`] : [],
}
