import { addDays, changes, formatDay, localDay, programs, trucks } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { openTestPlan } from '../../planning/shifts/test-plan.ts'

const world = await openWorld()
const { call, db, people } = world
const plan = await openTestPlan(world)
const today = localDay('UTC')
const feed = async (query: object, token?: string) =>
  call(changes.list, { query: { timeZone: 'UTC', ...query } }, token ? { token } : {})

test('who changed which record when: by day, kind, record and person, newest first', async () => {
  const shift = await plan.plan()
  const other = await plan.plan({ date: addDays(shift.date, 1) })
  const { body } = await feed({ kind: 'shift' })
  expect(body.data.slice(0, 2).map(({ record, action, kind }) => [record.uid, action, kind])).toEqual([
    [other.uid, 'created', 'shift'],
    [shift.uid, 'created', 'shift'],
  ])
  expect(body.data[1]?.record.name).toContain(`, ${formatDay(shift.date)}`)
  expect(body.data[1]?.byUid).toBe(people.admin.uid)
  const fields = new Map(body.data[1]?.fields.map(({ field, new: value }) => [field, value]))
  expect(fields.get('truck')).toBe(shift.truck.name)
  const one = await feed({ record: shift.uid })
  expect(one.body.data.map(({ record }) => record.uid)).toEqual([shift.uid])
  expect((await feed({ by: people.sales.uid, record: shift.uid })).body.total).toBe(0)
  expect((await feed({ from: '2020-01-01', to: '2020-01-02' })).body.total).toBe(0)
  expect((await feed({ from: today, to: today, kind: 'shift' })).body.total).toBe(body.total)
  const wrong = await feed({ from: '2026-03-01', to: '2026-01-01' })
  expect([wrong.status, Object.keys(wrong.error.fields ?? {})]).toEqual([400, ['to']])
  expect((await feed({ from: '2026-01-01', to: '2026-12-31' })).status).toBe(400)
})

test('each reader finds the kinds whose history is open to them, and drivers and clients nothing', async () => {
  const { body } = await call(trucks.list, { query: {} })
  const truck = body.data[0]
  expect(truck).toBeDefined()
  await db
    .updateTable('truck')
    .set({ plate: 'NEW 1' })
    .where('uid', '=', truck?.uid ?? '')
    .execute()
  await call(programs.list, { query: {} })
  const kindsOf = async (token: string) =>
    new Set((await feed({ pageSize: '200' }, token)).body.data.map(({ kind }) => kind))
  const office = await kindsOf(people.admin.token)
  expect([office.has('shift'), office.has('truck'), office.has('user')]).toEqual([true, true, true])
  const dispatcher = await world.addUser('sales', ['schedule'])
  const theirs = await kindsOf(dispatcher.token)
  expect([theirs.has('shift'), theirs.has('user'), theirs.has('truck')]).toEqual([true, false, false])
  expect((await feed({ kind: 'user' }, dispatcher.token)).body.total).toBe(0)
  for (const role of ['driver', 'client'] as const) {
    const client = role === 'client' ? (await world.addClient()).uid : undefined
    const outsider = await world.addUser(role, ['schedule', 'pop', 'clients'], client)
    expect((await feed({}, outsider.token)).status).toBe(403)
  }
})
