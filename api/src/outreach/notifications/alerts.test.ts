import { fleet, push, settings } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { fleetWatch, raiseDriverIssue } from '../../live/fleet/index.ts'
import { openPayload, recordEvents } from '../../platform/outbox/index.ts'
import { TestPushService } from '../push/test-push-service.ts'
import { repeatAlerts } from './issue-alerts.ts'
import { MINUTE, NOW, openDispatch } from './test-dispatch.ts'
import { openOutreach } from './test-outreach.ts'
import { watchStorage } from './watches.ts'

const world = await openWorld()
const { call, db, people } = world
const { env, handle, send, pass } = openOutreach(world)
const { addTruck, addShift, startAgo, clear } = await openDispatch(world)

/** Tracker, player and screen of a truck are heard at this moment. */
const hear = (truckUid: string, { at, isDark }: { at: number; isDark: boolean }) =>
  sql`
  insert into truck_now (truck_uid, at, latitude, longitude, played_at, player_seen_at)
  values (${truckUid}, ${new Date(at)}, 32.78, -96.8, ${isDark ? null : new Date(at)}, ${new Date(at)})
  on conflict (truck_uid) do update set at = excluded.at, played_at = coalesce(excluded.played_at, truck_now.played_at),
    player_seen_at = excluded.player_seen_at`.execute(db)

const subjects = async () =>
  (await send()).map(({ to, subject }) => `${to === people.admin.email ? 'admin' : to}: ${subject}`)
const issuesOf = async (truck: string) =>
  (await call(fleet.issues, { query: { truck, status: ['open', 'inProgress', 'resolved'] } })).body.data

beforeEach(clear)

describe('a truck that goes dark on a shift', () => {
  async function goDark() {
    const shift = await addShift(-120, 360)
    await startAgo(shift, 110)
    await hear(shift.truck.uid, { at: NOW, isDark: true })
    await fleetWatch.look({ db, env, now: NOW })
    return shift
  }

  test('makes one mail when its hold time has passed, and one when it is resolved', async () => {
    const shift = await goDark()
    await handle()
    expect(await subjects()).toEqual([])
    for (const minutes of [2, 3, 4]) await fleetWatch.look({ db, env, now: NOW + minutes * MINUTE })
    await handle()
    await pass(34)
    expect(await subjects()).toEqual([])
    await pass(1)
    expect(await subjects()).toEqual([`admin: ${shift.truck.name}: No plays on a running shift`])
    await hear(shift.truck.uid, { at: NOW + 5 * MINUTE, isDark: false })
    for (const minutes of [5, 9, 10]) await fleetWatch.look({ db, env, now: NOW + minutes * MINUTE })
    await handle()
    await pass(35)
    expect(await subjects()).toEqual([`admin: Resolved: ${shift.truck.name}: No plays on a running shift`])
    const { data } = (await call(fleet.issues, { query: { truck: shift.truck.uid, status: 'resolved' } })).body
    expect(data).toHaveLength(1)
  })

  test('for less than its hold time makes none', async () => {
    const shift = await goDark()
    await hear(shift.truck.uid, { at: NOW + 30_000, isDark: false })
    for (const seconds of [40, 120, 600]) await fleetWatch.look({ db, env, now: NOW + seconds * 1000 })
    await handle()
    expect(await subjects()).toEqual([])
  })

  test('and is resolved before its message was sent makes none', async () => {
    const shift = await goDark()
    await fleetWatch.look({ db, env, now: NOW + 2 * MINUTE })
    await hear(shift.truck.uid, { at: NOW + 3 * MINUTE, isDark: false })
    for (const minutes of [3, 7]) await fleetWatch.look({ db, env, now: NOW + minutes * MINUTE })
    await handle()
    expect(await subjects()).toEqual([])
    expect(await db.selectFrom('notification').select('subject').execute()).toEqual([])
  })
})

describe('trucks that go dark within a minute', () => {
  /** Raises an issue of each truck. */
  async function raise(trucks: readonly string[]) {
    const rows = trucks.map((truck_uid) => ({ truck_uid, kind: 'noPlays', raised_by: 'server', opened_at: new Date() }))
    const raised = await db.insertInto('truck_issue').values(rows).returning('uid').execute()
    await recordEvents(
      db,
      raised.map(({ uid }) => ({ type: 'issue.opened', object: `issue ${uid}`, data: { issueUid: uid } })),
    )
    await handle()
  }
  const resolve = async (trucks: readonly string[]) => {
    const over = await db
      .updateTable('truck_issue')
      .set({ status: 'resolved', resolved_at: new Date() })
      .where('truck_uid', 'in', trucks)
      .returning('uid')
      .execute()
    await recordEvents(
      db,
      over.map(({ uid }) => ({ type: 'issue.resolved', object: `issue ${uid}`, data: { issueUid: uid } })),
    )
    await handle()
  }
  const addTrucks = async (count: number) => {
    const uids = await Promise.all(Array.from({ length: count }, addTruck))
    const rows = await db.selectFrom('truck').select(['uid', 'number']).where('uid', 'in', uids).execute()
    return rows.toSorted((a, b) => Number(a.number.slice(2)) - Number(b.number.slice(2)))
  }
  const uidsOf = (trucks: readonly { uid: string }[]) => trucks.map(({ uid }) => uid)
  const bellOf = (user: string) =>
    db.selectFrom('notification').select('subject').where('user_uid', '=', user).execute()

  test('are one mail to each person with a line and a link for each, and one entry each in the console', async () => {
    const other = await world.addUser('admin')
    const trucks = await addTrucks(20)
    for (const from of [0, 7, 14]) {
      await raise(uidsOf(trucks.slice(from, from + 7)))
      await pass(20)
    }
    const mails = await send()
    const [first, second, third, fourth] = trucks.map(({ number }) => number)
    expect(mails.map(({ to }) => to).toSorted()).toEqual([people.admin.email, other.email].toSorted())
    for (const { subject, text, html } of mails) {
      expect(subject).toBe(`20 trucks log no plays: ${first}, ${second}, ${third}, ${fourth} and 16 more`)
      for (const { number } of trucks) expect(text).toContain(`- ${number}: No plays on a running shift`)
      expect(text.match(/overview\?open=/g)).toHaveLength(20)
      expect(html?.match(/overview\?open=/g)).toHaveLength(20)
    }
    expect(await bellOf(people.admin.uid)).toHaveLength(20)

    const [later] = await addTrucks(1)
    await pass(600)
    await raise([later?.uid ?? ''])
    await pass(35)
    const alone = `${later?.number}: No plays on a running shift`
    expect((await send()).map(({ subject }) => subject)).toEqual([alone, alone])

    await resolve(uidsOf(trucks))
    await pass(60)
    const resolved = `Resolved on 20 trucks (truck dark): ${first}, ${second}, ${third}, ${fourth} and 16 more`
    expect((await send()).map(({ subject }) => subject)).toEqual([resolved, resolved])
    await db.updateTable('user_account').set({ deleted_at: new Date() }).where('uid', '=', other.uid).execute()
  })

  test('leave a minute after the first at the latest; one that comes later is a mail of its own', async () => {
    const trucks = await addTrucks(4)
    const numbers = trucks.map(({ number }) => number)
    for (const uid of uidsOf(trucks).slice(0, 3)) {
      await raise([uid])
      await pass(19)
    }
    expect(await subjects()).toEqual([])
    await pass(3)
    expect(await subjects()).toEqual([`admin: 3 trucks log no plays: ${numbers[0]}, ${numbers[1]} and ${numbers[2]}`])
    await raise(uidsOf(trucks).slice(3))
    await pass(35)
    expect(await subjects()).toEqual([`admin: ${numbers[3]}: No plays on a running shift`])
  })

  test('and are resolved before the mail leaves are not in it, and make none of their own', async () => {
    const trucks = await addTrucks(3)
    await raise(uidsOf(trucks))
    await resolve(uidsOf(trucks).slice(0, 1))
    await pass(60)
    const numbers = trucks.map(({ number }) => number)
    expect(await subjects()).toEqual([`admin: 2 trucks log no plays: ${numbers[1]} and ${numbers[2]}`])
    expect(await bellOf(people.admin.uid)).toHaveLength(4)
    await resolve(uidsOf(trucks).slice(1))
    await pass(60)
    expect(await subjects()).toEqual([`admin: Resolved on 2 trucks (truck dark): ${numbers[1]} and ${numbers[2]}`])
  })

  test('and are all resolved before the mail leaves make none, which the list of messages explains', async () => {
    const trucks = await addTrucks(2)
    await raise(uidsOf(trucks))
    await resolve(uidsOf(trucks).slice(0, 1))
    const [only] = await db.selectFrom('message').select('subject').where('channel', '=', 'mail').execute()
    expect(only?.subject).toBe(`${trucks[1]?.number}: No plays on a running shift`)
    await resolve(uidsOf(trucks).slice(1))
    await pass(60)
    expect(await subjects()).toEqual([])
    expect(await db.selectFrom('message').select(['state', 'problem']).execute()).toEqual([
      { state: 'cancelled', problem: 'The issue was resolved before this was sent.' },
    ])
  })

  test('are one notification in a browser', async () => {
    const service = await TestPushService.open()
    const { subscription } = service.openBrowser()
    const endpoint = subscription.endpoint.replace(service.origin, 'https://push.example.com')
    service.close()
    expect((await call(push.subscribe, { body: { ...subscription, endpoint } })).status).toBe(200)
    const [first, second] = await addTrucks(2)
    await raise([first?.uid ?? '', second?.uid ?? ''])
    const waiting = await db.selectFrom('message').select(['uid', 'payload']).where('channel', '=', 'push').execute()
    const title = `2 trucks log no plays: ${first?.number} and ${second?.number}`
    const body = [first, second].map((truck) => `${truck?.number}: No plays on a running shift`).join('\n')
    expect(waiting.map(({ uid, payload }) => openPayload(payload as Buffer, uid))).toEqual([
      expect.objectContaining({ title, body, path: '/overview', urgency: 'high' }),
    ])
    await resolve([first?.uid ?? '', second?.uid ?? ''])
    expect(await db.selectFrom('message').select('uid').where('state', '=', 'waiting').execute()).toEqual([])
    await db.deleteFrom('push_subscription').execute()
  })

  test('repeat in one mail too, and escalate one by one', async () => {
    const trucks = await addTrucks(2)
    await raise(uidsOf(trucks))
    await pass(60)
    await subjects()
    await repeatAlerts(db, { env }, Date.now() + 31 * MINUTE)
    await pass(60)
    const names = trucks.map(({ number }) => number).join(' and ')
    expect(await subjects()).toEqual([`admin: Still open on 2 trucks (truck dark): ${names}`])
    await repeatAlerts(db, { env }, Date.now() + 61 * MINUTE)
    expect((await subjects()).toSorted()).toEqual(
      trucks.map(({ number }) => `admin: Not acknowledged: ${number}: No plays on a running shift`),
    )
  })
})

describe('an issue', () => {
  let reports = 0
  async function report(): Promise<string> {
    const truckUid = await addTruck()
    const openedAt = new Date(NOW - 26 * 3_600_000).toISOString()
    await raiseDriverIssue(db, {
      truckUid,
      shiftUid: undefined,
      kind: 'mechanical',
      eventId: `report ${++reports}`,
      text: 'Flat tire',
      photoFileUid: null,
      openedAt,
      address: '',
    })
    await handle()
    return truckUid
  }
  const setStatus = async (truck: string, status: 'open' | 'inProgress' | 'resolved') => {
    const [issue] = await issuesOf(truck)
    // The mails that the call itself would deliver are kept for the test.
    await db
      .updateTable('message')
      .set({ next_at: sql`now() + interval '1 hour'` })
      .where('state', '=', 'waiting')
      .execute()
    const answer = await call(fleet.resolve, {
      body: { uid: issue?.uid ?? '', version: issue?.version ?? 1, status, note: '' },
    })
    expect(answer.status).toBe(200)
    await db
      .updateTable('message')
      .set({ next_at: sql`now()` })
      .where('state', '=', 'waiting')
      .execute()
    await handle()
  }

  test('that is reopened makes a new pair of messages', async () => {
    const truck = await report()
    expect(await subjects()).toHaveLength(1)
    await setStatus(truck, 'resolved')
    expect((await subjects())[0]).toContain('Resolved:')
    await setStatus(truck, 'open')
    expect((await subjects())[0]).toContain('Mechanical')
    await setStatus(truck, 'resolved')
    expect((await subjects())[0]).toContain('Resolved:')
  })

  test('that a person resolves makes a second message for those who got the first', async () => {
    const truck = await report()
    await send()
    const late = await world.addUser('admin')
    await setStatus(truck, 'resolved')
    expect((await send()).map(({ to }) => to)).toEqual([people.admin.email])
    expect(await db.selectFrom('notification').select('uid').where('user_uid', '=', late.uid).execute()).toEqual([])
    await db.updateTable('user_account').set({ deleted_at: new Date() }).where('uid', '=', late.uid).execute()
  })

  test('that no one takes up repeats and escalates by the server’s time, and ends when someone does', async () => {
    const truck = await report()
    await send()
    const at = (minutes: number) => repeatAlerts(db, { env }, Date.now() + minutes * MINUTE)
    await at(1)
    expect(await subjects()).toEqual([])
    await at(31)
    await at(32)
    expect((await subjects())[0]).toContain('Still open:')
    await at(61)
    const escalated = await subjects()
    expect(escalated).toHaveLength(1)
    expect(escalated[0]).toContain('Not acknowledged:')
    await setStatus(truck, 'inProgress')
    await at(600)
    expect(await subjects()).toEqual([])
    await setStatus(truck, 'resolved')
    expect((await subjects())[0]).toContain('Resolved:')
  })

  test('escalates to the roles of the settings', async () => {
    const { version, values } = (await call(settings.get, {})).body.data
    await call(settings.update, { body: { ...values, alertEscalateTo: ['sales'], version } })
    await report()
    await send()
    await repeatAlerts(db, { env }, Date.now() + 61 * MINUTE)
    const told = await db
      .selectFrom('notification')
      .select('user_uid as uid')
      .where('kind', '=', 'alertEscalated')
      .execute()
    expect(told).toEqual([{ uid: people.sales.uid }])
  })
})

test('admins hear once of a disk that fills up, and once when it has room again', async () => {
  const GB = 1024 ** 3
  const disk = (free: number) => async () => ({ free: free * GB, total: 500 * GB, disk: 1 })
  const look = (free: number) => watchStorage(disk(free)).look({ db, env: { ...env, dataDir: '/data' }, now: NOW })
  for (const free of [15, 14, 13]) await look(free)
  await handle()
  await look(100)
  await handle()
  expect((await subjects()).map((subject) => subject.replace(/ on .*/, ''))).toEqual([
    'admin: Storage filling up',
    'admin: Storage has room again',
  ])
})

test('admins hear of a backup that failed', async () => {
  await recordEvents(db, [{ type: 'backup.failed', object: 'backup', data: { reason: 'No space left.' } }])
  await handle()
  expect(await send()).toMatchObject([{ to: people.admin.email, subject: 'Backup failed' }])
})
