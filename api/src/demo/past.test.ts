import {
  adLog,
  addDays,
  API_BASE,
  auth,
  payroll,
  type PopDocument,
  pops,
  type ProposalDocument,
  publicCampaign,
  salesProposals,
  shifts,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { fleetOf } from '../live/players/test-fleet.ts'
import { accountOfDevice } from '../live/plays/index.ts'
import { addPast, type DemoPage, demoLogins, loadDemo } from './index.ts'
import { loadPast, LOST, nextSequences, type Past } from './past-shifts.ts'
import { deliveriesOf } from '../proof/delivery/index.ts'
import { BLOCK_DAYS } from './years-plan.ts'

const world = await openWorld()
const { app, db, call } = world
const { countedAndKept } = fleetOf(world)

// Of the two years before, as many blocks as show how they are added.
const BLOCKS = 2
// Of the markets, some of each kind: each zone, printed trucks too, and those of the client who can sign in.
const MARKETS = ['Houston', 'New York', 'Phoenix', 'Seattle']
const links = new Map<DemoPage, string>()
const record = () =>
  addPast({
    db,
    blobs: app.blobs,
    brandName: 'Roadshow',
    signal: new AbortController().signal,
    newestBlocks: BLOCKS,
    onLink: (page, path) => links.set(page, path),
  })
let past: Past
/** The first day whose plays and positions are recorded one by one. */
let recordedFrom = ''
let admin = ''

beforeAll(async () => {
  await db.deleteFrom('session').execute()
  await db.deleteFrom('user_account').execute()
  await loadDemo(db, app.blobs)
  await sql`
    delete from shift where starts_at < created_at
       and market_uid not in (select uid from market where name = any(${MARKETS}))`.execute(db)
  past = await loadPast(db)
  const days = db.selectFrom('shift').select(({ fn }) => fn.min('local_date').as('first'))
  recordedFrom = (await days.executeTakeFirst())?.first ?? ''
  await record()
  admin = await tokenOf('Admin')
}, 1_800_000)

async function tokenOf(role: string): Promise<string> {
  const { email = '', password = '' } = demoLogins.find((login) => login.role === role) ?? {}
  return (await call(auth.authenticate, { body: { email, password, clientType: 'web' } }, { token: '' })).body.data
    .token
}

const shares = async () => {
  const { rows } = await sql<{ completed: number; miles: number; led: number; plays: number }>`
    select count(*)::int as completed, (count(*) filter (where k.metres > 1000))::int as miles,
           (count(*) filter (where t.kind = 'led'))::int as led,
           (count(*) filter (where t.kind = 'led' and exists (
             select from play p where p.shift_uid = s.uid and p.started_at > now() - interval '60 days')))::int as plays
      from shift s join truck t on t.uid = s.truck_uid left join shift_track k on k.shift_uid = s.uid
     where s.status = 'completed' and s.local_date >= ${recordedFrom}
       and coalesce(s.stopped_at, s.ends_at) < ${new Date(past.loadedAt - 17 * 3_600_000)}`.execute(db)
  return rows[0] ?? { completed: 0, miles: 0, led: 0, plays: 0 }
}

test('all completed shifts have miles, and all of LED trucks have plays, but for one each', async () => {
  const { completed, miles, led, plays } = await shares()
  expect(completed).toBeGreaterThan(220)
  expect([miles, plays]).toEqual([completed - 1, led - 1])
})

test('the hours of plays are the plays themselves', async () => {
  const [counted, kept] = await countedAndKept()
  expect(counted.length).toBeGreaterThan(3500)
  expect(kept.filter((hour) => (hour as { day: string }).day >= recordedFrom)).toEqual(counted)
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
     where p.status <> 'draft' and p.ends_on >= ${recordedFrom} group by p.uid`.execute(db)
  expect(rows.length).toBeGreaterThan(20)
  for (const { name, ...figures } of rows)
    for (const [what, value] of Object.entries(figures)) expect(value ?? 1, `${what} of ${name}`).toBeGreaterThan(0)
})

describe('plays', () => {
  test('are nearly all verified', async () => {
    const { rows } = await sql<{ plays: number; verified: number; conflict: number }>`
      select sum(plays)::int as plays, sum(verified)::int as verified, sum(conflict)::int as conflict from play_hour
       where day >= ${recordedFrom} and hour < ${new Date(past.loadedAt - 17 * 3_600_000)}`.execute(db)
    const { plays, verified, conflict } = rows[0] ?? { plays: 0, verified: 0, conflict: 1 }
    expect(plays).toBeGreaterThan(37_000)
    expect(verified).toBeGreaterThan(0.97 * plays)
    expect(conflict).toBeLessThan(0.001 * plays)
  })

  test('are numbered without a hole but for those that one player lost', async () => {
    const players = await db
      .selectFrom('device')
      .select(['uid', 'truck_uid'])
      .where('kind', '=', 'player')
      .where('deleted_at', 'is', null)
      .execute()
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
    const token = await tokenOf(role)
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
    expect(of.get('verified')).toBeGreaterThan(48)
    expect(of.get('conflict')).toBeGreaterThan(0)
    expect(of.get('unverified')).toBeGreaterThan(0)
  })
})

describe('the years before', () => {
  const firstDay = () => addDays(recordedFrom, -BLOCKS * BLOCK_DAYS)
  const lastDay = () => addDays(recordedFrom, -1)
  const footerOfAdLog = async (query: { program: string; from: string; to: string }) => {
    const headers = { authorization: `Bearer ${admin}` }
    const file = await app.inject({
      url: `${API_BASE}/${adLog.list.path}`,
      query: { ...query, format: 'csv' },
      headers,
    })
    return file.body.trimEnd().split('\n').at(-1)?.replaceAll('"', '')
  }

  test('have shifts with miles, and plays by the hour on LED trucks', async () => {
    const { rows } = await sql<{ shifts: number; measured: number; led: number; played: number; kept: number }>`
      select count(*)::int as shifts, count(k.shift_uid)::int as measured,
             (count(*) filter (where t.kind = 'led'))::int as led,
             (count(*) filter (where exists (select from play_hour h where h.shift_uid = s.uid)))::int as played,
             (select count(*)::int from play where day < ${recordedFrom}) as kept
        from shift s join truck t on t.uid = s.truck_uid left join shift_track k on k.shift_uid = s.uid
       where s.status = 'completed' and s.local_date < ${recordedFrom}`.execute(db)
    const [{ shifts: all, led, ...of } = { shifts: 0, led: 0 }] = rows
    expect(all).toBeGreaterThan(300)
    expect(of).toEqual({ measured: all, played: led, kept: 0 })
  })

  test('answer one question in one way: ad log, list of shifts and delivery, and say that single plays are gone', async () => {
    const { rows } = await sql<{ uid: string; plays: number; truckDays: number }>`
      select p.uid, count(distinct (s.truck_uid, s.local_date))::int as "truckDays",
             (select sum(h.plays)::int from play_hour h where h.program_uid = p.uid) as plays
        from client_program p join shift s on s.program_uid = p.uid and s.status = 'completed'
       where p.starts_on >= ${firstDay()} and p.ends_on < ${recordedFrom} group by 1 order by 1`.execute(db)
    expect(rows.length).toBeGreaterThan(3)
    const uids = rows.map(({ uid }) => uid)
    const deliveries = await deliveriesOf(db, 'all', uids, Date.now())
    for (const { uid: program, plays, truckDays } of rows) {
      const days = { program, from: firstDay(), to: lastDay() }
      const { total, keptSince } = (await call(adLog.summary, { query: days }, { token: admin })).body.data
      expect([total.plays, total.missing]).toEqual([plays, 0])
      expect(Date.parse(keptSince ?? '')).toBeGreaterThanOrEqual(Date.parse(recordedFrom))
      expect((await call(adLog.list, { query: days }, { token: admin })).body.total).toBe(0)
      expect(await footerOfAdLog(days)).toMatch(
        /^# 0 rows; single plays kept since .*; [\d,]+ earlier plays are only counted/,
      )
      const driven = { program: [program], status: ['completed'], pageSize: '200' } as never
      const listed = (await call(shifts.details, { query: driven }, { token: admin })).body.data
      expect(listed.reduce((sum, shift) => sum + shift.plays.count, 0)).toBe(plays)
      expect(deliveries.get(program)?.lines.reduce((sum, line) => sum + line.delivered, 0)).toBe(truckDays)
    }
  })

  test('used a number of a former player for each play', async () => {
    const former = await db
      .selectFrom('device')
      .select(['uid', 'truck_uid'])
      .where('deleted_at', 'is not', null)
      .execute()
    expect(former.length).toBeGreaterThan(5)
    for (const { uid, truck_uid } of former) {
      const { rows } = await sql<{ plays: number }>`
        select sum(plays)::int as plays from play_hour where truck_uid = ${truck_uid} and day < ${recordedFrom}`.execute(
        db,
      )
      expect(await accountOfDevice(db, uid)).toMatchObject({ stored: rows[0]?.plays, missing: 0, rejected: 0 })
    }
  })
})

test('all pay periods but the last are locked, one is approved, and the newest weeks are open', async () => {
  const { data } = (await call(payroll.periods, { query: { sort: 'from' } as never }, { token: admin })).body
  expect(data.map(({ state }) => state)).toEqual([...data.slice(1).map(() => 'locked'), 'approved'])
  expect(data.length).toBeGreaterThanOrEqual(2 + (BLOCKS * BLOCK_DAYS) / 14 - 1)
  for (const { shifts: paid, cents } of data) expect([paid > 10, cents > 100_000]).toEqual([true, true])
})

test('a running campaign of the client who can sign in has a link', async () => {
  const link = links.get('campaign') ?? ''
  const { data } = (await call(publicCampaign.live, { params: { token: link.slice('/c/'.length) } }, { token: '' }))
    .body
  expect(data.texts['line-0'] ?? data.sentence).not.toBe('')
})

test('one draft is proposed, and can be accepted', async () => {
  expect(links.get('proposal')).toMatch(/^\/o\/[\w-]{43}$/)
  const sent = await db.selectFrom('sales_proposal').select(['program_uid as uid', 'document']).execute()
  const { lines, places } = JSON.parse(sent[0]?.document ?? '{}') as ProposalDocument
  expect([sent.length, lines.length > 0, places.length > 0]).toEqual([1, true, true])
  const params = { uid: sent[0]?.uid ?? '' }
  const { proposals } = (await call(salesProposals.list, { params }, { token: admin })).body.data
  expect(proposals).toMatchObject([{ number: 1, state: 'open', isOutdated: false }])
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
  const pages = [...links]
  await record()
  expect(await count()).toEqual(before)
  expect([...links]).toEqual(pages)
})
