import type { Client, clients, Contact, QueryOf } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { filterByName, namesOf } from '../../platform/spreadsheet/list-or-export.ts'
import { countColumn, timeColumn } from '../../platform/spreadsheet/columns.ts'
import { clientRecords } from './queries.ts'

const inOneLine = ({ name, title, email, phone }: Contact) => [name, title, email, phone].filter(Boolean).join(', ')

export const clientSheet = {
  name: 'clients',
  columns: {
    Name: (client: Client) => client.name,
    Programs: countColumn((client: Client) => client.programsCount),
    Contacts: (client: Client) => client.contacts.map(inOneLine).join('\n'),
    Note: (client: Client) => client.note,
    Updated: timeColumn((client: Client) => client.updatedAt),
  },
  filters: async (db: Db, scope: Scope, { uid }: QueryOf<typeof clients.list>) =>
    uid ? [filterByName('client', await namesOf(clientRecords, db, scope, uid))] : [],
}
