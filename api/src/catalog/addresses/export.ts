import type { addresses, AddressSetRow, QueryOf } from '@roadshow/contract'
import { clientRecords } from '../clients/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { filterByName, namesOf } from '../../platform/spreadsheet/list-or-export.ts'
import { countColumn, timeColumn } from '../../platform/spreadsheet/columns.ts'
import { programRecords } from '../programs/index.ts'
import { addressSetRecords } from './queries.ts'

export const addressSetSheet = {
  name: 'sd-address-sets',
  columns: {
    Name: (set: AddressSetRow) => set.name,
    Client: (set: AddressSetRow) => set.client.name,
    Program: (set: AddressSetRow) => set.program.name,
    Addresses: countColumn((set: AddressSetRow) => set.addressCount),
    'Approximate addresses': countColumn((set: AddressSetRow) => set.approximateCount),
    Note: (set: AddressSetRow) => set.note,
    Updated: timeColumn((set: AddressSetRow) => set.updatedAt),
  },
  filters: async (db: Db, scope: Scope, query: QueryOf<typeof addresses.list>) => [
    ...(query.client ? [filterByName('client', await namesOf(clientRecords, db, scope, query.client))] : []),
    ...(query.program ? [filterByName('program', await namesOf(programRecords, db, scope, query.program))] : []),
    ...(query.uid ? [filterByName('set', await namesOf(addressSetRecords, db, scope, query.uid))] : []),
  ],
}
