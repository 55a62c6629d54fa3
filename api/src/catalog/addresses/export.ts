import type { addresses, AddressSetRow, QueryOf } from '@roadshow/contract'
import { clientRecords } from '../clients/index.ts'
import { filterByName, type ListSheet, namesOf } from '../../platform/spreadsheet/list-or-export.ts'
import { countColumn, timeColumn } from '../../platform/spreadsheet/columns.ts'
import { programRecords } from '../programs/index.ts'
import { addressSetRecords } from './queries.ts'

export const addressSetSheet: ListSheet<AddressSetRow, QueryOf<typeof addresses.list>> = {
  name: 'sd-address-sets',
  columns: {
    Name: (set) => set.name,
    Client: (set) => set.client.name,
    Program: (set) => set.program.name,
    Addresses: countColumn((set) => set.addressCount),
    'Approximate addresses': countColumn((set) => set.approximateCount),
    Note: (set) => set.note,
    Updated: timeColumn((set) => set.updatedAt),
  },
  filters: async (db, scope, query) => [
    ...(query.client ? [filterByName('client', await namesOf(clientRecords, db, scope, query.client))] : []),
    ...(query.program ? [filterByName('program', await namesOf(programRecords, db, scope, query.program))] : []),
    ...(query.uid ? [filterByName('set', await namesOf(addressSetRecords, db, scope, query.uid))] : []),
  ],
}
