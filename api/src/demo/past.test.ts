import { auth, type PopDocument, pops } from '@roadshow/contract'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { fleetOf } from '../live/players/test-fleet.ts'
import { accountOfDevice } from '../live/plays/index.ts'
import { addPast, demoLogins, loadDemo } from './index.ts'
import { LOST } from './past-exceptions.ts'
import { loadPast, nextSequences, type Past } from './past-shifts.ts'

const world = await openWorld()
const { app, db, call } = world
const { countedAndKept } = fleetOf(world)

const record = () => addPast({ db, blobs: app.blobs, brandName: 'Roadshow', signal: new AbortController().signal })
let past: Past

beforeAll(async () => {
  await db.deleteFrom('session').execute()
  await db.deleteFrom('user_account').execute()
  await loadDemo(db, app.blobs)
  past = await loadPast(db)
  await record()
}, 1_800_000)

const shares = async () => {
  const { rows } = await sql<{ completed: number; miles: number; led: number; plays: number }>`
    select count(*)::int as completed, (count(*) filter (where k.metres > 1000))::int as miles,
           (count(*) filter (where t.kind = 'led'))::int as led,
           (count(*) filter (where t.kind = 'led' and exists (
             select from play p where p.shift_uid = s.uid and p.started_at > now() - interval '60 days')))::int as plays
      from shift s join truck t on t.uid = s.truck_uid left join shift_track k on k.shift_uid = s.uid
     where s.status = 'completed' and upper(driven_hours(s)) < ${new Date(past.loadedAt - 17 * 3_600_000)}`.execute(db)
  return rows[0] ?? { completed: 0, miles: 0, led: 0, plays: 0 }
}

test('all completed shifts have miles, and all of LED trucks have plays, but for one each', async () => {
  const { completed, miles, led, plays } = await shares()
  expect(completed).toBeGreaterThan(700)
  expect([miles, plays]).toEqual([completed - 1, led - 1])
})

test('the hours of plays are the plays themselves', async () => {
  const [counted, kept] = await countedAndKept()
  expect(counted.length).toBeGreaterThan(10_000)
  expect(kept).toEqual(counted)
})

test('every program that began has days, plays, miles and photos, and approaches where it has addresses', async () => {
  const { rows } = await sql<
    Record<'name', string> & Record<'days' | 'plays' | 'metres' | 'photos', number> & { approaches: number | null }
  >`
    select p.name, count(distinct s.local_date)::int as days, sum(k.metres) as metres,
           (select coalesce(sum(h.plays), 0)::int from play_hour h where h.program_uid = p.uid) as plays,
           (select count(*)::int from pop_photo f where f.program_uid = p.uid) as photos,
           (select case when count(*) > 0 then (
              select count(*)::int from shift_approach a join shift x on x.uid = a.shift_uid where x.program_uid = p.uid) end
              from address_set e where e.program_uid = p.uid) as approaches
      from client_program p
      join shift s on s.program_uid = p.uid and s.status = 'completed'
      join shift_track k on k.shift_uid = s.uid
     where p.status <> 'draft' group by p.uid`.execute(db)
  expect(rows.length).toBeGreaterThan(30)
  for (const { name, ...figures } of rows)
    for (const [what, value] of Object.entries(figures)) expect(value ?? 1, `${what} of ${name}`).toBeGreaterThan(0)
})

describe('plays', () => {
  test('are nearly all verified', async () => {
    const { rows } = await sql<{ plays: number; verified: number; conflict: number }>`
      select sum(plays)::int as plays, sum(verified)::int as verified, sum(conflict)::int as conflict from play_hour
       where hour < ${new Date(past.loadedAt - 17 * 3_600_000)}`.execute(db)
    const { plays, verified, conflict } = rows[0] ?? { plays: 0, verified: 0, conflict: 1 }
    expect(plays).toBeGreaterThan(120_000)
    expect(verified).toBeGreaterThan(0.97 * plays)
    expect(conflict).toBeLessThan(0.001 * plays)
  })

  test('are numbered without a hole but for those that one player lost', async () => {
    const players = await db.selectFrom('device').select(['uid', 'truck_uid']).where('kind', '=', 'player').execute()
    const next = nextSequences(past)
    const holes = new Map<string, number>()
    for (const { uid, truck_uid } of players) {
      const { used, missing, rejected } = await accountOfDevice(db, uid)
      if (missing > 0) holes.set(truck_uid, missing)
      expect([used + 1, rejected]).toEqual([next.get(truck_uid) ?? 1, 0])
    }
    expect([...holes]).toEqual([[past.exceptions.withLostPlays?.truckUid, LOST.count]])
  })
})

test('odometers only go forward, and no further than the trucks drove', async () => {
  const { rows } = await sql<{ back: number; jumps: number }>`
    select (count(*) filter (where metres < before))::int as back, (count(*) filter (where metres - before > 400000))::int as jumps
      from (select metres, lag(metres) over (partition by truck_uid order by at) as before from odometer_reading) r`.execute(
    db,
  )
  expect(rows).toEqual([{ back: 0, jumps: 0 }])
})

test('one track came after its plays', async () => {
  const { lateTrack } = past.exceptions
  const { rows } = await sql<{ fixes: number; isLate: boolean }>`
    select count(*)::int as fixes, min(received_at) > (
             select max(received_at) from play where shift_uid = ${lateTrack?.uid ?? null}
              and started_at > now() - interval '60 days') as "isLate"
      from position where truck_uid = ${lateTrack?.truckUid ?? null}
       and at >= ${new Date(lateTrack?.from ?? 0)} and at < ${new Date(lateTrack?.to ?? 0)}`.execute(db)
  expect(rows[0]?.fixes).toBeGreaterThan(100)
  expect(rows[0]?.isLate).toBe(true)
})

describe('proof of play', () => {
  async function publishedFor(role: string): Promise<number> {
    const { email = '', password = '' } = demoLogins.find((login) => login.role === role) ?? {}
    const { token } = (await call(auth.authenticate, { body: { email, password, clientType: 'web' } }, { token: '' }))
      .body.data
    return (await call(pops.list, { query: { state: ['published'] } as never }, { token })).body.total
  }

  test('pages are published, among them those of the client who can sign in', async () => {
    expect(await publishedFor('Admin')).toBeGreaterThan(5)
    expect(await publishedFor('Client')).toBeGreaterThan(2)
    const { rows } = await sql<{ document: string }>`select document from pop_version`.execute(db)
    for (const { document } of rows) {
      const { headline, figures, chapters } = JSON.parse(document) as PopDocument
      expect([headline !== '', figures.plays > 0, chapters.length > 0]).toEqual([true, true, true])
    }
  })

  test('most photos are verified, one kind contradicts the track, some wait', async () => {
    const { rows } = await sql<{ grade: string; photos: number }>`
      select grade, count(*)::int as photos from pop_photo group by grade`.execute(db)
    const of = new Map(rows.map(({ grade, photos }) => [grade, photos]))
    expect(of.get('verified')).toBeGreaterThan(100)
    expect(of.get('conflict')).toBeGreaterThan(0)
    expect(of.get('unverified')).toBeGreaterThan(0)
  })
})

test('one pay period is locked and one approved', async () => {
  const periods = await db.selectFrom('pay_period').select(['state']).orderBy('starts_on').execute()
  expect(periods.map(({ state }) => state)).toEqual(['locked', 'approved'])
})

test('a second start changes nothing', async () => {
  const count = async () =>
    (
      await sql`select (select count(*) from position) as positions, (select count(*) from play) as plays,
                       (select count(*) from pop_photo) as photos, (select count(*) from pop_version) as versions`.execute(
        db,
      )
    ).rows
  const before = await count()
  await record()
  expect(await count()).toEqual(before)
})
