import { daySheet, shifts } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { openTestPlan } from './test-plan.ts'

const world = await openWorld()
const { call, db } = world
const plan = await openTestPlan(world)
const sheet = async (query: { date: string; market?: string; driver?: string }, token?: string) =>
  call(daySheet.get, { query }, token ? { token } : {})

test('a day has its shifts by market and time, with yard, stops, phone and contacts, without canceled ones', async () => {
  const depots = JSON.stringify([{ name: 'Yard North', latitude: 32.7, longitude: -96.8, radiusM: 300 }])
  await db.updateTable('market').set({ depots }).where('uid', '=', plan.market).execute()
  const stop = { name: 'Stadium', latitude: 32.7, longitude: -96.8, radiusM: 402, from: '09:00', to: '10:00' }
  const shift = await plan.plan({ start: '08:00', end: '16:00', stops: [stop], note: 'Bring flags' })
  const contacts = JSON.stringify([
    { name: 'Kim Buyer', title: 'Marketing', email: '', phone: '+13125550199' },
    { name: 'No Phone', title: '', email: 'x@example.com', phone: '' },
  ])
  await db.updateTable('client').set({ contacts }).where('uid', '=', shift.client.uid).execute()
  await db
    .updateTable('user_account')
    .set({ phone: '+13125550123' })
    .where('uid', '=', shift.driver?.uid ?? '')
    .execute()
  const driverUid = await plan.addDriver()
  const late = await plan.plan({ truckUid: await plan.addTruck(), driverUid, start: '18:00', end: '22:00' })
  const dropped = await plan.plan({ truckUid: await plan.addTruck(), driverUid: await plan.addDriver() })
  await call(shifts.move, { body: { uid: dropped.uid, version: dropped.version, status: 'cancelled', reason: 'Rain' } })
  const { body } = await sheet({ date: shift.date })
  expect(body.data.map(({ uid }) => uid)).toEqual([shift.uid, late.uid])
  expect(body.data[0]).toMatchObject({
    start: '08:00',
    yard: 'Yard North',
    note: 'Bring flags',
    driver: { phone: '+13125550123' },
    stops: [{ name: 'Stadium', from: '09:00', to: '10:00' }],
    contacts: [{ name: 'Kim Buyer', title: 'Marketing', phone: '+13125550199' }],
  })
  expect((await sheet({ date: shift.date, market: plan.elsewhere })).body.data).toEqual([])
  expect((await sheet({ date: shift.date, driver: driverUid })).body.data.map(({ uid }) => uid)).toEqual([late.uid])
  expect((await sheet({ date: 'soon' })).status).toBe(400)
})

test('the sheet of a day is for the office: not for drivers and clients', async () => {
  const driver = await world.addUser('driver')
  const client = await world.addUser('client', ['clients'], (await world.addClient()).uid)
  for (const { token } of [driver, client]) expect((await sheet({ date: '2026-11-19' }, token)).status).toBe(403)
  expect((await sheet({ date: '2026-11-19' }, world.people.sales.token)).status).toBe(200)
})
