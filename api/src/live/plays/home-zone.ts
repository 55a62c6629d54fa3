import type { Market } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Db, prepared } from '../../platform/db/connection.ts'
import type { SqlFragment } from '../../platform/db/records/fragments.ts'

/** The zones of a truck's home market, for the day of plays without a shift. */
export type HomeZone = Pick<Market, 'zone' | 'earlierZones'>

/** The zones of the home market of a truck, as JSON. */
export const selectHomeZone = (truckUid: string): RawBuilder<HomeZone> => sql<HomeZone>`coalesce((
  select json_build_object('zone', m.zone, 'earlierZones', m.earlier_zones)
    from truck t join market m on m.uid = t.home_market_uid where t.uid = ${truckUid}),
  '{"zone": "UTC", "earlierZones": []}')`

export async function readHomeZone(db: Db, truckUid: string): Promise<HomeZone> {
  const { rows } = await prepared(sql<{ home: HomeZone }>`select ${selectHomeZone(truckUid)} as home`).execute(db)
  return rows[0]?.home ?? { zone: 'UTC', earlierZones: [] }
}

/** The day of a moment at home. */
export const dayAtHome = ({ zone, earlierZones }: HomeZone, moment: SqlFragment): RawBuilder<string> => sql`(
  ${moment} at time zone zone_at(${zone}::text, ${JSON.stringify(earlierZones)}::jsonb, ${moment}))::date`
