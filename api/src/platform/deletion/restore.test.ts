import {
  addDays,
  artworkSets,
  auditLog,
  clients,
  deletableRecords,
  devices,
  markets,
  payroll,
  programs,
  shifts,
  trucks,
} from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { describe, expect, test } from 'vitest'
import { addDeletable } from './test-deletable.ts'

const world = await openWorld()
const { call, db, people } = world

type Calls = Pick<typeof trucks, 'remove' | 'restore' | 'get' | 'history'>
type Uid = { uid: string }

const remove = (calls: object, { uid }: Uid) =>
  call((calls as Calls).remove, { params: { uid }, query: { confirmed: 'yes' } })
const restore = (calls: object, { uid }: Uid, token = people.admin.token) =>
  call((calls as Calls).restore, { params: { uid } }, { token })
const refusal = async (calls: object, record: Uid) => {
  const { status, error } = await restore(calls, record)
  return [status, error.error]
}
const { photo: photoCalls } = deletableRecords

describe('a deleted record', () => {
  test('comes back as it was, with both in its history and in the audit log', async () => {
    const added = await addDeletable(world)
    const { user: _user, device: _device, payAdjustment: _adjustment, ...rest } = added
    const kinds = ['artworkSet', 'addressSet', 'shift', 'pixelMap', 'incident', 'market', 'program', 'truck'] as const
    for (const kind of kinds) {
      const calls = deletableRecords[kind] as unknown as Calls
      const record = rest[kind]
      const before = (await call(calls.get, { params: { uid: record.uid } })).body.data
      expect((await remove(calls, record)).status, kind).toBe(200)
      expect((await restore(calls, record)).status, kind).toBe(200)
      const after = (await call(calls.get, { params: { uid: record.uid } })).body.data
      const { version, updatedAt } = after
      expect(after, kind).toEqual({ ...before, version, updatedAt })
      const { data } = (await call(calls.history, { params: { uid: record.uid }, query: {} })).body
      expect(data.map(({ action }) => action).slice(0, 2), kind).toEqual(['restored', 'deleted'])
      // A second time changes nothing.
      expect((await restore(calls, record)).status, kind).toBe(200)
    }
    const query = { kind: 'recordRestored', sort: 'at', pageSize: '200' } as const
    const uids = new Set<string | undefined>(kinds.map((kind) => rest[kind].uid))
    const restored = (await call(auditLog.list, { query })).body.data
    expect(restored.flatMap(({ record }) => (uids.has(record?.uid) ? record?.kind : []))).toEqual(kinds)
  })

  test('is restored by those who may delete it', async () => {
    const { truck, program, shift } = await addDeletable(world)
    for (const [calls, record] of [
      [shifts, shift],
      [programs, program],
      [trucks, truck],
    ] as const) {
      await remove(calls, record)
      for (const { token } of [people.driver, people.client]) {
        expect((await restore(calls, record, token)).status).toBe(403)
      }
      expect((await restore(calls, { uid: '00000000-0000-4000-8000-000000000000' })).status).toBe(404)
    }
  })

  test('whose name is taken meanwhile is not restored', async () => {
    const { truck, market, client } = await addDeletable(world)
    await remove(trucks, truck)
    const body = { number: truck.number, plate: '', kind: 'led', state: 'active' } as const
    await call(trucks.create, { body })
    expect(await refusal(trucks, truck)).toEqual([409, 'Another truck already has this number.'])
    await remove(markets, market)
    await world.addMarket(market.name)
    expect(await refusal(markets, market)).toEqual([409, 'This state already has a market with this name.'])
    expect((await restore(clients, client)).status).toBe(200)
  })

  test('that needs a deleted record is not restored before that is', async () => {
    const { artworkSet, photo, program, shift } = await addDeletable(world)
    await remove(artworkSets, artworkSet)
    await remove(photoCalls, photo)
    await remove(shifts, shift)
    await remove(programs, program)
    const why = "This can't be restored. Its program was deleted. Restore that first."
    expect(await refusal(artworkSets, artworkSet)).toEqual([409, why])
    expect(await refusal(photoCalls, photo)).toEqual([409, why])
    expect(await refusal(shifts, shift)).toEqual([409, why])
    expect((await restore(artworkSets, artworkSet)).error.inTheWay).toEqual([
      {
        kind: 'deletedRecord',
        name: expect.any(String),
        screen: null,
        act: { kind: 'restore', record: 'program', uid: program.uid },
      },
    ])
    expect((await restore(programs, program)).status).toBe(200)
    for (const [calls, record] of [
      [artworkSets, artworkSet],
      [photoCalls, photo],
      [shifts, shift],
    ] as const) {
      expect((await restore(calls, record)).status).toBe(200)
    }
  })
})

test('a shift is not restored where its truck has another one by now', async () => {
  const { planned, shift, truck } = await addDeletable(world)
  await remove(shifts, shift)
  const { driverUid: _driver, ...place } = planned
  const other = await world.addUser('driver')
  await call(shifts.create, { body: { ...place, driverUid: other.uid } })
  const [status, text] = await refusal(shifts, shift)
  expect(status).toBe(409)
  expect(text).toContain(`This can't be restored. The truck has another shift at that time: ${truck.number}`)
})

test('a truck takes the devices with it that went with it, with their keys, and no others', async () => {
  const { truck, device } = await addDeletable(world)
  const body = { truckUid: truck.uid, kind: 'player' } as const
  const earlier = (await call(devices.create, { body: { ...body, macAddress: '02:00:00:00:01:01' } })).body.data
  const taken = (await call(devices.create, { body: { ...body, macAddress: '02:00:00:00:01:02' } })).body.data
  await db
    .updateTable('device')
    .set({ key_hash: Buffer.from('key') })
    .where('uid', '=', device.uid)
    .execute()
  await remove(devices, earlier)
  await remove(trucks, truck)
  const newTruck = (await call(trucks.create, { body: { number: 'N-1', plate: '', kind: 'led', state: 'active' } }))
    .body
  const again = { ...body, truckUid: newTruck.data.uid, macAddress: taken.macAddress }
  expect((await call(devices.create, { body: again })).status).toBe(200)
  expect((await restore(trucks, truck)).status).toBe(200)
  const { data } = (await call(devices.list, { query: { truck: truck.uid } })).body
  expect(data.map(({ uid, state }) => [uid, state])).toEqual([[device.uid, 'paired']])
  expect(await refusal(devices, taken)).toEqual([409, 'Another device already has this MAC address.'])
})

test('a photo whose pictures are no longer kept is not restored', async () => {
  const { photo } = await addDeletable(world)
  await remove(photoCalls, photo)
  await db.updateTable('pop_photo').set({ pictures: 'removed' }).where('uid', '=', photo.uid).execute()
  const why = "This can't be restored. Its pictures are no longer kept."
  expect(await refusal(photoCalls, photo)).toEqual([409, why])
})

test('the office sees deleted pay adjustments with who deleted them, and restores them while pay is open', async () => {
  const { payAdjustment, user: driver, date } = await addDeletable(world)
  const calls = { remove: payroll.removeAdjustment, restore: payroll.restoreAdjustment }
  const days = { from: date, to: addDays(date, 6) }
  const query = { ...days, driver: driver.uid }
  const statement = async (token = people.admin.token) =>
    (await call(payroll.statement, { query }, { token })).body.data
  await remove(calls, payAdjustment)
  const gone = await statement()
  expect(gone.adjustments).toEqual([])
  expect(gone.deletedAdjustments).toMatchObject([
    { uid: payAdjustment.uid, cents: -123_456, note: 'Lost keys', by: 'The admin', deletedBy: 'The admin' },
  ])
  expect((await statement(driver.token)).deletedAdjustments).toEqual([])
  expect((await restore(calls, payAdjustment)).status).toBe(200)
  expect((await statement()).adjustments).toHaveLength(1)
  expect((await statement()).deletedAdjustments).toEqual([])

  await remove(calls, payAdjustment)
  const { cents } = (await call(payroll.list, { query: days })).body.totals
  const { data: period } = (await call(payroll.approve, { body: { ...days, cents } })).body
  await call(payroll.move, { body: { uid: period.uid, version: period.version, state: 'locked', reason: '' } })
  expect((await restore(calls, payAdjustment)).error.code).toBe('payPeriodClosed')
})

test('partners are told that programs and approved photos go and come back', async () => {
  const { program, photo, shift } = await addDeletable(world)
  await remove(photoCalls, photo)
  await restore(photoCalls, photo)
  await remove(shifts, shift)
  await restore(shifts, shift)
  await remove(programs, program)
  await restore(programs, program)
  const events = await db
    .selectFrom('outbound_event')
    .select(['type', 'client_uid', 'data'])
    .where('object', 'in', [`photo ${photo.uid}`, `program ${program.uid}`, `shift ${shift.uid}`])
    .orderBy('place')
    .execute()
  const told = events.map(({ type, data }) => [type, (data as { change?: string }).change])
  expect(told).toEqual([
    ['shift.changed', 'added'],
    ['photo.deleted', undefined],
    ['photo.restored', undefined],
    ['shift.changed', 'removed'],
    ['shift.changed', 'added'],
    ['program.deleted', undefined],
    ['program.restored', undefined],
  ])
  expect(new Set(events.map((event) => event.client_uid))).toEqual(new Set([program.client.uid]))
})
