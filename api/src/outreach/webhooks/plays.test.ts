import { webhooks } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { archiveOf } from '../../live/plays/archive/test-archive.ts'
import { FEED_START, readPlayFeed } from '../../live/plays/index.ts'
import { runJob } from '../../platform/jobs/runner.ts'
import { letTimePass, olderCursor, Partner } from '../feeds/test-partner.ts'
import { announcePlays } from './plays.ts'

const world = await openWorld({ privateNetworks: ['127.0.0.1'] })
const { app, db, call } = world
const { addTruck, playsOf, store, grade, parquet } = archiveOf(world)
const errors: unknown[] = []
const { signal } = new AbortController()

async function run() {
  const env = { brandName: 'Roadshow', publicUrl: 'https://x.test' }
  await runJob(announcePlays, { db, blobs: app.blobs, env, log: (error) => void errors.push(error) }, { signal })
  expect(errors).toEqual([])
}

const announced = () =>
  db.selectFrom('outbound_event').selectAll().where('type', '=', 'play.batch').orderBy('place').execute()
const placesOf = () => db.selectFrom('webhook_play_place').selectAll().execute()

/** Makes plays and the places of announcements twenty minutes older. */
async function passTime(...partners: Partner[]) {
  await letTimePass(world, ...partners)
  for (const { program_uid: program, place } of await placesOf()) {
    const older = olderCursor({ kind: 'plays', program }, place)
    await sql`update webhook_play_place set place = ${older}, at = at - interval '20 minutes'
               where program_uid = ${program}`.execute(db)
  }
}

test('new plays are announced once for each program, with the cursor of the feed that has them', async () => {
  const [truck, other] = [await addTruck([3, 2]), await addTruck([2])]
  await store(truck, playsOf(truck, 3))
  await run()
  expect(await placesOf()).toEqual([])

  const { client_uid: clientUid } = await db
    .selectFrom('client_program')
    .select('client_uid')
    .where('uid', '=', truck.programUid)
    .executeTakeFirstOrThrow()
  const body = { url: 'http://127.0.0.1:9/', events: ['play.batch' as const], clientUid }
  const { webhook } = (await call(webhooks.create, { body })).body.data
  await run()
  expect((await placesOf()).map(({ program_uid: uid }) => uid)).toEqual([truck.programUid])

  const plays = playsOf(truck, 2)
  await store(truck, plays)
  await store(other, playsOf(other, 2))
  await grade()
  const { rows: counted } = await sql`
    select from play where program_uid = ${truck.programUid} and market_uid is not null
       and play_id = any(${plays.map(({ playId }) => playId)})`.execute(db)
  expect(counted.length).toBeGreaterThan(0)
  await passTime()
  await run()
  await run()
  const [event, ...more] = await announced()
  expect(more).toEqual([])
  const data = event?.data as Record<string, string>
  expect(event).toMatchObject({ client_uid: clientUid, object: `plays ${truck.programUid}` })
  expect(data).toMatchObject({
    programUid: truck.programUid,
    plays: counted.length,
    url: `https://x.test/api/v1/feeds/${truck.programUid}/plays.jsonl?cursor=${data['cursor']}`,
  })
  const partner = new Partner(world, truck.programUid)
  partner.cursor = data['cursor']
  const lines = await partner.poll()
  expect(lines).toHaveLength(counted.length)
  const starts = partner.counted.map(({ startedAt }) => startedAt).toSorted()
  expect([data['firstAt'], data['lastAt']]).toEqual([starts[0], starts.at(-1)])
  partner.cursor = data['nextCursor']
  expect(await partner.poll()).toEqual([])

  await call(webhooks.end, { params: { uid: webhook.uid } })
  await run()
  expect(await placesOf()).toEqual([])
})

interface Batch {
  plays: number
  corrected: number
  withdrawn: number
  firstAt: string | null
}

test('new, corrected and withdrawn plays are told apart, and add up to the plays that count', async () => {
  const truck = await addTruck([2, 1])
  const { programUid: program } = truck
  const { client_uid: clientUid } = await db
    .selectFrom('client_program')
    .select('client_uid')
    .where('uid', '=', program)
    .executeTakeFirstOrThrow()
  await call(webhooks.create, { body: { url: 'http://127.0.0.1:9/', events: ['play.batch'], clientUid } })
  await run()
  const batches: Batch[] = []
  const partner = new Partner(world, program)
  /** What the next announcement says. */
  async function announcedAfter(change: () => Promise<unknown>): Promise<Omit<Batch, 'firstAt'>> {
    const before = (await announced()).length
    await change()
    await grade()
    await passTime(partner)
    await run()
    const events = (await announced()).slice(before).map(({ data }) => data as unknown as Batch)
    batches.push(...events)
    const sum = (of: 'plays' | 'corrected' | 'withdrawn') => events.reduce((total, event) => total + event[of], 0)
    return { plays: sum('plays'), corrected: sum('corrected'), withdrawn: sum('withdrawn') }
  }
  const counted = async () => {
    await partner.poll()
    return partner.counted.length
  }
  const setStatus = (status: string) => () =>
    db
      .updateTable('shift')
      .set({ status, reason: status === 'cancelled' ? 'Rain' : '' })
      .where('program_uid', '=', program)
      .execute()

  const first = await announcedAfter(() => store(truck, playsOf(truck, 2)))
  const known = await counted()
  expect([known > 20, first]).toEqual([true, { plays: known, corrected: 0, withdrawn: 0 }])
  // Positions are lost: the plays are graded otherwise and count as before.
  const lost = () =>
    sql`with gone as (delete from position where truck_uid = ${truck.truckUid} returning at)
        insert into evidence_change (truck_uid, first_at, last_at) select ${truck.truckUid}, min(at), max(at) from gone`.execute(
      db,
    )
  expect(await announcedAfter(lost)).toEqual({ plays: 0, corrected: known, withdrawn: 0 })
  expect(await announcedAfter(setStatus('cancelled'))).toEqual({ plays: 0, corrected: 0, withdrawn: known })
  expect([await counted(), batches.at(-1)?.firstAt]).toEqual([0, null])
  expect(await announcedAfter(setStatus('planned'))).toEqual({ plays: known, corrected: 0, withdrawn: 0 })
  // Withdrawn and counted again before the next announcement: known plays, as they are now.
  const twice = async () => {
    await setStatus('cancelled')()
    await grade()
    await setStatus('planned')()
  }
  expect(await announcedAfter(twice)).toEqual({ plays: 0, corrected: known, withdrawn: 0 })
  // Arrived without a shift and given one later; arrived and withdrawn before anyone heard of it.
  const late = async () => {
    await setStatus('cancelled')()
    await store(truck, playsOf(truck, 1))
    await grade()
    await passTime(partner)
    await setStatus('planned')()
  }
  const since = await announcedAfter(late)
  expect([since.plays, since.withdrawn]).toEqual([(await counted()) - known, 0])
  const gone = async () => {
    await store(truck, playsOf(truck, 1).slice(20, 30))
    await passTime(partner)
    await setStatus('cancelled')()
  }
  const before = partner.counted.length
  expect(await announcedAfter(gone)).toEqual({ plays: 0, corrected: 0, withdrawn: before })
  expect(await counted()).toBe(0)
  await announcedAfter(setStatus('planned'))
  const total = batches.reduce((sum, { plays, withdrawn }) => sum + plays - withdrawn, 0)
  expect(total).toBe(await counted())

  // Pages end within a batch and within a run of grading: wherever they do, the parts add up.
  let place = FEED_START
  const parts = { added: 0, withdrawn: 0 }
  for (;;) {
    const page = await readPlayFeed({ db, parquet }, { program, after: place, limit: 7, order: 'changes' })
    parts.added += page.changes.added
    parts.withdrawn += page.changes.withdrawn
    place = page.next
    if (!page.hasMore) break
  }
  expect(parts.added - parts.withdrawn).toBe(total)
})
