import { type PopRow, type pops, popStateLabel, type QueryOf } from '@roadshow/contract'
import { clientRecords } from '../../../catalog/clients/index.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { Scope } from '../../../platform/db/records/scope.ts'
import { filterByName, namesOf } from '../../../platform/spreadsheet/list-or-export.ts'
import { countColumn, dayColumn, milesColumn, timeColumn } from '../../../platform/spreadsheet/columns.ts'
import { popListFor } from './queries.ts'

export const popSheet = {
  name: 'client-pop',
  columns: {
    Client: (pop: PopRow) => pop.client.name,
    Program: (pop: PopRow) => pop.name,
    Starts: dayColumn((pop: PopRow) => pop.startsOn),
    Ends: dayColumn((pop: PopRow) => pop.endsOn),
    State: (pop: PopRow) => popStateLabel[pop.state],
    Version: (pop: PopRow) => pop.shownVersion,
    Published: timeColumn((pop: PopRow) => pop.publishedAt),
    'Shown until': dayColumn((pop: PopRow) => pop.shownUntil),
    'POP address': (pop: PopRow) => pop.popUrl,
    Photos: countColumn((pop: PopRow) => pop.photos),
    'Photos waiting': countColumn((pop: PopRow) => pop.photosWaiting),
    Miles: milesColumn((pop: PopRow) => pop.metres),
    Plays: countColumn((pop: PopRow) => pop.plays),
    Views: countColumn((pop: PopRow) => pop.views),
    Updated: timeColumn((pop: PopRow) => pop.updatedAt),
  },
  filters: async (db: Db, scope: Scope, { client, state, waiting, uid }: QueryOf<typeof pops.list>) => [
    ...(client ? [filterByName('client', await namesOf(clientRecords, db, scope, client))] : []),
    ...(state ? [`state: ${state.map((name) => popStateLabel[name]).join(', ')}`] : []),
    ...(waiting ? ['with photos waiting'] : []),
    ...(uid ? [filterByName('program', await namesOf(popListFor(scope), db, scope, uid))] : []),
  ],
}
