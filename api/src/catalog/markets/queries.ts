import type { Market, markets, QueryOf } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { allRows, records } from '../../platform/db/records/records.ts'
import type { Scope } from '../../platform/db/records/scope.ts'

export const marketRecords = records<'market', Market, QueryOf<typeof markets.list>>({
  table: 'market',
  columns: {
    uid: sql`t.uid`,
    name: sql`t.name`,
    state: sql`t.state`,
    zone: sql`t.zone`,
    earlierZones: sql`t.earlier_zones`,
    latitude: sql`t.latitude`,
    longitude: sql`t.longitude`,
    radiusM: sql`t.radius_m`,
    outline: sql`t.outline`,
    depots: sql`t.depots`,
    updatedAt: sql`t.updated_at`,
    version: sql`t.version`,
  },
  sorts: { name: sql`t.name`, state: sql`t.state` },
  filters: {},
  own: allRows,
  // Where trucks stand at night is for staff only.
  staffOnly: { depots: [] },
  jsonColumns: ['outline', 'depots', 'earlier_zones'],
  taken: { market_name_once: ['marketTaken', 'name'] },
})

type MarketZones = Pick<Market, 'uid' | 'version' | 'zone' | 'earlierZones'>

export const saveMarketZones = (
  db: Db,
  scope: Scope,
  { uid, version, zone, earlierZones }: MarketZones,
): Promise<Market> =>
  marketRecords.update(db, scope, uid, version, { zone, earlier_zones: JSON.stringify(earlierZones) })

/** Whether a market has or had shifts, deleted ones too. */
export async function hasShifts(db: Db, marketUid: string): Promise<boolean> {
  return (await db.selectFrom('shift').select('uid').where('market_uid', '=', marketUid).limit(1).execute()).length > 0
}

/** Which of several markets have or had shifts. */
export async function withShifts(db: Db, uids: readonly string[]): Promise<Set<string>> {
  if (uids.length === 0) return new Set()
  const { rows } = await sql<{ uid: string }>`
    select m.uid from unnest(${[...uids]}::uuid[]) m (uid)
     where exists (select 1 from shift s where s.market_uid = m.uid)`.execute(db)
  return new Set(rows.map(({ uid }) => uid))
}

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
