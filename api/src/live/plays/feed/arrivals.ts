import { type RawBuilder, sql } from 'kysely'
import { type Db, inSnapshot } from '../../../platform/db/connection.ts'
import { dayOf, releaseLocksAfter, windowsOf } from '../../../platform/db/partitions.ts'
import { allOf } from '../../../platform/db/records/fragments.ts'
import { COLUMN_NAMES } from '../archive/columns.ts'
import type { ArchivedFile } from '../archive/files.ts'
import { findArchivedOn, queryFiles } from '../archive/read.ts'
import type { PlayStores } from '../archive/stores.ts'
import { readKeptSince } from '../kept-since.ts'
import { type FeedOffset, FirstPlays, type FoundPlay } from './offsets.ts'

/** Which plays of a program are read: those behind an offset, up to a moment. */
export interface ArrivalQuery {
  program: string
  after: FeedOffset
  until: string
  limit: number
}

// Clocks of devices may be ahead by a few minutes.
const AHEAD_MS = 3_600_000

const PLACE = sql.raw(
  `(extract(epoch from p.received_at) * 1000000)::int8 as micros, p.device_uid as device, p.play_id as "playId"`,
)

/** Plays `p` of a program that arrived behind an offset; the same for PostgreSQL and DuckDB but for the order of text. */
const arrivedAfter = ({ program, after }: ArrivalQuery, until: string, playId: RawBuilder<unknown>) =>
  allOf([
    sql`p.program_uid = ${program}::uuid and p.market_uid is not null`,
    sql`p.received_at >= ${after.at}::timestamptz and p.received_at <= ${until}::timestamptz`,
    sql`(p.received_at > ${after.at}::timestamptz or p.device_uid > ${after.device}::uuid
         or (p.device_uid = ${after.device}::uuid and ${playId} > ${after.playId}))`,
  ])

/** Adds the plays that are in the database, window by window: late ones may be of any week. */
async function addHot(db: Db, query: ArrivalQuery, first: FirstPlays): Promise<void> {
  const since = Date.parse(await readKeptSince(db))
  if (Number.isNaN(since)) return
  for (const window of windowsOf({ from: since, until: Date.parse(query.until) + AHEAD_MS })) {
    if (window.from > first.untilMs + AHEAD_MS) return
    const [from, until] = [new Date(window.from).toISOString(), new Date(window.until).toISOString()]
    // Not prepared: only the weeks of the window are touched when they are known to the planner.
    const { rows } = await releaseLocksAfter(db, () =>
      sql<FoundPlay>`
        select ${PLACE}, to_jsonb(p) as play from play p
         where ${arrivedAfter(query, first.until, sql`p.play_id collate "C"`)}
           and p.started_at >= ${from}::timestamptz and p.started_at < ${until}::timestamptz
         order by p.received_at, p.device_uid, p.play_id collate "C" limit ${sql.lit(query.limit)}`.execute(db),
    )
    first.add(rows)
  }
}

/** Days that have archived plays which arrived behind an offset. */
async function archivedDaysSince(db: Db, { after }: ArrivalQuery, until: number): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select distinct day from play_archive
     where (received_until is null or received_until >= ${after.at}::timestamptz) and day >= plays_kept_since()::date
       and day <= ${dayOf(until + AHEAD_MS)}::date order by day`.execute(db)
  return rows.map(({ day }) => day)
}

/** The files of these days that hold plays of the program, oldest first. */
async function filesOf(db: Db, { program }: ArrivalQuery, days: readonly string[]): Promise<ArchivedFile[]> {
  const found = await findArchivedOn(db, { page: 1, pageSize: 1, program: [program] }, days)
  const wanted = new Set(days)
  return found?.files.filter(({ day }) => wanted.has(day)) ?? []
}

// A page of the feed reads so many files at once.
export const FILES_AT_ONCE = 8

/** Adds the plays that are archived, few files at a time: the first ones have enough plays for a page as a rule. */
async function addArchived(
  { parquet }: PlayStores,
  query: ArrivalQuery,
  files: readonly ArchivedFile[],
  first: FirstPlays,
): Promise<void> {
  for (let index = 0; index < files.length; index += FILES_AT_ONCE) {
    const some = files.slice(index, index + FILES_AT_ONCE)
    if (Date.parse(some[0]?.day ?? '') > first.untilMs + AHEAD_MS) return
    const rows = await queryFiles(
      parquet,
      some,
      (plays) => sql<Record<string, unknown>>`
        select epoch_us(p.received_at) as micros, ${COLUMN_NAMES} from (${plays}) p
         where ${arrivedAfter(query, first.until, sql`p.play_id`)}
         order by p.received_at, p.device_uid, p.play_id limit ${sql.lit(query.limit)}`,
    )
    first.add(rows.map(foundPlay))
  }
}

function foundPlay({ micros, ...play }: Record<string, unknown>): FoundPlay {
  return { micros: Number(micros), device: String(play['device_uid']), playId: String(play['play_id']), play }
}

/** The first plays behind an offset in the order of their arrival, of the database and of the archive. */
export async function readArrivals(stores: PlayStores, query: ArrivalQuery): Promise<FirstPlays> {
  const first = new FirstPlays(query.limit, query.until)
  const files = await inSnapshot(stores.db, async (db) => {
    await addHot(db, query, first)
    return filesOf(db, query, await archivedDaysSince(db, query, first.untilMs))
  })
  await addArchived(stores, query, files, first)
  return first
}
