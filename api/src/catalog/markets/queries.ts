import type { Market, markets, QueryOf } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import { everybodys, records } from '../../platform/db/records/records.ts'

export const marketRecords = records<'market', Market, QueryOf<typeof markets.list>>({
  table: 'market',
  columns: {
    uid: 't.uid',
    name: 't.name',
    state: 't.state',
    zone: 't.zone',
    latitude: 't.latitude',
    longitude: 't.longitude',
    radiusM: 't.radius_m',
    outline: 't.outline',
    depots: 't.depots',
    updatedAt: 't.updated_at',
    version: 't.version',
  },
  sorts: { name: 't.name', state: 't.state' },
  filters: {},
  own: everybodys,
  taken: { market_name_once: ['marketTaken', 'name'] },
})

/** Numbers of the trucks based in a market, and names of the programs that still run in it. */
export async function namesUsingMarket(db: Db, marketUid: string): Promise<{ trucks: string[]; programs: string[] }> {
  const trucks = await db
    .selectFrom('truck')
    .select('number')
    .where('home_market_uid', '=', marketUid)
    .where('deleted_at', 'is', null)
    .orderBy('number')
    .execute()
  const programs = await db
    .selectFrom('program_market as pm')
    .innerJoin('client_program as p', 'p.uid', 'pm.program_uid')
    .select('p.name')
    .where('pm.market_uid', '=', marketUid)
    .where('p.deleted_at', 'is', null)
    .where('p.status', '<>', 'completed')
    .orderBy('p.name')
    .execute()
  return { trucks: trucks.map(({ number }) => number), programs: programs.map(({ name }) => name) }
}
