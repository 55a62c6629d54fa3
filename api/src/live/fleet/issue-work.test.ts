import { DAY_MS, fleet, issueWork, type ModuleKey, type Shift, shifts } from '@roadshow/contract'
import { aPicture } from '@roadshow/test-kit/media'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { uploadHelpers } from '../../platform/files/test-uploads.ts'
import { fleetWatch, raiseDriverIssue } from './index.ts'
import { refusedSnooze } from './issue-work.ts'
import { countIssues } from './queries.ts'

const world = await openWorld()
const { call, db, people } = world
const { stored } = uploadHelpers(world)
const NOW = Date.now()
const HOUR = 3_600_000
const later = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()

let market = ''
let program = ''
let clientUid = ''
beforeAll(async () => {
  market = (await world.addMarket('Dallas')).uid
  await db.updateTable('market').set({ latitude: 32.78, longitude: -96.8, radius_m: 20_000, zone: 'UTC' }).execute()
  const markets = [{ marketUid: market }]
  const added = await world.addProgram({ name: 'Summer', startsOn: '2020-01-01', endsOn: '2099-12-31', markets })
  program = added.uid
  clientUid = added.client.uid
})

let numbers = 0
async function addTruck(): Promise<string> {
  const truck = { number: `T-${++numbers}`, kind: 'led', state: 'active' }
  return (await db.insertInto('truck').values(truck).returning('uid').executeTakeFirstOrThrow()).uid
}

/** A shift that has been out for an hour, in the zone UTC. */
async function addRunningShift(): Promise<Shift> {
  const [from, to] = [-2, 6].map((hours) => new Date(NOW + hours * HOUR).toISOString())
  const body = {
    truckUid: await addTruck(),
    driverUid: (await world.addUser('driver')).uid,
    programUid: program,
    marketUid: market,
    date: from?.slice(0, 10) ?? '',
    start: from?.slice(11, 16) ?? '',
    end: to?.slice(11, 16) ?? '',
  }
  const { data } = (await call(shifts.create, { body })).body
  await db
    .updateTable('shift')
    .set({ status: 'out', started_at: new Date(NOW - HOUR) })
    .where('uid', '=', data.uid)
    .execute()
  return data
}

const raise = async (truckUid: string, more: object = {}) =>
  (await call(issueWork.raise, { body: { truckUid, kind: 'screen', text: 'Rear screen is dark', ...more } })).body.data
const aPhoto = async () => (await stored(await aPicture('png'), { purpose: 'issue' })).uid
const get = async (uid: string) => (await call(fleet.issue, { params: { uid } })).body.data
const historyOf = async (uid: string, token = people.admin.token) =>
  (await call(fleet.issueHistory, { params: { uid }, query: {} }, { token })).body.data

describe('an issue that staff raises by hand', () => {
  test('belongs to the shift that its truck is out on, with driver, phone, place and photos', async () => {
    const shift = await addRunningShift()
    const driverUid = shift.driver?.uid ?? ''
    await db.updateTable('user_account').set({ phone: '214-555-0100' }).where('uid', '=', driverUid).execute()
    await sql`insert into truck_now (truck_uid, at, latitude, longitude) values (${shift.truck.uid}, now(), 32.78, -96.8)`.execute(
      db,
    )
    const photos = [await aPhoto(), await aPhoto(), await aPhoto()]
    const issue = await raise(shift.truck.uid, { photoFileUids: photos })
    expect(issue).toMatchObject({
      truck: { name: shift.truck.name },
      shift: { uid: shift.uid, program: 'Summer' },
      raisedBy: 'staff',
      status: 'open',
      driver: { uid: driverUid, phone: '214-555-0100' },
      place: { text: 'in Dallas, TX' },
      photo: { uid: photos[0] },
      assignee: null,
      comments: 0,
    })
    expect(issue.photos.map(({ uid }) => uid)).toEqual(photos)
    expect(await get(issue.uid)).toEqual(issue)
    expect((await world.app.inject(issue.photos[2]?.url ?? '')).statusCode).toBe(200)
    expect((await historyOf(issue.uid))[0]).toMatchObject({ action: 'created', by: 'The admin' })
  })

  test('needs a truck, a shift of this truck, a text and photos that are there', async () => {
    const [truckUid, shift] = [await addTruck(), await addRunningShift()]
    const body = { truckUid, kind: 'other' as const, text: 'Odd noise' }
    const refused = async (more: object) => (await call(issueWork.raise, { body: { ...body, ...more } })).error.fields
    expect(await refused({ truckUid: shift.uid })).toEqual({ truckUid: 'Truck not found.' })
    expect(await refused({ shiftUid: shift.uid })).toEqual({ shiftUid: 'This shift is not planned for the truck.' })
    expect(await refused({ text: '  ' })).toEqual({ text: 'Required.' })
    expect(await refused({ photoFileUids: [shift.uid] })).toEqual({
      photoFileUids: 'File not found. Please upload it again.',
    })
    expect(await refused({ kind: 'noGps' })).toHaveProperty('kind')
    const photo = await aPhoto()
    const comment = { text: 'See this', photoFileUids: [photo] }
    const { uid } = await raise(truckUid)
    expect((await call(issueWork.comment, { params: { uid }, body: comment })).status).toBe(200)
    expect((await call(issueWork.comment, { params: { uid }, body: comment })).error.code).toBe('fileUsed')
  })

  test('is raised, assigned and snoozed by those who may change issues only', async () => {
    const truckUid = await addTruck()
    const { uid, version } = await raise(truckUid)
    for (const { token } of [people.sales, people.driver, people.client]) {
      const body = { truckUid, kind: 'other' as const, text: 'No' }
      expect((await call(issueWork.raise, { body }, { token })).status).toBe(403)
      expect((await call(issueWork.assign, { body: { uid, version, assigneeUid: null } }, { token })).status).toBe(403)
      expect((await call(issueWork.snooze, { body: { uid, version, until: null } }, { token })).status).toBe(403)
      expect((await call(issueWork.assignees, { query: {} }, { token })).status).toBe(403)
      expect((await call(issueWork.trucks, { query: {} }, { token })).status).toBe(403)
    }
  })
})

describe('assigning an issue', () => {
  const assign = (issue: { uid: string; version: number }, assigneeUid: string | null) =>
    call(issueWork.assign, { body: { uid: issue.uid, version: issue.version, assigneeUid } })

  test('offers and accepts only users who may see issues', async () => {
    const issue = await raise(await addTruck())
    const blind = await world.addUser('sales', ['clients'])
    const offered = (await call(issueWork.assignees, { query: { pageSize: '200' } })).body.data.map(({ uid }) => uid)
    expect(offered).toEqual(expect.arrayContaining([people.admin.uid, people.sales.uid]))
    for (const { uid } of [blind, people.driver, people.client]) {
      expect(offered).not.toContain(uid)
      expect((await assign(issue, uid)).error.fields).toEqual({ assigneeUid: 'Choose a user who may see issues.' })
    }
    const write = db.updateTable('truck_issue').set({ assignee_uid: blind.uid }).where('uid', '=', issue.uid)
    await expect(write.execute()).rejects.toThrow('Only a user who may see issues')
  })

  test('goes to one of two who try at once, and the other is refused with a sentence', async () => {
    const issue = await raise(await addTruck())
    const answers = await Promise.all([people.sales.uid, people.admin.uid].map((uid) => assign(issue, uid)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    const winner = answers.find(({ status }) => status === 200)
    expect((await get(issue.uid)).assignee).toEqual(winner?.body.data.assignee)
  })

  test('stands in the history, filters the list, and makes no event for oneself or for no change', async () => {
    const issue = await raise(await addTruck())
    const events = async () =>
      (await sql<{ type: string }>`select type from outbound_event where object = ${`issue ${issue.uid}`}`.execute(db))
        .rows.length
    const before = await events()
    const mine = (await assign(issue, people.admin.uid)).body.data
    expect((await assign(mine, people.admin.uid)).body.data.version).toBe(mine.version)
    expect(await events()).toBe(before)
    expect((await historyOf(issue.uid))[0]?.fields).toEqual([{ field: 'assignee', old: null, new: 'The admin' }])
    const listed = async (assignee: string, token = people.admin.token) =>
      (await call(fleet.issues, { query: { assignee, pageSize: '200' } }, { token })).body.data.map(({ uid }) => uid)
    expect(await listed('me')).toContain(issue.uid)
    expect(await listed(people.admin.uid)).toContain(issue.uid)
    expect(await listed('none')).not.toContain(issue.uid)
    expect(await listed('me', people.sales.token)).not.toContain(issue.uid)
    await assign(mine, people.sales.uid)
    expect(await listed('me', people.sales.token)).toContain(issue.uid)
  })

  test('ends when the user may not see issues any more; a reopened issue does not bring it back', async () => {
    const leaving = await world.addUser('sales')
    const [open, resolved] = [await raise(await addTruck()), await raise(await addTruck())]
    const taken = (await assign(resolved, leaving.uid)).body.data
    await assign(open, leaving.uid)
    const done = { uid: resolved.uid, version: taken.version, status: 'resolved' as const, note: '' }
    const { version } = (await call(fleet.resolve, { body: done })).body.data
    await sql`update user_account set modules = ${['clients'] satisfies ModuleKey[]}, changed_by = ${people.admin.uid}
      where uid = ${leaving.uid}`.execute(db)
    expect((await get(open.uid)).assignee).toBeNull()
    expect((await get(resolved.uid)).assignee?.uid).toBe(leaving.uid)
    const reopened = await call(fleet.resolve, { body: { ...done, version, status: 'open' } })
    expect(reopened.body.data.assignee).toBeNull()
  })

  test('of a resolved issue is refused', async () => {
    const issue = await raise(await addTruck())
    const body = { uid: issue.uid, version: issue.version, status: 'resolved' as const, note: '' }
    const { version } = (await call(fleet.resolve, { body })).body.data
    const answer = await assign({ uid: issue.uid, version }, people.sales.uid)
    expect(answer.error.fields).toEqual({ assigneeUid: 'This issue is resolved. Reopen it first.' })
  })
})

describe('snoozing an issue', () => {
  const snooze = (issue: { uid: string; version: number }, until: string | null) =>
    call(issueWork.snooze, { body: { uid: issue.uid, version: issue.version, until } })
  const counts = (at: number) => countIssues(db, undefined, at)
  const listed = async (snoozed: 'yes' | 'no') =>
    (await call(fleet.issues, { query: { snoozed, pageSize: '200' } })).body.data.map(({ uid }) => uid)

  test('takes it out of what needs attention until its time, counted apart', async () => {
    const issue = await raise(await addTruck())
    const before = await counts(Date.now())
    const snoozed = (await snooze(issue, later(2))).body.data
    expect(snoozed.snoozedUntil).not.toBeNull()
    expect(await counts(Date.now())).toEqual({ open: before.open - 1, snoozed: before.snoozed + 1 })
    expect(await counts(Date.now() + 3 * HOUR)).toEqual({ open: before.open + before.snoozed, snoozed: 0 })
    expect([await listed('yes'), await listed('no')]).toEqual([
      expect.arrayContaining([issue.uid]),
      expect.not.arrayContaining([issue.uid]),
    ])
    await sql`update truck_issue set snoozed_until = now() - interval '1 second' where uid = ${issue.uid}`.execute(db)
    expect((await get(issue.uid)).snoozedUntil).toBeNull()
    expect(await listed('no')).toContain(issue.uid)
  })

  test('is refused for the past, for too long, and for what is resolved', async () => {
    expect(refusedSnooze(NOW, NOW, 30)).toBe('Choose a time in the future.')
    expect(refusedSnooze(NOW + 30 * DAY_MS, NOW, 30)).toBeUndefined()
    expect(refusedSnooze(NOW + 30 * DAY_MS + 1, NOW, 30)).toBe('At most 30 days from now.')
    const issue = await raise(await addTruck())
    expect((await snooze(issue, later(-1))).error.fields).toEqual({ until: 'Choose a time in the future.' })
    expect((await snooze({ ...issue, version: 7 }, later(1))).error.code).toBe('staleVersion')
    const snoozed = (await snooze(issue, later(1))).body.data
    const body = { uid: issue.uid, version: snoozed.version, status: 'resolved' as const, note: '' }
    const done = (await call(fleet.resolve, { body })).body.data
    expect(done.snoozedUntil).toBeNull()
    expect((await snooze(done, later(1))).error.fields).toEqual({ until: 'This issue is resolved. Reopen it first.' })
  })

  test('ends when a driver reports the same again, once', async () => {
    const truckUid = await addTruck()
    const issue = await raise(truckUid)
    await snooze(issue, later(5))
    const report = {
      truckUid,
      shiftUid: undefined,
      kind: 'screen',
      eventId: `again ${truckUid}`,
      text: 'Dark again',
      photoFileUid: null,
      openedAt: new Date().toISOString(),
      address: '',
    }
    expect([await raiseDriverIssue(db, report), await raiseDriverIssue(db, report)]).toEqual([
      expect.any(String),
      undefined,
    ])
    const { data } = (await call(fleet.issues, { query: { truck: truckUid } })).body
    expect(data.map(({ snoozedUntil }) => snoozedUntil)).toEqual([null, null])
  })

  test('does not keep an alert from resolving by itself, and its return is a new issue', async () => {
    const { truck } = await addRunningShift()
    const hear = (at: number) =>
      sql`insert into truck_now (truck_uid, at, latitude, longitude, played_at, player_seen_at)
          values (${truck.uid}, ${new Date(at)}, 32.78, -96.8, ${new Date(at)}, ${new Date(at)})
          on conflict (truck_uid) do update set at = excluded.at, played_at = excluded.played_at,
            player_seen_at = excluded.player_seen_at`.execute(db)
    const minutes = (count: number) => NOW + count * 60_000
    const open = async () => (await call(fleet.issues, { query: { truck: truck.uid, kind: 'noGps' } })).body.data
    for (const at of [0, 2]) await fleetWatch.look({ db, env: {}, now: minutes(at) })
    const [alert] = await open()
    if (!alert) throw new Error('No alert was raised.')
    await snooze(alert, later(24))
    await hear(minutes(3))
    for (const at of [3, 7]) await fleetWatch.look({ db, env: {}, now: minutes(at) })
    expect(await get(alert.uid)).toMatchObject({ status: 'resolved', snoozedUntil: null })
    for (const at of [60, 62]) await fleetWatch.look({ db, env: {}, now: minutes(at) })
    expect((await open()).map(({ uid, snoozedUntil }) => [uid === alert.uid, snoozedUntil])).toEqual([[false, null]])
  })
})

describe('comments on an issue', () => {
  test('have author, time and photos, are for staff, and stand in the history', async () => {
    const shift = await addRunningShift()
    const { uid } = await raise(shift.truck.uid)
    const photo = await aPhoto()
    const write = (text: string, token: string, photoFileUids: string[] = []) =>
      call(issueWork.comment, { params: { uid }, body: { text, photoFileUids } }, { token })
    const first = await write('Shop opens at 7\nAsk for Pat', people.sales.token, [photo])
    expect(first.body.data).toMatchObject({ by: { uid: people.sales.uid }, text: 'Shop opens at 7\nAsk for Pat' })
    await write('Done', people.admin.token)
    const { data } = (await call(issueWork.comments, { params: { uid } }, { token: people.sales.token })).body
    expect(data.map(({ text, photos }) => [text.slice(0, 4), photos.map(({ uid }) => uid)])).toEqual([
      ['Shop', [photo]],
      ['Done', []],
    ])
    expect(data[0]).toEqual(first.body.data)
    expect(await get(uid)).toMatchObject({ comments: 2, photos: [], version: 1 })
    expect((await historyOf(uid))[0]).toMatchObject({ by: 'The admin', fields: [{ field: 'comment', new: 'Done' }] })
    expect((await write('', people.admin.token)).error.fields).toEqual({ text: 'Required.' })
    for (const { token } of [people.driver, people.client]) {
      expect((await write('No', token)).status).toBe(403)
      expect((await call(issueWork.comments, { params: { uid } }, { token })).status).toBe(403)
    }
  })

  test('assignees, snoozes, drivers and places of issues never reach a client', async () => {
    const shift = await addRunningShift()
    const raised = await raise(shift.truck.uid)
    const assigned = (
      await call(issueWork.assign, { body: { uid: raised.uid, version: 1, assigneeUid: people.sales.uid } })
    ).body.data
    await call(issueWork.snooze, { body: { uid: raised.uid, version: assigned.version, until: later(1) } })
    await call(issueWork.comment, { params: { uid: raised.uid }, body: { text: 'Between us' } })
    const { token } = await world.addUser('client', ['overview'], clientUid)
    const seen = (await call(fleet.issue, { params: { uid: raised.uid } }, { token })).body.data
    expect(seen).toMatchObject({
      text: 'Rear screen is dark',
      assignee: null,
      snoozedUntil: null,
      driver: null,
      place: null,
      comments: 0,
    })
    expect((await historyOf(raised.uid, token)).map(({ action }) => action)).toEqual(['created'])
    expect((await call(issueWork.comments, { params: { uid: raised.uid } }, { token })).status).toBe(403)
    const listed = async (query: object) => (await call(fleet.issues, { query }, { token })).body.total
    const all = await listed({})
    expect(all).toBeGreaterThan(0)
    expect([await listed({ snoozed: 'yes' }), await listed({ assignee: people.sales.uid })]).toEqual([0, 0])
    const figures = (await call(fleet.figures, {}, { token })).body.data
    expect([figures.openIssues, figures.snoozedIssues]).toEqual([all, 0])
    const other = await world.addUser('client', ['overview'], (await world.addProgram({ name: 'Winter' })).client.uid)
    expect((await call(fleet.issue, { params: { uid: raised.uid } }, { token: other.token })).status).toBe(404)
  })
})
