import type { BodyOf, BookedLineInput, Program, programs, QueryOf } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import { records } from '../../platform/db/records/records.ts'
import type { SqlFragment } from '../../platform/db/records/fragments.ts'
import { searchText } from '../../platform/db/records/search-text.ts'

/** Outsiders do not search notes. */
export const programText = searchText((t) => sql`${t}.name || ' ' || ${t}.pop_url`)

/** Whether a program, by its uid as text, is one of a client's. */
export const isProgramOf = (clientUid: string | null, programUid: SqlFragment): SqlFragment =>
  sql`${programUid} in (select uid::text from client_program where client_uid = ${clientUid})`

/** A booked line in row `line` with its market in row `market`, as JSON. */
export const bookedLineJson = (line: string, market: string): SqlFragment => {
  const [b, m] = [sql.id(line), sql.id(market)]
  return sql`json_build_object('uid', ${b}.uid, 'unit', ${b}.unit, 'amount', ${b}.amount,
    'market', json_build_object('uid', ${m}.uid, 'name', ${m}.name, 'zone', zone_at(${m}.zone, ${m}.earlier_zones, now())),
    'startsOn', ${b}.starts_on, 'endsOn', ${b}.ends_on, 'priceCents', ${b}.price_cents)`
}

/** Active programs, then paused ones, drafts and completed ones; of each those that began first. An index has this order. */
const BY_PROGRESS = sql`(case t.status when 'active' then 0 when 'paused' then 1 when 'draft' then 2 else 3 end * 1000000
  + (t.starts_on - date '2000-01-01'))`

export const programRecords = records<'client_program', Program, QueryOf<typeof programs.list>>({
  table: 'client_program',
  noun: 'program',
  joins: sql`left join client c on c.uid = t.client_uid`,
  columns: {
    uid: sql`t.uid`,
    client: sql`json_build_object('uid', c.uid, 'name', c.name)`,
    name: sql`t.name`,
    status: sql`t.status`,
    startsOn: sql`t.starts_on`,
    endsOn: sql`t.ends_on`,
    popUrl: sql`t.pop_url`,
    markets: sql`coalesce((
      select json_agg(json_build_object('uid', m.uid, 'name', m.name, 'zone', zone_at(m.zone, m.earlier_zones, now()),
                                        'startsOn', pm.starts_on, 'endsOn', pm.ends_on) order by pm.position)
        from program_market pm join market m on m.uid = pm.market_uid where pm.program_uid = t.uid), '[]')`,
    bookedLines: sql`coalesce((
      select json_agg(${bookedLineJson('b', 'm')} order by b.position, b.uid)
        from booked_line b join market m on m.uid = b.market_uid where b.program_uid = t.uid), '[]')`,
    spotSeconds: sql`t.spot_seconds`,
    note: sql`t.note`,
    createdAt: sql`t.created_at`,
    updatedAt: sql`t.updated_at`,
    version: sql`t.version`,
  },
  sorts: {
    name: sql`t.name`,
    progress: BY_PROGRESS,
    status: sql`t.status`,
    startsOn: sql`t.starts_on`,
    endsOn: sql`t.ends_on`,
    updatedAt: sql`t.updated_at`,
  },
  filters: {
    client: (client) => sql`t.client_uid = any(${client})`,
    status: (status) => sql`t.status = any(${status})`,
    completed: (completed) => sql`(${completed} = 'shown' or t.status <> 'completed')`,
    market: (market) =>
      sql`exists (select from program_market pm where pm.program_uid = t.uid and pm.market_uid = any(${market}))`,
    runningOn: (runningOn) => sql`${runningOn}::date between t.starts_on and t.ends_on`,
    uid: (uid) => sql`t.uid = any(${uid})`,
  },
  searchText: programText,
  own: ({ clientUid }) => sql`t.client_uid = ${clientUid}`,
  owner: ({ clientUid }) => ({ column: 'client_uid', isOwn: (client) => sql`${client} = ${clientUid}` }),
  taken: {
    program_pop_url_once: ['popUrlTaken', 'popUrl'],
    program_name_once: ['programNameTaken', 'name'],
  },
})

type MarketInput = BodyOf<typeof programs.create>['markets'][number]

/** The markets and booked lines of programs whose rows are written. */
export interface ProgramParts {
  uid: string
  markets: readonly MarketInput[]
  /** Undefined leaves them as they are. */
  bookedLines?: readonly BookedLineInput[] | undefined
}

const lineKey = ({ marketUid, unit, startsOn }: Pick<BookedLineInput, 'marketUid' | 'unit' | 'startsOn'>) =>
  `${marketUid} ${unit} ${startsOn}`

/**
 * Replaces the parts of programs, in a few statements for any number of them. Write the rows of the programs first, in
 * the same transaction: the history takes the actor from them.
 */
export async function saveParts(db: Db, programs: readonly ProgramParts[]): Promise<void> {
  await removeOtherLines(
    db,
    programs.flatMap(({ uid, bookedLines }) => (bookedLines ? [{ uid, bookedLines }] : [])),
  )
  await saveMarkets(db, programs)
  await saveLines(db, programs)
}

async function saveMarkets(db: Db, programs: readonly ProgramParts[]): Promise<void> {
  const rows = programs.flatMap(({ uid, markets }) => markets.map((market, position) => ({ uid, market, position })))
  const given = rowsAsTable('n', rows, {
    program_uid: ['uuid', ({ uid }) => uid],
    market_uid: ['uuid', ({ market }) => market.marketUid],
    starts_on: ['date', ({ market }) => market.startsOn],
    ends_on: ['date', ({ market }) => market.endsOn],
    position: ['int4', ({ position }) => position],
  })
  await sql`
    delete from program_market pm where pm.program_uid = any(${programs.map(({ uid }) => uid)}::uuid[])
       and not exists (select 1 from ${given} where n.program_uid = pm.program_uid and n.market_uid = pm.market_uid)`.execute(
    db,
  )
  if (rows.length === 0) return
  await sql`
    insert into program_market (program_uid, market_uid, starts_on, ends_on, position)
    select program_uid, market_uid, starts_on, ends_on, position from ${given}
        on conflict (program_uid, market_uid) do update
       set starts_on = excluded.starts_on, ends_on = excluded.ends_on, position = excluded.position`.execute(db)
}

/** Removes the booked lines that are not among these, before markets that only they need are removed. */
async function removeOtherLines(
  db: Db,
  programs: readonly { uid: string; bookedLines: readonly BookedLineInput[] }[],
): Promise<void> {
  const kept = programs.flatMap(({ uid, bookedLines }) => bookedLines.map((line) => `${uid} ${lineKey(line)}`))
  await sql`
    delete from booked_line
     where program_uid = any(${programs.map(({ uid }) => uid)}::uuid[])
       and program_uid || ' ' || market_uid || ' ' || unit || ' ' || starts_on <> all(${kept}::text[])`.execute(db)
}

/** Adds and changes booked lines. A line of the same market, unit and first day is the same line. */
async function saveLines(db: Db, programs: readonly ProgramParts[]): Promise<void> {
  const rows = programs.flatMap(({ uid, bookedLines = [] }) =>
    bookedLines.map((line, position) => ({ uid, line, position })),
  )
  if (rows.length === 0) return
  const given = rowsAsTable('n', rows, {
    program_uid: ['uuid', ({ uid }) => uid],
    market_uid: ['uuid', ({ line }) => line.marketUid],
    unit: ['text', ({ line }) => line.unit],
    amount: ['int4', ({ line }) => line.amount],
    starts_on: ['date', ({ line }) => line.startsOn],
    ends_on: ['date', ({ line }) => line.endsOn],
    price_cents: ['int8', ({ line }) => line.priceCents],
    position: ['int4', ({ position }) => position],
  })
  await sql`
    insert into booked_line (program_uid, market_uid, unit, amount, starts_on, ends_on, price_cents, position)
    select program_uid, market_uid, unit, amount, starts_on, ends_on, price_cents, position from ${given}
        on conflict on constraint booked_line_start_once do update
       set amount = excluded.amount, ends_on = excluded.ends_on, price_cents = excluded.price_cents,
           position = excluded.position`.execute(db)
}

/** The markets of a program that are deleted, by name. */
export const deletedMarketsOf = (db: Db, programUid: string): Promise<{ uid: string; name: string }[]> =>
  db
    .selectFrom('program_market as pm')
    .innerJoin('market as m', 'm.uid', 'pm.market_uid')
    .select(['m.uid', 'm.name'])
    .where('pm.program_uid', '=', programUid)
    .where('m.deleted_at', 'is not', null)
    .orderBy('m.name')
    .execute()
