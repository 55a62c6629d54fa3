import { shifts } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { describe, expect, test } from 'vitest'
import { at, drive, openFleet, saidBy } from '../telemetry/test-fleet.ts'

const world = await openWorld()
const { call, db, people } = world
const fleet = await openFleet(world)

const trackOf = (uid: string, token = people.admin.token) => call(shifts.track, { params: { uid } }, { token })

/** A truck that drives from 14:50 to 16:10 and stands before; its shift is from three to four o'clock. */
async function addDriven() {
  const truck = await fleet.addTruck()
  const uid = await fleet.addShift(truck.uid, '15:00', '16:00')
  const driven = drive(at('14:50:00'), at('16:10:00'))
  const [start] = driven
  if (!start) throw new Error('A drive has positions.')
  const stands = [40, 45].map((minute) => ({ ...start, at: at(`14:${minute}:00`), speedKmh: null }))
  const readings = ['02:00', '14:00', '15:30', '16:30', '17:30'].map((time, index) => ({
    truck: truck.device,
    at: at(`${time}:00`),
    metres: 1000 * index,
  }))
  await fleet.hear({ fixes: saidBy(truck.device, [...stands, ...driven]), readings })
  return { truck, uid, driven }
}

describe('what the miles of a shift are computed from', () => {
  test('are the positions from the one that counts at its start to the first after it, and the readings around', async () => {
    const { truck, uid, driven } = await addDriven()
    const { data } = (await trackOf(uid)).body
    expect(data).toMatchObject({ uid, truck: { uid: truck.uid, kind: 'led' }, beganAt: at('15:00:00') })
    expect(data.hours).toEqual([[at('15:00:00'), at('16:00:00')]])
    // At 150 m in ten seconds each fix is counted as it comes.
    expect(data.positions).toEqual(
      driven
        .filter((fix) => fix.at >= at('14:59:50') && fix.at <= at('16:00:00'))
        .map((fix) => [fix.at, fix.latitude, fix.longitude, fix.speedKmh]),
    )
    expect(data.odometer).toEqual([
      [at('14:00:00'), 1000],
      [at('15:30:00'), 2000],
      [at('16:30:00'), 3000],
    ])
  })

  test('begin where the truck stood before the shift, as long as distance is counted from there', async () => {
    const truck = await fleet.addTruck()
    const uid = await fleet.addShift(truck.uid, '15:00', '16:00')
    const [start] = drive(at('14:00:00'), at('14:00:00'))
    if (!start) throw new Error('A drive has positions.')
    const fixes = ['14:00', '14:30', '14:59', '15:20'].map((time) => ({ ...start, at: at(`${time}:00`), speedKmh: 0 }))
    await fleet.hear({ fixes: saidBy(truck.device, fixes) })
    const { positions } = (await trackOf(uid)).body.data
    expect(positions.map(([moment]) => moment)).toEqual(fixes.map((fix) => fix.at))
    expect(positions[0]?.[3]).toBe(0)
  })

  test('are none for a shift that holds no truck or was not heard', async () => {
    const truck = await fleet.addTruck()
    const uid = await fleet.addShift(truck.uid, '15:00', '16:00')
    expect((await trackOf(uid)).body.data).toMatchObject({ positions: [], odometer: [] })
    await db.updateTable('shift').set({ status: 'cancelled', reason: 'Rain' }).where('uid', '=', uid).execute()
    expect((await trackOf(uid)).body.data).toMatchObject({ hours: [], positions: [], odometer: [] })
  })

  test('are for staff who see all shifts: a truck may have been with another client before', async () => {
    const { uid } = await addDriven()
    const { client_uid } = await db
      .selectFrom('shift')
      .innerJoin('client_program as p', 'p.uid', 'shift.program_uid')
      .select('p.client_uid')
      .where('shift.uid', '=', uid)
      .executeTakeFirstOrThrow()
    const client = await world.addUser('client', ['schedule', 'clients', 'pop'], client_uid)
    const others = [client, people.driver, await world.addUser('sales', ['overview'])]
    for (const { token } of others) expect((await trackOf(uid, token)).status).toBe(403)
    expect((await trackOf(uid, people.sales.token)).status).toBe(200)
    expect((await trackOf(people.admin.uid)).status).toBe(404)
  })
})
