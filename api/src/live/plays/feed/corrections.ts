import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { groupsOfWindow, releaseLocksAfter } from '../../../platform/db/partitions.ts'
import type { SqlFragment } from '../../../platform/db/records/fragments.ts'
import { rowsAsTable } from '../../../platform/db/rows-as-table.ts'
import { COLUMN_NAMES } from '../archive/columns.ts'
import type { ArchivedFile } from '../archive/files.ts'
import { findArchivedOn, queryFiles } from '../archive/read.ts'
import type { PlayStores } from '../archive/stores.ts'
import { type ArrivalQuery, FILES_AT_ONCE } from './arrivals.ts'
import type { FeedOffset, FoundPlay } from './offsets.ts'

/**
 * `changes` delivers a play again whenever it is graded otherwise; `firsts` delivers it once, when it first counts
 * without a conflict.
 */
export type FeedOrder = 'changes' | 'firsts'

/** A play that was corrected, with its offset in the feed. */
export interface Correction extends Omit<FoundPlay, 'play'> {
  truck: string
  startedAt: string
  /** Whether its changes are known; those of nodes of earlier versions are not. */
  isComplete: boolean
}

const PLACED_BY: Record<FeedOrder, string> = { changes: 'c.changed_at', firsts: 'c.billable_since' }

/** The first corrections of a program behind an offset. */
export async function readCorrections(
  db: Db,
  { program, after, until, limit }: ArrivalQuery,
  order: FeedOrder,
): Promise<Correction[]> {
  const at = sql.raw(PLACED_BY[order])
  const { rows } = await sql<Correction>`
    select (extract(epoch from ${at}) * 1000000)::int8 as micros, c.device_uid as device, c.play_id as "playId",
           c.truck_uid as truck, c.started_at as "startedAt", c.received_at is not null as "isComplete"
      from play_correction c
     where c.program_uid = ${program} and ${at} >= ${after.at}::timestamptz and ${at} <= ${until}::timestamptz
       and (${at} > ${after.at}::timestamptz or (c.device_uid, c.play_id collate "C") > (${after.device}::uuid, ${after.playId}))
     order by ${at}, c.device_uid, c.play_id collate "C" limit ${sql.lit(limit)}`.execute(db)
  return rows
}

/** Plays of a part of a feed: those that began to count, that are graded otherwise, and that ceased to count. */
export interface PlayChanges {
  added: number
  corrected: number
  withdrawn: number
}

/**
 * What happened between two offsets to plays that were ever corrected since the first, by the times of their changes: when they
 * are read decides nothing. So the plays added less those withdrawn, of all parts of a feed, are those that count.
 */
export async function countChanges(
  db: Db,
  program: string,
  { after, end }: { after: FeedOffset; end: FeedOffset },
): Promise<PlayChanges> {
  const upTo = (time: SqlFragment, offset: FeedOffset) => sql`
    (${time} < ${offset.at}::timestamptz or (${time} = ${offset.at}::timestamptz
     and (c.device_uid, c.play_id collate "C") <= (${offset.device}::uuid, ${offset.playId})))`
  // A play counts now unless its changes since then are an odd number.
  const countedAt = (offset: FeedOffset) => sql`
    (${upTo(sql`c.received_at`, offset)}
     and c.is_counted <> (mod((select count(*) from unnest(c.flips) f where not ${upTo(sql`f`, offset)}), 2) = 1))`
  const { rows } = await sql<PlayChanges>`
    select count(*) filter (where is_after and not was_before)::int as added,
           count(*) filter (where is_after and was_before and is_within)::int as corrected,
           count(*) filter (where was_before and not is_after)::int as withdrawn
      from (select ${countedAt(after)} as was_before, ${countedAt(end)} as is_after, ${upTo(sql`c.changed_at`, end)} as is_within
              from play_correction c
             where c.program_uid = ${program} and c.changed_at >= ${after.at}::timestamptz and c.received_at is not null
               and not ${upTo(sql`c.changed_at`, after)}) changed`.execute(db)
  return rows[0] ?? { added: 0, corrected: 0, withdrawn: 0 }
}

export const keyOfPlay = ({ device, playId }: Pick<FoundPlay, 'device' | 'playId'>): string => `${device} ${playId}`

/** Which of these plays were corrected since they arrived: they are delivered at the offset of their correction. */
export async function findCorrected(db: Db, program: string, plays: readonly FoundPlay[]): Promise<Set<string>> {
  if (plays.length === 0) return new Set()
  const given = rowsAsTable('g', plays, {
    device_uid: ['uuid', ({ device }) => device],
    play_id: ['text', ({ playId }) => playId],
  })
  const { rows } = await sql<{ device: string; playId: string }>`
    select c.device_uid as device, c.play_id as "playId"
      from ${given} join play_correction c on c.device_uid = g.device_uid and c.play_id = g.play_id
       and c.program_uid = ${program}`.execute(db)
  return new Set(rows.map(keyOfPlay))
}

/** Corrected plays as they are now: those in the database, and the files that hold the others. */
export interface CorrectedPlays {
  hot: Map<string, unknown>
  files: ArchivedFile[]
}

export async function readCorrected(
  db: Db,
  program: string,
  corrections: readonly Correction[],
): Promise<CorrectedPlays> {
  const timed = corrections.toSorted((one, other) => (one.startedAt < other.startedAt ? -1 : 1))
  const hot = new Map<string, unknown>()
  for (const group of groupsOfWindow(timed, ({ startedAt }) => Date.parse(startedAt))) {
    for (const [key, play] of await releaseLocksAfter(db, () => readGroup(db, group))) hot.set(key, play)
  }
  const missing = timed.filter((each) => !hot.has(keyOfPlay(each)))
  return { hot, files: await filesOfPlays(db, program, missing) }
}

/** The plays of a group that are in the database. Its first and last time are known to the planner. */
async function readGroup(db: Db, group: readonly Correction[]): Promise<[string, unknown][]> {
  const given = rowsAsTable('g', group, {
    truck_uid: ['uuid', ({ truck }) => truck],
    started_at: ['timestamptz', ({ startedAt }) => startedAt],
    device_uid: ['uuid', ({ device }) => device],
    play_id: ['text', ({ playId }) => playId],
  })
  const [first, last] = [group[0]?.startedAt, group.at(-1)?.startedAt]
  const { rows } = await sql<{ device: string; playId: string; play: unknown }>`
    select p.device_uid as device, p.play_id as "playId", to_jsonb(p) as play
      from ${given} join play p on p.truck_uid = g.truck_uid and p.started_at = g.started_at
       and p.device_uid = g.device_uid and p.play_id = g.play_id
     where p.started_at >= ${first}::timestamptz and p.started_at <= ${last}::timestamptz`.execute(db)
  return rows.map(({ play, ...key }) => [keyOfPlay(key), play])
}

/** The files of the days of these plays; a play that no longer counts is in the file without a market. */
async function filesOfPlays(db: Db, program: string, plays: readonly Correction[]): Promise<ArchivedFile[]> {
  const files: ArchivedFile[] = []
  for (const day of new Set(plays.map(({ startedAt }) => startedAt.slice(0, 10)))) {
    for (const isUnassigned of [false, true]) {
      const found = await findArchivedOn(db, { page: 1, pageSize: 1, program: [program], isUnassigned }, [day])
      files.push(...(found?.files ?? []))
    }
  }
  return files
}

/** Adds the corrected plays that are archived. */
export async function addArchivedCorrections(
  { parquet }: PlayStores,
  { hot, files }: CorrectedPlays,
  corrections: readonly Correction[],
): Promise<void> {
  const missing = corrections.filter((each) => !hot.has(keyOfPlay(each)))
  const ids = [...new Set(missing.map(({ playId }) => playId))]
  for (let index = 0; index < files.length; index += FILES_AT_ONCE) {
    const rows = await queryFiles(
      parquet,
      files.slice(index, index + FILES_AT_ONCE),
      (plays) => sql<{ device_uid: string; play_id: string }>`
        select ${COLUMN_NAMES} from (${plays}) p where p.play_id in (${sql.join(ids)})`,
    )
    for (const play of rows) hot.set(keyOfPlay({ device: play.device_uid, playId: play.play_id }), play)
  }
}
