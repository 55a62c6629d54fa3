import type { BodyOf, Market, markets } from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { refuseFields } from '../../platform/runtime/app-error.ts'
import { hasShifts, marketRecords, withShifts } from './queries.ts'

type Input = BodyOf<typeof markets.create>

const toMarketRow = ({ radiusM, outline, depots, ...input }: Input) => ({
  ...input,
  radius_m: radiusM,
  outline: outline && JSON.stringify(outline),
  depots: JSON.stringify(depots),
})

const ZONE_OF_PLANNED = 'This market has shifts. Choose the day from which another time zone holds.'

export const createMarket = (db: Db, scope: Scope, input: Input): Promise<Market> =>
  marketRecords.create(db, scope, toMarketRow(input))

/** Changes a market. The zone of one with shifts is changed from a day on, by a call of planning. */
export const updateMarket = (
  db: Db,
  scope: Scope,
  { uid, version, ...input }: BodyOf<typeof markets.update>,
): Promise<Market> =>
  inTransaction(db, async (db) => {
    await marketRecords.lockRow(db, uid)
    const saved = await marketRecords.find(db, scope, uid)
    if (!saved || saved.zone === input.zone) return marketRecords.update(db, scope, uid, version, toMarketRow(input))
    if (await hasShifts(db, uid)) refuseFields({ zone: ZONE_OF_PLANNED })
    return marketRecords.update(db, scope, uid, version, { ...toMarketRow(input), earlier_zones: '[]' })
  })

/** Adds markets, such as those of a file. Needs a transaction. */
export const addMarkets = (db: Db, scope: Scope, inputs: Input[]): Promise<string[]> =>
  marketRecords.createMany(db, scope, inputs.map(toMarketRow))

/** Changes markets by the same rules, in a few statements. Needs a transaction. */
export async function changeMarkets(
  db: Db,
  scope: Scope,
  changes: { uid: string; version: number; input: Input }[],
): Promise<void> {
  const uids = changes.map(({ uid }) => uid)
  const { rows } = await sql<{ uid: string; zone: string; earlierZones: object }>`
    select uid, zone, earlier_zones as "earlierZones" from market where uid = any(${uids}::uuid[])
     order by uid for no key update`.execute(db)
  const saved = new Map(rows.map((row) => [row.uid, row]))
  const moved = changes.filter(({ uid, input }) => saved.get(uid)?.zone !== input.zone).map(({ uid }) => uid)
  if ((await withShifts(db, moved)).size > 0) refuseFields({ zone: ZONE_OF_PLANNED })
  await marketRecords.updateMany(
    db,
    scope,
    changes.map(({ uid, version, input }) => ({
      uid,
      version,
      ...toMarketRow(input),
      earlier_zones: JSON.stringify(moved.includes(uid) ? [] : (saved.get(uid)?.earlierZones ?? [])),
    })),
  )
}
