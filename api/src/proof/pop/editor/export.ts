import { type PopRow, type pops, popStateLabel, type QueryOf, toMiles } from '@roadshow/contract'
import { clientRecords } from '../../../catalog/clients/index.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { Scope } from '../../../platform/db/records/scope.ts'
import { namesOf } from '../../../platform/spreadsheet/list-or-export.ts'
import { formatUtc } from '../../../platform/spreadsheet/sheet.ts'
import { popListFor } from './queries.ts'

const twoDigits = (value: number) => Math.round(value * 100) / 100

export const popSheet = {
  name: 'client-pop',
  columns: {
    Client: (pop: PopRow) => pop.client.name,
    Program: (pop: PopRow) => pop.name,
    Starts: (pop: PopRow) => pop.startsOn,
    Ends: (pop: PopRow) => pop.endsOn,
    State: (pop: PopRow) => popStateLabel[pop.state],
    Version: (pop: PopRow) => pop.shownVersion,
    'Published (UTC)': (pop: PopRow) => (pop.publishedAt ? formatUtc(pop.publishedAt) : ''),
    'Shown until': (pop: PopRow) => pop.shownUntil ?? '',
    'POP address': (pop: PopRow) => pop.popUrl,
    Photos: (pop: PopRow) => pop.photos,
    'Photos waiting': (pop: PopRow) => pop.photosWaiting,
    Miles: (pop: PopRow) => twoDigits(toMiles(pop.metres)),
    Plays: (pop: PopRow) => pop.plays,
    Views: (pop: PopRow) => pop.views,
    'Updated (UTC)': (pop: PopRow) => formatUtc(pop.updatedAt),
  },
  filters: async (db: Db, scope: Scope, { client, state, waiting, uid }: QueryOf<typeof pops.list>) => [
    ...(client ? [`client: ${await namesOf(clientRecords, db, scope, client)}`] : []),
    ...(state ? [`state: ${state.map((name) => popStateLabel[name]).join(', ')}`] : []),
    ...(waiting ? ['with photos waiting'] : []),
    ...(uid ? [`program: ${await namesOf(popListFor(scope), db, scope, uid)}`] : []),
  ],
}
