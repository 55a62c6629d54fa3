import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { connect } from '../../platform/db/connection.ts'
import { readMigration } from '../../platform/db/migration-files.ts'
import { fleetOf } from '../players/test-fleet.ts'
import { fleetWatch } from './alerts.ts'

const world = await openWorld()
const { db } = world
const other = connect(world.url)
afterAll(() => other.close())

const MINUTE = 60_000
const NOW = Date.now()

async function addRunningShift() {
  const { truckUid } = await fleetOf(world).addRunning()
  const { rows } = await sql<{ uid: string }>`
    update shift set status = 'out', started_at = starts_at where truck_uid = ${truckUid} returning uid`.execute(db)
  return { truckUid, shiftUid: rows[0]?.uid ?? '' }
}

/** Both nodes look at the same moment, a few times over, as if neither kept the other waiting. */
async function lookOnBoth(minutesLater: number): Promise<void> {
  const look = (node: typeof db) => fleetWatch.look({ db: node, env: {}, now: NOW + minutesLater * MINUTE })
  for (let round = 0; round < 5; round++) await Promise.all([look(db), look(other.db)])
}

const issuesOf = async (truckUid: string) =>
  (
    await sql<{ kind: string; status: string; events: number }>`
      select kind, status, (select count(*)::int from outbound_event e where e.object = 'issue ' || i.uid) as events
        from truck_issue i where truck_uid = ${truckUid} order by kind`.execute(db)
  ).rows

test('an issue that two nodes see is raised once and resolved once', async () => {
  const { truckUid, shiftUid } = await addRunningShift()
  const issues = (status: string, events: number) =>
    ['noGps', 'noPlays', 'playerOffline'].map((kind) => ({ kind, status, events }))
  await lookOnBoth(0)
  expect(await issuesOf(truckUid)).toEqual([])
  await lookOnBoth(2)
  expect(await issuesOf(truckUid)).toEqual(issues('open', 1))
  await sql`update shift set status = 'completed', stopped_at = ends_at where uid = ${shiftUid}`.execute(db)
  for (const minutes of [3, 6]) await lookOnBoth(minutes)
  expect(await issuesOf(truckUid)).toEqual(issues('resolved', 2))
  // A person reopens one whose cause is gone.
  await sql`update truck_issue set status = 'open', resolved_at = null where truck_uid = ${truckUid} and kind = 'noGps'`.execute(
    db,
  )
  const statusAfter = async (minutes: number) => {
    await lookOnBoth(minutes)
    return (await issuesOf(truckUid))[0]
  }
  expect([await statusAfter(10), await statusAfter(13)]).toMatchObject([
    { status: 'open', events: 2 },
    { status: 'resolved', events: 3 },
  ])
})

test('an alert that the version before watched is raised as soon as it has lasted, and an open one not again', async () => {
  const { truckUid, shiftUid } = await addRunningShift()
  const watched = { truck_uid: truckUid, shift_uid: shiftUid }
  await db
    .insertInto('issue_watch')
    .values([
      { ...watched, kind: 'noPlays', since: new Date(NOW + 19 * MINUTE) },
      { ...watched, kind: 'noGps', since: new Date(NOW + 19 * MINUTE) },
      // Gone for two minutes.
      { ...watched, kind: 'outsideMarket', since: new Date(NOW), gone_since: new Date(NOW + 18 * MINUTE) },
    ])
    .execute()
  const raised = { truck_uid: truckUid, shift_uid: shiftUid, raised_by: 'server' }
  await db
    .insertInto('truck_issue')
    .values([
      { ...raised, kind: 'noGps' },
      { ...raised, kind: 'outsideMarket' },
    ])
    .execute()
  await sql`alter table watched_condition drop column gone_since`.execute(db)
  await sql.raw((await readMigration('0085_one_watcher')).text).execute(db)
  const look = (minutes: number) => fleetWatch.look({ db, env: {}, now: NOW + minutes * MINUTE })
  await look(20)
  expect(await issuesOf(truckUid)).toEqual([
    { kind: 'noGps', status: 'open', events: 0 },
    { kind: 'noPlays', status: 'open', events: 1 },
    { kind: 'outsideMarket', status: 'open', events: 0 },
  ])
  await look(21)
  expect((await issuesOf(truckUid)).find(({ kind }) => kind === 'outsideMarket')?.status).toBe('resolved')
})
