import { DAY_MS, notifications } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import type { Updateable } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { DB } from '../../platform/db/schema.ts'
import { openDispatch } from './test-dispatch.ts'
import { openOutreach } from './test-outreach.ts'

const world = await openWorld()
const { call, db, people } = world
const { tell } = openOutreach(world)
const { addTruck, addShift } = await openDispatch(world)
const program = await world.addProgram({ name: 'Summer' })
const own = await world.addUser('client', ['pop'], program.client.uid)

beforeEach(() => db.deleteFrom('notification').execute())

const list = async (token: string, query = {}) => (await call(notifications.list, { query }, { token })).body
const unread = async (token: string) => (await call(notifications.unread, {}, { token })).body.data.unread

test('the bell counts what still needs its reader, and stops without being opened', async () => {
  const truckUid = await addTruck()
  const issue = await db
    .insertInto('truck_issue')
    .values({ truck_uid: truckUid, kind: 'noPlays', raised_by: 'server' })
    .returning('uid')
    .executeTakeFirstOrThrow()
  const change = (set: Updateable<DB['truck_issue']>) =>
    db.updateTable('truck_issue').set(set).where('uid', '=', issue.uid).execute()
  const counts = async () => [await unread(people.admin.token), await unread(people.sales.token)]
  await tell({ kind: 'truckDark', object: `issue ${issue.uid}` })
  expect(await counts()).toEqual([1, 1])
  await tell({ kind: 'truckDark', subject: 'Still open', object: `issue ${issue.uid}` })
  expect(await counts()).toEqual([1, 1])
  expect((await list(people.sales.token, { unread: 'only' })).data.map(({ subject }) => subject)).toEqual([
    'Still open',
  ])
  await change({ assignee_uid: people.sales.uid })
  expect(await counts()).toEqual([0, 1])
  await change({ snoozed_until: new Date(Date.now() + DAY_MS) })
  expect(await counts()).toEqual([0, 0])
  await change({ snoozed_until: new Date(Date.now() - 1), assignee_uid: null })
  expect(await counts()).toEqual([1, 1])
  await change({ status: 'resolved', resolved_at: new Date(), snoozed_until: null })
  await tell({ kind: 'truckDark', key: 'issue resolved x', object: `issue ${issue.uid}` })
  expect(await counts()).toEqual([0, 0])
  expect((await list(people.sales.token)).data.map(({ needsYou, readAt }) => [needsYou, readAt])).toEqual([
    [false, null],
    [false, null],
    [false, null],
  ])
  expect((await list(people.sales.token, { unread: 'only' })).total).toBe(0)
})

test('good news is counted for the client alone', async () => {
  await tell({ kind: 'reportReady', programUid: program.uid })
  await tell({ kind: 'proposalAccepted', programUid: program.uid })
  expect([await unread(people.admin.token), await unread(own.token)]).toEqual([0, 1])
  expect((await list(people.admin.token)).total).toBe(2)
})

test('a late shift counts until it starts, photos until none waits, and a condition while it lasts', async () => {
  const shift = await addShift(-60, 360)
  await tell({ kind: 'shiftLate', object: `shift ${shift.uid}`, shiftUid: shift.uid })
  await tell({ kind: 'shiftDeclined', object: `shift ${shift.uid}`, shiftUid: shift.uid })
  expect(await unread(people.sales.token)).toBe(2)
  const started = { status: 'out' as const, started_at: new Date() }
  await db.updateTable('shift').set(started).where('uid', '=', shift.uid).execute()
  expect(await unread(people.sales.token)).toBe(1)
  await db.updateTable('shift').set({ status: 'cancelled', reason: 'Rain' }).where('uid', '=', shift.uid).execute()
  expect(await unread(people.sales.token)).toBe(0)

  await tell({ kind: 'photoWaiting', programUid: program.uid })
  await tell({ kind: 'campaignBehind', object: `program ${program.uid}`, programUid: program.uid })
  expect(await unread(people.sales.token)).toBe(0)
  const key = `delivery.behind program ${program.uid}`
  const behind = { key, type: 'delivery.behind', raised_at: new Date() }
  await db.insertInto('watched_condition').values(behind).execute()
  expect(await unread(people.sales.token)).toBe(1)
  await db.deleteFrom('watched_condition').where('key', '=', key).execute()
  expect(await unread(people.sales.token)).toBe(0)
})
