import type { Client, clients, Contact, QueryOf } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { namesOf } from '../../platform/spreadsheet/list-or-export.ts'
import { formatUtc } from '../../platform/spreadsheet/sheet.ts'
import { clientRecords } from './queries.ts'

const inOneLine = ({ name, title, email, phone }: Contact) => [name, title, email, phone].filter(Boolean).join(', ')

export const clientSheet = {
  name: 'clients',
  columns: {
    Name: (client: Client) => client.name,
    Programs: (client: Client) => client.programsCount,
    Contacts: (client: Client) => client.contacts.map(inOneLine).join('\n'),
    Note: (client: Client) => client.note,
    'Updated (UTC)': (client: Client) => formatUtc(client.updatedAt),
  },
  filters: async (db: Db, scope: Scope, { uid }: QueryOf<typeof clients.list>) =>
    uid ? [`client: ${await namesOf(clientRecords, db, scope, uid)}`] : [],
}
