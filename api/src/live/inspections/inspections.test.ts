import { driverApp, driverProfile, fleet, inspectionItems, inspections } from '@roadshow/contract'
import { sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { foreignFigures } from '@roadshow/test-kit/written-figures'
import { openWorld } from '@roadshow/test-kit/world'
import type { Scope } from '../../platform/db/records/scope.ts'
import { storeUploadedPicture } from '../../platform/files/index.ts'
import { textOfPdf } from '../../proof/pop/pdf/test-pdf-text.ts'
import { openPhones } from '../driver-app/test-phone.ts'

const world = await openWorld()
const { call, db, people } = world
const phones = await openPhones(world)
const { driver, shift } = await phones.addDriving()
const other = await phones.addDriving()

const list = (await call(inspectionItems.list, { query: { pageSize: '50' } })).body.data
const named = (name: string) => list.find((item) => item.name === name)
const everything = (result: 'ok' | 'defect' = 'ok') =>
  list.filter(({ isActive }) => isActive).map(({ uid }) => ({ itemUid: uid, result }))

let shade = 0
const picture = () =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: { r: ++shade, g: 90, b: 120 } } })
    .jpeg()
    .toBuffer()

async function uploaded({ uid } = driver): Promise<string> {
  const scope = { rows: 'own', actor: { uid, role: 'driver', modules: [], address: '::1' } } as unknown as Scope
  const given = { purpose: 'issue', name: 'tire.jpg', content: await picture() } as const
  return (await storeUploadedPicture(world.app, scope, given)).uid
}

const signed = { signedBy: 'Dana Brooks' }
const place = { latitude: 29.76, longitude: -95.37, accuracyM: 9 }
const all = async (token = people.admin.token, query = {}) => (await call(inspections.list, { query }, { token })).body

describe('an inspection from a driver’s phone', () => {
  test('is stored once with a truck issue for each defect, its photo and its true times', async () => {
    const photoFileUid = await uploaded()
    const items = [
      { itemUid: named('Tires')?.uid ?? '', result: 'defect' as const, note: 'Left rear is bald', photoFileUid },
      { itemUid: named('Screens')?.uid ?? '', result: 'defect' as const, note: '' },
      { itemUid: named('Brakes')?.uid ?? '', result: 'ok' as const },
    ]
    const act = { ...phones.act('inspection', shift.uid, 90, { items, ...signed }), place }
    expect(await phones.results(driver, [act, act])).toEqual(['accepted', 'duplicate'])
    const { data, total } = await all(undefined, { truck: shift.truck.uid })
    expect(total).toBe(1)
    expect(data[0]).toMatchObject({
      defects: 2,
      openDefects: 2,
      isLate: true,
      phoneAt: null,
      signedBy: 'Dana Brooks',
      place,
    })
    const one = (await call(inspections.get, { params: { uid: data[0]?.uid ?? '' } })).body.data
    expect(one.lines.map(({ name, result }) => `${name} ${result}`)).toEqual([
      'Tires defect',
      'Screens defect',
      'Brakes ok',
    ])
    expect(one.lines[0]?.photo?.url).toMatch(/signature=/)
    const issues = (await call(fleet.issues, { query: { truck: shift.truck.uid, sort: 'openedAt' } })).body.data
    expect(issues.map(({ kind, text }) => `${kind}: ${text}`).toSorted()).toEqual([
      'mechanical: Inspection: Tires: Left rear is bald',
      'screen: Inspection: Screens',
    ])
    const day = (await call(driverApp.day, {}, { token: driver.token })).body.data
    expect(day.shifts.find(({ uid }) => uid === shift.uid)?.inspection).toMatchObject({ uid: one.uid, defects: 2 })
    expect(day.inspectionItems.map(({ nameEs }) => nameEs).slice(0, 2)).toEqual(['Llantas', 'Ruedas y rines'])
    expect(day.inspectionItems.map(({ name }) => name)).not.toContain('Coupling devices')
    // Brakes are on every truck; a printed one has no screens.
    const some = day.inspectionItems.filter(({ isOnEveryTruck }) => !isOnEveryTruck).map(({ name }) => name)
    expect(some).toEqual(['Generator and fuel', 'Screens'])
  })

  test('by a clock that is an hour wrong has its true time and keeps the phone’s', async () => {
    const hour = 3_600_000
    const { driver: late, shift: its } = await phones.addDriving()
    const act = { ...phones.act('inspection', its.uid, 20, { items: everything(), ...signed }) }
    const wrong = { ...act, at: new Date(Date.parse(act.at) + hour).toISOString() }
    expect(await phones.results(late, [wrong], new Date(Date.now() + hour).toISOString())).toEqual(['accepted'])
    const [found] = (await all(undefined, { shift: its.uid })).data
    expect(Math.abs(Date.parse(found?.at ?? '') - Date.parse(act.at))).toBeLessThan(30_000)
    expect(found).toMatchObject({ phoneAt: expect.stringContaining(wrong.at.slice(0, 19)), defects: 0 })
  })

  test('is refused whole where an item, a picture or the shift is not the driver’s', async () => {
    const before = (await all()).total
    const act = (items: object[], shiftUid = shift.uid) =>
      phones.act('inspection', shiftUid, 30, { items, ...signed } as never)
    const [first] = everything()
    const foreign = await uploaded(other.driver)
    expect(
      await phones.results(driver, [
        act([{ itemUid: shift.uid, result: 'ok' }]),
        act([{ ...first, photoFileUid: shift.uid }]),
        act([{ ...first, photoFileUid: foreign }]),
        act([first ?? {}, first ?? {}]),
        act(everything(), other.shift.uid),
        act([]),
      ]),
    ).toEqual([
      'rejected itemMissing',
      'rejected fileMissing',
      'rejected fileMissing',
      'rejected invalid',
      'rejected shiftOfAnother',
      'rejected invalid',
    ])
    expect((await all()).total).toBe(before)
  })

  test('is seen by its driver and by staff with trucks, by no other driver and no client', async () => {
    const { uid } = (await all(undefined, { truck: shift.truck.uid })).data[0] ?? { uid: '' }
    const own = (token: string) => call(inspections.ownList, { query: {} }, { token })
    expect((await own(driver.token)).body.data.map((each) => each.uid)).toContain(uid)
    expect((await own(other.driver.token)).body.total).toBe(0)
    for (const endpoint of [inspections.own, inspections.ownPdf]) {
      expect((await call(endpoint, { params: { uid } }, { token: other.driver.token })).status).toBe(404)
      expect((await call(endpoint, { params: { uid } }, { token: people.client.token })).status).toBe(403)
    }
    expect((await call(inspections.own, { params: { uid } }, { token: driver.token })).body.data.lines).toHaveLength(3)
    for (const { token } of [driver, people.client]) {
      expect((await call(inspections.get, { params: { uid } }, { token })).status).toBe(403)
      const body = { uid, itemUid: uid, outcome: 'repaired' } as const
      expect((await call(inspections.certify, { body }, { token })).status).toBe(403)
    }
  })
})

describe('a repair', () => {
  test('is certified once, resolves the issue, and stands in the report', async () => {
    const { uid } = (await all(undefined, { truck: shift.truck.uid })).data[0] ?? { uid: '' }
    const itemUid = named('Tires')?.uid ?? ''
    const body = { uid, itemUid, outcome: 'repaired', note: 'New tire' } as const
    const done = await call(inspections.certify, { body })
    expect(done.body.data).toMatchObject({ openDefects: 1 })
    expect(done.body.data.lines[0]).toMatchObject({
      issue: { status: 'resolved' },
      repair: { outcome: 'repaired', note: 'New tire', by: expect.any(String) },
    })
    expect(Math.abs(Date.parse(done.body.data.lines[0]?.repair?.at ?? '') - Date.now())).toBeLessThan(60_000)
    expect((await call(inspections.certify, { body })).status).toBe(409)
    const fine = { ...body, itemUid: named('Brakes')?.uid ?? '' }
    expect((await call(inspections.certify, { body: fine })).status).toBe(400)
    expect((await all(undefined, { open: 'true', truck: shift.truck.uid })).total).toBe(1)
    const pdf = await world.app.inject({
      url: `/api/v1/${inspections.pdf.path.replace('{uid}', uid)}`,
      headers: { authorization: `Bearer ${people.admin.token}` },
    })
    expect([pdf.statusCode, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    expect(foreignFigures(textOfPdf(pdf.rawPayload).join('\n'))).toEqual([])
  })
})

test('the list is edited with a history; reports keep the names they were made with', async () => {
  const tires = named('Tires')
  if (!tires) throw new Error('no tires')
  const { uid, version, updatedAt: _, ...input } = tires
  const body = { ...input, uid, version, name: 'Tires and pressure', isActive: false }
  expect((await call(inspectionItems.update, { body })).body.data).toMatchObject({ isActive: false })
  expect((await call(inspectionItems.update, { body })).status).toBe(409)
  expect((await call(inspectionItems.create, { body: { ...input, name: 'brakes' } })).status).toBe(409)
  const [change] = (await call(inspectionItems.history, { params: { uid }, query: {} })).body.data
  expect(change?.fields.map(({ field }) => field)).toEqual(expect.arrayContaining(['name', 'isActive']))
  // A phone that read the list before still sends the item.
  const act = phones.act('inspection', shift.uid, 5, { items: [{ itemUid: uid, result: 'ok' }], ...signed } as never)
  expect(await phones.results(driver, [act])).toEqual(['accepted'])
  const report = (await all(undefined, { truck: shift.truck.uid })).data.find(({ defects }) => defects === 2)
  const old = (await call(inspections.get, { params: { uid: report?.uid ?? '' } })).body.data
  expect(old.lines[0]?.name).toBe('Tires')
})

test('reports are kept as long as Settings say, counted from their arrival', async () => {
  const before = (await all()).total
  await sql`update inspection set created_at = now() - interval '401 days' where shift_uid = ${shift.uid} and defects = 0`.execute(
    db,
  )
  await world.sweep()
  expect((await all()).total).toBe(before - 1)
})

test('a driver changes their own phone number, language and photo, and nothing else', async () => {
  const { token } = driver
  const { name } = (await call(driverProfile.get, {}, { token })).body.data
  const photo = new File([new Uint8Array(await picture())], 'me.jpg', { type: 'image/jpeg' })
  const input = { body: { phone: '555-0142', language: 'es' }, files: { photo: [photo] } } as const
  const saved = (await call(driverProfile.update, { ...input, files: { photo: [photo] } }, { token })).body.data
  expect(saved).toMatchObject({ name, phone: '555-0142', language: 'es', photo: { name: 'me.jpg' } })
  expect((await call(driverProfile.update, { body: {} }, { token })).status).toBe(400)
  expect((await call(driverProfile.get, {}, { token })).body.data).toMatchObject({ phone: '555-0142' })
  const gone = await call(driverProfile.update, { body: { isPhotoRemoved: true } }, { token })
  expect(gone.body.data).toMatchObject({ photo: null, language: 'es' })
  expect((await call(driverProfile.update, { body: { language: 'fr' } as never }, { token })).status).toBe(400)
  expect((await call(driverProfile.update, { body: { name: 'X' } as never }, { token })).status).toBe(400)
  expect((await call(driverApp.day, {}, { token })).body.data.driver.language).toBe('es')
  expect((await call(driverProfile.get, {}, { token: people.client.token })).status).toBe(403)
})
