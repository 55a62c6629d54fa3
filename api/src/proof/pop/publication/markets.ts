import type { BodyOf, PopChapter, pops } from '@roadshow/contract'
import { sql } from 'kysely'
import { refuseFields } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { SqlFragment } from '../../../platform/db/records/fragments.ts'

/**
 * The markets of a program's POP in their order: those of the program, and those with shifts or photos that the program
 * no longer names. Missing texts and dates are those of the program; the zone is that of the last day so far.
 */
export const popMarketsOf = (program: SqlFragment): SqlFragment => sql`(
  select m.uid, m.name, m.state, zone_on(m.zone, m.earlier_zones, least((now())::date, o.ends_on, pm.ends_on,
           (select ends_on from client_program where uid = ${program}))) as zone, coalesce(o.headline, '') as headline, coalesce(o.text, '') as text,
         o.starts_on, o.ends_on, coalesce(o.starts_on, pm.starts_on) as first_day,
         coalesce(o.ends_on, pm.ends_on) as last_day, coalesce(o.is_shown, true) as is_shown,
         row_number() over (order by o.position, pm.position, m.name, m.uid) as place
    from (select market_uid from program_market where program_uid = ${program}
           union select market_uid from pop_market where pop_uid = ${program}
           union select market_uid from pop_photo where program_uid = ${program} and deleted_at is null
           union select market_uid from shift where program_uid = ${program} and deleted_at is null
                    and status not in ('cancelled', 'noShow')) known
    join market m on m.uid = known.market_uid
    left join program_market pm on pm.program_uid = ${program} and pm.market_uid = m.uid
    left join pop_market o on o.pop_uid = ${program} and o.market_uid = m.uid)`

type PopMarketInputs = BodyOf<typeof pops.saveMarkets>['markets']

/** Replaces the markets of a POP. The row of the POP must be written first in the same transaction, for the history. */
export async function writePopMarkets(db: Db, uid: string, inputs: PopMarketInputs): Promise<void> {
  await checkMarkets(db, uid, inputs)
  const rows = inputs.map(({ marketUid, headline, text, startsOn, endsOn, isShown }, position) => ({
    pop_uid: uid,
    market_uid: marketUid,
    position,
    headline,
    text,
    starts_on: startsOn,
    ends_on: endsOn,
    is_shown: isShown,
  }))
  const others = db.deleteFrom('pop_market').where('pop_uid', '=', uid)
  if (rows.length === 0) {
    await others.execute()
    return
  }
  const kept = rows.map((row) => row.market_uid)
  await others.where('market_uid', 'not in', kept).execute()
  await db
    .insertInto('pop_market')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['pop_uid', 'market_uid']).doUpdateSet((row) => ({
        position: row.ref('excluded.position'),
        headline: row.ref('excluded.headline'),
        text: row.ref('excluded.text'),
        starts_on: row.ref('excluded.starts_on'),
        ends_on: row.ref('excluded.ends_on'),
        is_shown: row.ref('excluded.is_shown'),
      })),
    )
    .execute()
}

interface PopMarket extends Pick<PopChapter, 'name' | 'state' | 'zone' | 'headline' | 'text'> {
  uid: string
  startsOn: string | null
  endsOn: string | null
  isShown: boolean
}

/** The markets of a POP in their order. */
export async function loadPopMarkets(db: Db, programUid: string): Promise<PopMarket[]> {
  const { rows } = await sql<PopMarket>`
    select c.uid, c.name, c.state, c.zone, c.headline, c.text, c.first_day as "startsOn", c.last_day as "endsOn",
           c.is_shown as "isShown"
      from client_program p cross join lateral ${popMarketsOf(sql`p.uid`)} c
     where p.uid = ${programUid} order by c.place`.execute(db)
  return rows
}

async function checkMarkets(db: Db, uid: string, inputs: PopMarketInputs): Promise<void> {
  const known = new Set((await loadPopMarkets(db, uid)).map((market) => market.uid))
  const seen = new Set<string>()
  const wrong: Record<string, string> = {}
  for (const [index, { marketUid }] of inputs.entries()) {
    if (!known.has(marketUid)) wrong[`markets.${index}.marketUid`] = 'The program does not run in this market.'
    else if (seen.has(marketUid)) wrong[`markets.${index}.marketUid`] = 'This market is already in the list.'
    seen.add(marketUid)
  }
  refuseFields(wrong)
}
