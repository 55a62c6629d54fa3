import { webhooks } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { archiveOf } from '../../live/plays/archive/test-archive.ts'
import { runJob } from '../../platform/jobs/runner.ts'
import { letTimePass, olderCursor, Partner } from '../feeds/test-partner.ts'
import { announcePlays } from './plays.ts'

const world = await openWorld({ privateNetworks: ['127.0.0.1'] })
const { app, db, call } = world
const { addTruck, playsOf, store, grade } = archiveOf(world)
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
async function passTime() {
  await letTimePass(world)
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
