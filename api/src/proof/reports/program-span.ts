import { uid } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { FillIn, GivenInput } from '../../platform/http/fill-in.ts'

const programIn = ({ query, params }: GivenInput) => uid.safeParse(query['program'] ?? params['programUid']).data

/** A report without days covers the program's own. */
export const fillProgramSpan: FillIn = async (given, db) => {
  const program = programIn(given)
  if (program === undefined) return {}
  const span = await db
    .selectFrom('client_program')
    .select(['starts_on as from', 'ends_on as to'])
    .where('uid', '=', program)
    .executeTakeFirst()
  return span ?? {}
}

/** An SD report also covers the first market of the program that has SD data, or its first market. */
export const fillSdReport: FillIn = async (given, db) => {
  const span = await fillProgramSpan(given, db)
  const market = given.query['market'] === undefined ? await firstMarket(db, programIn(given)) : undefined
  return market === undefined ? span : { ...span, market }
}

async function firstMarket(db: Db, program: string | undefined): Promise<string | undefined> {
  if (program === undefined) return undefined
  const { rows } = await sql<{ market: string }>`
    select m.market_uid as market from program_market m where m.program_uid = ${program}
     order by (select first_day from address_play_days(m.program_uid, m.market_uid)) is null, m.position
     limit 1`.execute(db)
  return rows[0]?.market
}
