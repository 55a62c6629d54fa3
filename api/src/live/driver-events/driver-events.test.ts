import { type DriverIssue, type DriverShift, type RowAck, shifts } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { uploadHelpers } from '../../platform/files/test-uploads.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { type DeviceSocket, fleetOf, minutesAgo } from '../players/test-fleet.ts'

const world = await openWorld()
const { db } = world
const { addDevice, addRunning, addShift, addTruck, come, openNode, openSecondNode } = fleetOf(world)
const [first, second] = [await openNode(), await openSecondNode()]

async function addDriving() {
  const running = await addRunning()
  const device = await addDevice(running.truckUid, 'driver')
  return { ...running, device, app: await come(first, device, 'driver') }
}

async function answersOf(answer: { rows: RowAck[] } | { error: string }): Promise<RowAck[]> {
  if ('error' in answer) throw new Error(answer.error)
  return answer.rows
}
const send = async (app: DeviceSocket, ...events: DriverShift[]) =>
  answersOf(await app.timeout(10_000).emitWithAck('driver-shift', events))
const raise = async (app: DeviceSocket, ...issues: DriverIssue[]) =>
  answersOf(await app.timeout(10_000).emitWithAck('driver-issue', issues))
const results = (rows: RowAck[]) => rows.map(({ result, reason }) => reason ?? result)

const shiftOf = (uid: string) =>
  db
    .selectFrom('shift')
    .select(['status', 'started_at', 'stopped_at', 'version'])
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow()

let count = 0
const event = (shiftUid: string, kind: 'start' | 'stop', minutes: number): DriverShift => ({
  eventId: `event-${++count}`,
  shiftUid,
  kind,
  at: minutesAgo(minutes),
})
const ms = (instant: string | null) => (instant === null ? null : Date.parse(instant))

describe('a shift that its driver starts and stops', () => {
  test('goes out and is completed, once however often it is said, with a history', async () => {
    const { app, shift } = await addDriving()
    const [start, stop] = [event(shift.uid, 'start', 120), event(shift.uid, 'stop', 10)]
    expect(await send(app, start)).toEqual([{ id: start.eventId, result: 'accepted' }])
    expect((await shiftOf(shift.uid)).status).toBe('out')
    expect(results(await send(app, start, stop, stop))).toEqual(['duplicate', 'accepted', 'duplicate'])
    const done = await shiftOf(shift.uid)
    expect(done.status).toBe('completed')
    expect([ms(done.started_at), ms(done.stopped_at)]).toEqual([Date.parse(start.at), Date.parse(stop.at)])
    expect(results(await send(app, stop, start))).toEqual(['duplicate', 'duplicate'])
    expect((await shiftOf(shift.uid)).version).toBe(done.version)
    const history = await db.selectFrom('history').selectAll().where('record_uid', '=', shift.uid).execute()
    expect(history.at(-1)).toMatchObject({ actor_uid: null, address: expect.stringContaining('127.0.0.1') as string })
  })

  test('ends the same whatever the order in which it is heard, also on two nodes at once', async () => {
    const orders = [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
      [2, 0, 3, 1],
      [1, 3, 0, 2],
    ]
    for (const order of orders) {
      const { app, device, shift } = await addDriving()
      const other = await come(second, device, 'driver')
      // Stopped by mistake, and started again.
      const events = [
        event(shift.uid, 'start', 150),
        event(shift.uid, 'stop', 100),
        event(shift.uid, 'start', 99),
        event(shift.uid, 'stop', 20),
      ]
      const sent = order.map((index, place) => send(place % 2 === 0 ? app : other, events[index] as DriverShift))
      const acks = (await Promise.all(sent)).flat()
      expect(acks.map(({ result }) => result)).toEqual(['accepted', 'accepted', 'accepted', 'accepted'])
      const { status, started_at, stopped_at } = await shiftOf(shift.uid)
      expect([status, ms(started_at), ms(stopped_at)], String(order)).toEqual([
        'completed',
        Date.parse(events[0]?.at ?? ''),
        Date.parse(events[3]?.at ?? ''),
      ])
    }
  })

  test('that goes on after its end is out again', async () => {
    const { app, shift } = await addDriving()
    await send(app, event(shift.uid, 'start', 150), event(shift.uid, 'stop', 100), event(shift.uid, 'start', 99))
    expect(await shiftOf(shift.uid)).toMatchObject({ status: 'out', stopped_at: null })
  })

  test('on a truck that it is taken from meanwhile counts the same, whether it is heard before or after', async () => {
    for (const isHeardFirst of [true, false]) {
      const { app, shift } = await addDriving()
      const { uid: adminUid } = world.people.admin
      const spare = await addTruck()
      const events = [event(shift.uid, 'start', 150), event(shift.uid, 'stop', 20)]
      if (isHeardFirst) await send(app, ...events)
      await db
        .updateTable('shift')
        .set({ truck_uid: spare, changed_by: adminUid })
        .where('uid', '=', shift.uid)
        .execute()
      if (!isHeardFirst) await send(app, ...events)
      const { status, started_at, stopped_at } = await shiftOf(shift.uid)
      expect([status, ms(started_at), ms(stopped_at)]).toEqual(['completed', ...events.map(({ at }) => Date.parse(at))])
    }
  })

  test('is another truck’s, canceled, long ago or in the future: refused with the reason', async () => {
    const { app, programUid, marketUid, shift, truckUid } = await addDriving()
    const other = await addRunning()
    const span = { from: Date.now() - 60 * 3_600_000, to: Date.now() - 50 * 3_600_000 }
    const old = await addShift({ truckUid, programUid, marketUid, ...span })
    const nothing = '01900000-0000-7000-8000-000000000000'
    expect(
      results(
        await send(
          app,
          event(other.shift.uid, 'start', 5),
          event(nothing, 'start', 5),
          event(old.uid, 'start', 5),
          event(shift.uid, 'start', -20),
          event(shift.uid, 'start', 60 * 24 * 400),
          { ...event(shift.uid, 'start', 5), kind: 'pause' as 'stop' },
        ),
      ),
    ).toEqual([
      'Shift not found for this truck.',
      'Shift not found for this truck.',
      'This time is more than a day away from the shift.',
      "This time is in the future. Check the device's clock.",
      'This time is older than the data that is kept.',
      expect.stringContaining('kind'),
    ])
    expect((await shiftOf(other.shift.uid)).status).toBe('planned')
    await db.updateTable('shift').set({ status: 'cancelled', reason: 'Rain' }).where('uid', '=', shift.uid).execute()
    expect(results(await send(app, event(shift.uid, 'start', 5)))).toEqual([
      'Kept as a report that does not count: the shift did not take place.',
    ])
    expect((await shiftOf(shift.uid)).status).toBe('cancelled')
  })

  test('that is only stopped is not completed, until its start arrives weeks later', async () => {
    const { app, shift } = await addDriving()
    const [start, stop] = [event(shift.uid, 'start', 120), event(shift.uid, 'stop', 10)]
    expect(results(await send(app, stop))).toEqual(['Kept as a report that does not count: no start.'])
    expect(await shiftOf(shift.uid)).toMatchObject({ status: 'planned', started_at: null, stopped_at: null })
    const [detail] = (await world.call(shifts.details, { query: { uid: shift.uid } })).body.data
    expect(detail?.reports).toEqual([{ kind: 'stop', at: stop.at, note: 'no start' }])
    expect(results(await send(app, stop, start, stop))).toEqual(['duplicate', 'accepted', 'duplicate'])
    const { status, started_at, stopped_at } = await shiftOf(shift.uid)
    expect([status, ms(started_at), ms(stopped_at)]).toEqual(['completed', Date.parse(start.at), Date.parse(stop.at)])
  })

  test('more than 2 hours early has not started', async () => {
    const { truckUid, programUid, marketUid, app } = await addDriving()
    const span = { from: Date.now() + 6 * 3_600_000, to: Date.now() + 10 * 3_600_000 }
    const later = await addShift({ truckUid, programUid, marketUid, ...span })
    expect(results(await send(app, event(later.uid, 'start', 0)))).toEqual([
      'Kept as a report that does not count: more than 2 hours before the planned start.',
    ])
    expect((await shiftOf(later.uid)).status).toBe('planned')
  })

  test('whose times staff corrected keeps them, before and after the events', async () => {
    const { app, shift } = await addDriving()
    const [start, stop] = [event(shift.uid, 'start', 120), event(shift.uid, 'stop', 10)]
    await send(app, start)
    const { version } = await shiftOf(shift.uid)
    const body = {
      uid: shift.uid,
      version,
      startedAt: minutesAgo(100),
      stoppedAt: minutesAgo(30),
      reason: 'Wrong clock',
    }
    expect((await world.call(shifts.correctTimes, { body })).status).toBe(200)
    expect(results(await send(app, stop))).toEqual(['Kept as a report that does not count: the times were corrected.'])
    const { status, started_at, stopped_at } = await shiftOf(shift.uid)
    expect([status, ms(started_at), ms(stopped_at)]).toEqual([
      'completed',
      Date.parse(body.startedAt),
      Date.parse(body.stoppedAt),
    ])
  })

  test('ids of one device are not another’s', async () => {
    const [one, two] = [await addDriving(), await addDriving()]
    const [mine, theirs] = [event(one.shift.uid, 'start', 5), event(two.shift.uid, 'start', 5)]
    expect(results(await send(one.app, mine))).toEqual(['accepted'])
    expect(results(await send(two.app, { ...theirs, eventId: mine.eventId }))).toEqual(['accepted'])
    // The same id for something else of the same device is no duplicate, and not believed.
    expect(results(await send(one.app, { ...mine, kind: 'stop' }))).toEqual([
      'This id is already used by another event.',
    ])
    expect((await shiftOf(one.shift.uid)).status).toBe('out')
  })
})

describe('what a driver reports', () => {
  const issue = (more: Partial<DriverIssue> = {}): DriverIssue => ({
    eventId: `issue-${++count}`,
    kind: 'mechanical',
    text: 'A flat tyre',
    at: minutesAgo(7),
    ...more,
  })
  const issuesOf = (truckUid: string) =>
    db.selectFrom('truck_issue').selectAll().where('truck_uid', '=', truckUid).execute()

  test('becomes an issue of the truck and the shift it is on, once', async () => {
    const { app, shift, truckUid } = await addDriving()
    const given = issue()
    expect(results(await raise(app, given, given))).toEqual(['accepted', 'duplicate'])
    expect(results(await raise(app, given))).toEqual(['duplicate'])
    expect(await issuesOf(truckUid)).toMatchObject([
      { kind: 'mechanical', raised_by: 'driver', shift_uid: shift.uid, text: 'A flat tyre', status: 'open' },
    ])
    const [one, two] = [await addDriving(), await addDriving()]
    await raise(one.app, issue({ eventId: '1' }))
    expect(results(await raise(two.app, issue({ eventId: '1' })))).toEqual(['accepted'])
  })

  test('brings a photo that a driver of the truck has uploaded, and no one else’s', async () => {
    const { app, shift, truckUid } = await addDriving()
    const add = async (announcedBy: string, purpose = 'issue') => {
      const { rowOf } = uploadHelpers(world)
      const { uid } = await db
        .insertInto('stored_file')
        .values({
          blob_name: `photo-${++count}`,
          purpose,
          original_name: 'tyre.jpg',
          content_type: 'image/jpeg',
          size_bytes: 5,
          announced_by: announcedBy,
          stored_at: new Date(),
        })
        .returning('uid')
        .executeTakeFirstOrThrow()
      return { uid, row: () => rowOf(uid) }
    }
    const [own, others, logo] = [
      await add(shift.driver.uid),
      await add(world.people.driver.uid),
      await add(shift.driver.uid, 'logo'),
    ]
    const photos = [own, others, logo].map(({ uid }) => issue({ photoFileUid: uid }))
    expect(results(await raise(app, ...photos))).toEqual([
      'accepted',
      'Photo of a driver of this truck not found.',
      'File not found. Please upload it again.',
    ])
    expect((await own.row())?.claimed_at).not.toBeNull()
    expect((await others.row())?.claimed_at).toBeNull()
    expect(await issuesOf(truckUid)).toMatchObject([{ photo_file_uid: own.uid }])
  })

  test('is refused row by row when it makes no sense', async () => {
    const { app, truckUid } = await addDriving()
    const rows = await raise(
      app,
      issue({ at: minutesAgo(-9) }),
      issue({ kind: 'noGps' as 'other' }),
      issue({ kind: 'other' }),
    )
    expect(rows.map(({ result }) => result)).toEqual(['later', 'rejected', 'accepted'])
    expect(await issuesOf(truckUid)).toHaveLength(1)
    expect(await app.timeout(5000).emitWithAck('driver-issue', 'x' as never)).toHaveProperty('error')
  })
})
