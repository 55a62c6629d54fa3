import { randomUUID } from 'node:crypto'
import { driverApp } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { expect, test } from 'vitest'
import { PHONE_SOURCE, storePlaces } from '../telemetry/index.ts'
import { openPhones } from './test-phone.ts'

const world = await openWorld()
const { db, call } = world
const { addDriving } = await openPhones(world)

/** A driver starts a shift and writes a message, at a place that the phone knows to within some meters. */
async function drive(accuracyM: number, geotabId = '') {
  const { driver, shift } = await addDriving(1)
  await db.updateTable('truck').set({ geotab_device_id: geotabId }).where('uid', '=', shift.truck.uid).execute()
  const at = new Date(Date.now() - 30 * 60_000).toISOString()
  const ofShift = { shiftUid: shift.uid, at, place: { latitude: 29.76, longitude: -95.36, accuracyM } }
  const later = new Date(Date.now() - 20 * 60_000).toISOString()
  const acts = [
    { kind: 'start', actId: randomUUID(), ...ofShift },
    { kind: 'message', actId: randomUUID(), ...ofShift, at: later, text: 'On my way' },
  ] as const
  const body = { sentAt: new Date().toISOString(), acts: [...acts] }
  const { body: answer } = await call(driverApp.acts, { body }, { token: driver.token })
  expect(answer.data.results.map(({ result }) => result)).toEqual(['accepted', 'accepted'])
  return shift.truck.uid
}

const placesOf = async (truck: string) => {
  await storePlaces(db)
  return db
    .selectFrom('position')
    .innerJoin('position_minute as m', 'm.truck_uid', 'position.truck_uid')
    .select(['position.latitude', 'm.source_uid'])
    .where('position.truck_uid', '=', truck)
    .execute()
}

test('a truck without a tracker is where its driver started the shift, not where a message was written', async () => {
  expect(await placesOf(await drive(12))).toEqual([{ latitude: 29.76, source_uid: PHONE_SOURCE }])
})

test('a phone that hardly knows where it is places nothing', async () => {
  expect(await placesOf(await drive(800))).toEqual([])
})
