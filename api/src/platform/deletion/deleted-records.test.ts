import {
  addresses,
  artworkSets,
  auditLog,
  modules,
  payroll,
  pops,
  programs,
  type RecordKindName,
  shifts,
  trucks,
} from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { expect, test } from 'vitest'
import { addDeletable, callsOf } from './test-deletable.ts'

const world = await openWorld()
const { call, people } = world

const entries = async (query: object) => (await call(auditLog.list, { query })).body.data

// A record that others need goes after them.
const order = [
  ['photo', 'Photo IMG_1.jpg', 'Program Summer 1'],
  ['shift', 'Shift of truck T-1 on 2026-03-02', 'Program Summer 1, driver The driver'],
  ['artworkSet', 'Artwork set Art', 'Program Summer 1'],
  ['addressSet', 'SD address set Places', 'Program Summer 1'],
  ['program', 'Program Summer 1', 'Client Acme 1'],
  ['client', 'Client Acme 1', ''],
  ['device', '02:00:00:00:00:01', ''],
  ['truck', 'Truck T-1', ''],
  ['market', 'Market Austin 1', ''],
  ['pixelMap', 'Pixel map Map 1', ''],
  ['incident', 'Incident Slow 1', ''],
  ['user', 'The driver', ''],
] as const satisfies [RecordKindName, subject: string, detail: string][]

test('the history of each deleted record is readable, and the audit log has its deletion by name', async () => {
  const added = await addDeletable(world)
  for (const [kind, subject, detail] of order) {
    const { get, remove, history } = callsOf[kind] as (typeof callsOf)['truck']
    const uid = added[kind].uid
    expect((await call(remove, { params: { uid } }, { address: '10.1.1.1' })).status, kind).toBe(200)
    if (kind !== 'device' && kind !== 'user') expect((await call(get, { params: { uid } })).status, kind).toBe(404)
    const found = await call(history, { params: { uid }, query: {} })
    expect(found.body.data?.[0], kind).toMatchObject({ action: 'deleted', by: 'The admin', address: '10.1.1.1' })
    const [entry] = await entries({ search: subject })
    expect(entry, kind).toMatchObject({
      kind: kind === 'user' ? 'userDeleted' : kind === 'device' ? 'deviceDeleted' : 'recordDeleted',
      by: { uid: people.admin.uid },
      subject,
      detail,
      address: '10.1.1.1',
      record: { kind, uid },
    })
  }
})

test('the audit log has deleted pay adjustments with amount, driver, day and note', async () => {
  const { payAdjustment } = await addDeletable(world)
  await call(payroll.removeAdjustment, { params: { uid: payAdjustment.uid } })
  expect((await entries({ kind: 'recordDeleted', search: 'Pay adjustment' }))[0]).toMatchObject({
    subject: 'Pay adjustment of -$1,234.56 for The driver',
    detail: '2026-03-02: Lost keys',
    record: { kind: 'payAdjustment', uid: payAdjustment.uid },
  })
})

test('clients read the history of what was theirs and is deleted, and no one else’s', async () => {
  const added = await addDeletable(world)
  const own = await world.addUser('client', modules, added.client.uid)
  const other = await world.addUser('client', modules, (await world.addClient()).uid)
  const theirs = [
    [shifts, added.shift.uid],
    [artworkSets, added.artworkSet.uid],
    [addresses, added.addressSet.uid],
    [programs, added.program.uid],
  ] as const
  for (const [calls, uid] of theirs) {
    expect((await call(calls.remove, { params: { uid } })).status).toBe(200)
    const read = (token: string) => call(calls.history, { params: { uid }, query: {} }, { token })
    expect((await read(own.token)).body.data[0]).toMatchObject({ action: 'deleted', by: 'Staff', address: null })
    expect((await read(other.token)).status).toBe(404)
    expect((await read(people.driver.token)).status).toBeGreaterThanOrEqual(403)
  }
})

test('users who could not read the record do not read its history after it was deleted either', async () => {
  const { truck, photo } = await addDeletable(world)
  await call(trucks.remove, { params: { uid: truck.uid } })
  await call(pops.removePhoto, { params: { uid: photo.uid } })
  for (const { token } of [people.driver, people.client]) {
    expect((await call(trucks.history, { params: { uid: truck.uid }, query: {} }, { token })).status).toBe(403)
    expect((await call(pops.photoHistory, { params: { uid: photo.uid }, query: {} }, { token })).status).toBe(403)
  }
})
