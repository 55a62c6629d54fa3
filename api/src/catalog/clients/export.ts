import type { Client, clients, QueryOf } from '@roadshow/contract'
import { filterByName, type ListSheet, namesOf } from '../../platform/spreadsheet/list-or-export.ts'
import { countColumn, timeColumn } from '../../platform/spreadsheet/columns.ts'
import { contactLine } from './contact-lines.ts'
import { clientRecords } from './queries.ts'

export const clientSheet: ListSheet<Client, QueryOf<typeof clients.list>> = {
  name: 'clients',
  columns: {
    Name: (client) => client.name,
    Programs: countColumn((client) => client.programsCount),
    Contacts: (client) => client.contacts.map(contactLine).join('\n'),
    Note: (client) => client.note,
    Updated: timeColumn((client) => client.updatedAt),
  },
  filters: async (db, scope, { uid }) =>
    uid ? [filterByName('client', await namesOf(clientRecords, db, scope, uid))] : [],
}
