import { API_BASE, DAY_MS, MAX_FEED_PLAYS } from '@roadshow/contract'
import { sql } from 'kysely'
import { type FeedOffset, type PlayFeedPage, type PlayStores, readPlayFeed, startOf } from '../../live/plays/index.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { recordEvents } from '../../platform/outbox/index.ts'
import { parquetOf } from '../../platform/parquet/index.ts'
import { readCursor, writeCursor, writeStoredOffset } from '../feeds/index.ts'

/** Programs whose plays an endpoint wants to hear of. */
const WANTED = sql`
  from client_program p
 where p.deleted_at is null and exists (
   select from webhook w where w.state <> 'ended' and 'play.batch' = any(w.events)
      and (w.client_uid is null or w.client_uid = p.client_uid))`

const feedOf = (program: string) => ({ kind: 'plays', program }) as const

/** Begins with the plays that arrive from now on, and forgets programs that no endpoint wants any more. */
async function followWanted(db: Db, now: number): Promise<void> {
  await sql`delete from webhook_play_place where program_uid not in (select p.uid ${WANTED})`.execute(db)
  const { rows } = await sql<{ uid: string }>`
    select p.uid ${WANTED} and not exists (select from webhook_play_place where program_uid = p.uid)`.execute(db)
  if (rows.length === 0) return
  const at = new Date(now).toISOString()
  await sql`
    insert into webhook_play_place (program_uid, place, at) select n.uid, n.place, ${at}
      from ${rowsAsTable('n', rows, {
        uid: ['uuid', ({ uid }) => uid],
        place: ['text', ({ uid }) => writeStoredOffset(feedOf(uid), startOf(at))],
      })} on conflict do nothing`.execute(db)
}

interface Followed {
  programUid: string
  clientUid: string
  place: string
  /** The time of the last announcement, with microseconds. */
  at: string
  isCorrected: boolean
}

/** The followed programs, and whether plays of them were corrected since the last announcement. */
async function readFollowed(db: Db): Promise<Followed[]> {
  const { rows } = await sql<Followed>`
    select f.program_uid as "programUid", p.client_uid as "clientUid", f.place, f.at::text as at,
           exists (select from play_correction c
                    where c.program_uid = f.program_uid and c.changed_at >= f.at) as "isCorrected"
      from webhook_play_place f join client_program p on p.uid = f.program_uid
     order by f.at, f.program_uid`.execute(db)
  return rows
}

// Players send plays up to 30 days late, and their clocks may be ahead by a few minutes.
const [LATE_MS, AHEAD_MS] = [35 * DAY_MS, 3_600_000]

/** Whether plays of a program arrived since the last announcement. Other machines may hold them: no table is joined. */
async function hasArrivals(db: Db, { programUid, at }: Followed, now: number): Promise<boolean> {
  const [from, until] = [now - LATE_MS, now + AHEAD_MS].map((ms) => new Date(ms).toISOString())
  const { rows } = await sql`
    select 1 from play
     where program_uid = ${programUid}::uuid and received_at >= ${at}::timestamptz
       and started_at >= ${from}::timestamptz and started_at < ${until}::timestamptz limit 1`.execute(db)
  return rows.length > 0
}

/** What an announcement says of a page of the feed. */
function batchOf(programUid: string, after: FeedOffset, { entries, changes, next }: PlayFeedPage, publicUrl: string) {
  const cursor = writeCursor(feedOf(programUid), after)
  const starts = entries.flatMap(({ play }) => (play ? [play.startedAt] : [])).toSorted()
  return {
    programUid,
    plays: changes.added,
    corrected: changes.corrected,
    withdrawn: changes.withdrawn,
    firstAt: starts[0] ?? null,
    lastAt: starts.at(-1) ?? null,
    cursor,
    nextCursor: writeCursor(feedOf(programUid), next),
    url: `${publicUrl}${API_BASE}/feeds/${programUid}/plays.jsonl?cursor=${cursor}`,
  }
}

/** Announces what the feed of a program has behind the last announcement. */
async function announce(stores: PlayStores, followed: Followed, publicUrl: string): Promise<void> {
  const { programUid, clientUid, place } = followed
  const after = readCursor(feedOf(programUid), place)
  const page = await readPlayFeed(stores, { program: programUid, after, limit: MAX_FEED_PLAYS, order: 'changes' })
  const data = batchOf(programUid, after, page, publicUrl)
  await inTransaction(stores.db, async (db) => {
    const { numUpdatedRows } = await db
      .updateTable('webhook_play_place')
      .set({ place: writeStoredOffset(feedOf(programUid), page.next), at: page.next.at })
      .where('program_uid', '=', programUid)
      .where('place', '=', place)
      .executeTakeFirst()
    const isNothing = page.entries.length + data.plays + data.corrected + data.withdrawn === 0
    if (numUpdatedRows === 0n || isNothing) return
    await recordEvents(db, [{ type: 'play.batch', object: `plays ${programUid}`, clientUid, data }])
  })
}

/** Tells endpoints that want to know of new plays, at most once a minute for each program. */
export const announcePlays = defineJob('announce-plays', async ({ db, blobs, env, now, timeUp }) => {
  await followWanted(db, now)
  const stores = { db, parquet: parquetOf({ blobs, env }) }
  for (const followed of await readFollowed(db)) {
    if (timeUp.aborted) return
    if (followed.isCorrected || (await hasArrivals(db, followed, now))) await announce(stores, followed, env.publicUrl)
  }
})
