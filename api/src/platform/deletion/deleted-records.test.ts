import {
  addresses,
  artworkSets,
  auditLog,
  deletableRecords,
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
import { addDeletable } from './test-deletable.ts'

const world = await openWorld()
const { call, people } = world

const entries = async (query: object) => (await call(auditLog.list, { query })).body.data

// A record that others need goes after them.
const subjectsOf = ({ n, date, device }: Awaited<ReturnType<typeof addDeletable>>) =>
  [
    ['photo', `Photo IMG_${n}.jpg`, `Program Summer ${n}`],
    ['shift', `Shift of truck T-${n} on ${date}`, `Program Summer ${n}, driver The driver`],
    ['artworkSet', 'Artwork set Art', `Program Summer ${n}`],
    ['addressSet', 'SD address set Places', `Program Summer ${n}`],
    ['program', `Program Summer ${n}`, `Client Acme ${n}`],
    ['client', `Client Acme ${n}`, ''],
    ['device', device.macAddress, ''],
    ['truck', `Truck T-${n}`, ''],
    ['market', `Market Austin ${n}`, ''],
    ['pixelMap', `Pixel map Map ${n}`, ''],
    ['incident', `Incident Slow ${n}`, ''],
    ['user', 'The driver', ''],
  ] as const satisfies [RecordKindName, subject: string, detail: string][]

test('the history of each deleted record is readable, and the audit log has its deletion by name', async () => {
  const added = await addDeletable(world)
  for (const [kind, subject, detail] of subjectsOf(added)) {
    const { remove, history, ...calls } = deletableRecords[kind] as (typeof deletableRecords)['truck']
    const uid = added[kind].uid
    const confirmed = { params: { uid }, query: { confirmed: 'yes' } } as const
    expect((await call(remove, confirmed, { address: '10.1.1.1' })).status, kind).toBe(200)
    // The form of a deleted user opens, to restore them; devices have no form.
    const shown = kind === 'user' ? 200 : 404
    const opened = kind === 'device' ? shown : (await call(calls.get, { params: { uid } })).status
    expect(opened, kind).toBe(shown)
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
  const { payAdjustment, date } = await addDeletable(world)
  await call(payroll.removeAdjustment, { params: { uid: payAdjustment.uid } })
  expect((await entries({ kind: 'recordDeleted', search: 'Pay adjustment' }))[0]).toMatchObject({
    subject: 'Pay adjustment of -$1,234.56 for The driver',
    detail: `${date}: Lost keys`,
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
