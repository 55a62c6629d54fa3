import type { addresses, AddressSetRow, QueryOf } from '@roadshow/contract'
import { clientRecords } from '../clients/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { namesOf } from '../../platform/spreadsheet/list-or-export.ts'
import { formatUtc } from '../../platform/spreadsheet/sheet.ts'
import { programRecords } from '../programs/index.ts'
import { addressSetRecords } from './queries.ts'

export const addressSetSheet = {
  name: 'sd-address-sets',
  columns: {
    Name: (set: AddressSetRow) => set.name,
    Client: (set: AddressSetRow) => set.client.name,
    Program: (set: AddressSetRow) => set.program.name,
    Addresses: (set: AddressSetRow) => set.addressCount,
    'Approximate addresses': (set: AddressSetRow) => set.approximateCount,
    Note: (set: AddressSetRow) => set.note,
    'Updated (UTC)': (set: AddressSetRow) => formatUtc(set.updatedAt),
  },
  filters: async (db: Db, scope: Scope, query: QueryOf<typeof addresses.list>) => [
    ...(query.client ? [`client: ${await namesOf(clientRecords, db, scope, query.client)}`] : []),
    ...(query.program ? [`program: ${await namesOf(programRecords, db, scope, query.program)}`] : []),
    ...(query.uid ? [`set: ${await namesOf(addressSetRecords, db, scope, query.uid)}`] : []),
  ],
}
