import { type PopPhoto, pops, shifts } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { PHONE_SOURCE, PLAYER_SOURCE, storeTelemetry } from '../../live/telemetry/index.ts'
import { regradePhotosSince } from './regrade.ts'
import { cameraPhoto, shootTime, DALLAS_CENTER, placeNorthOf, ZONE_OFFSET, openShoot } from './test-photos.ts'

const world = await openWorld()
const { call, db, people } = world
const { program, driver, addShift, addTruck, added, read, hear } = await openShoot(world)

const taken = { clock: '12:00:00', offset: ZONE_OFFSET, place: DALLAS_CENTER }
const ofProgram = { programUid: program.uid }
/** A drive to the north that is in Dallas at noon, heard every ten seconds for four minutes. */
const drive = Array.from({ length: 25 }, (_, index) => ({
  at: shootTime('12:00:00') + (index - 12) * 10_000,
  ...placeNorthOf(DALLAS_CENTER, (index - 12) * 150),
}))
const shuffled = drive.toSorted((one, other) => ((one.at / 10_000) % 7) - ((other.at / 10_000) % 7))

const gradeOf = ({ grade, reason }: PopPhoto) => ({ grade, reason })
const look = (since = Date.now() - 60_000) => regradePhotosSince(db, new Date(since).toISOString())
const historyOf = async (uid: string) => (await call(pops.photoHistory, { params: { uid }, query: {} })).body.data
const nothingKnown = { grade: 'unverified', reason: 'No GPS data from the truck around that time' }

describe('grades', () => {
  test('a genuine photo is verified, one two miles off is a conflict, a typed position stays unverified', async () => {
    const shift = await addShift(driver.uid)
    const of = { shiftUid: shift.uid }
    await hear(shift.truck.uid, drive)
    const real = await added(
      await cameraPhoto({ ...taken, place: { ...DALLAS_CENTER, longitude: -96.8022 } }),
      of,
      driver.token,
    )
    expect(gradeOf(real)).toEqual({ grade: 'verified', reason: '0.1 mi from the truck, 0 s apart' })
    const off = await added(await cameraPhoto({ ...taken, place: { ...DALLAS_CENTER, longitude: -96.8344 } }), of)
    expect(gradeOf(off)).toEqual({ grade: 'conflict', reason: '2.0 mi from the truck, 0 s apart' })
    const typed = { ...of, takenAt: new Date(shootTime('12:00:00')).toISOString(), ...DALLAS_CENTER }
    expect(gradeOf(await added(await cameraPhoto(), typed))).toEqual({
      grade: 'unverified',
      reason: "The time and place were entered by hand and can't be verified",
    })
    expect(gradeOf(await added(await cameraPhoto(taken), ofProgram)).grade).toBe('verified')
    await call(shifts.move, { body: { uid: shift.uid, version: shift.version, status: 'cancelled', reason: 'Over.' } })
  })

  test('follow a track that comes later, in any order, without touching anybody’s form or the history', async () => {
    const shift = await addShift(driver.uid)
    const other = await addShift((await world.addUser('driver')).uid)
    const photo = await added(await cameraPhoto(taken), { shiftUid: shift.uid })
    const theirs = await added(await cameraPhoto(taken), { shiftUid: other.uid })
    expect([gradeOf(photo), gradeOf(theirs)]).toEqual([nothingKnown, nothingKnown])
    // Half of it first, and not of the minutes around the photo.
    await hear(shift.truck.uid, [{ at: shootTime('11:15:00'), ...DALLAS_CENTER }])
    await look()
    expect(gradeOf(await read(photo.uid))).toEqual(nothingKnown)
    await hear(shift.truck.uid, shuffled)
    await look()
    const now = await read(photo.uid)
    expect(gradeOf(now)).toEqual({ grade: 'verified', reason: '0 ft from the truck, 0 s apart' })
    expect([now.version, now.updatedAt]).toEqual([photo.version, photo.updatedAt])
    expect(await historyOf(photo.uid)).toHaveLength(1)
    expect(gradeOf(await read(theirs.uid))).toEqual(nothingKnown)
    // Who opened the form before may save it.
    const { uid, version, status, market } = photo
    const body = {
      uid,
      version,
      status,
      caption: 'Written meanwhile',
      marketUid: market?.uid ?? null,
      shiftUid: shift.uid,
    }
    const saved = await call(pops.updatePhoto, { body }, { token: people.sales.token })
    expect([saved.status, saved.body.data.grade]).toEqual([200, 'verified'])
    // In order from the start it would have been the same.
    await hear(other.truck.uid, [{ at: shootTime('11:15:00'), ...DALLAS_CENTER }, ...drive])
    expect(gradeOf(await added(await cameraPhoto(taken), { shiftUid: other.uid }))).toEqual(gradeOf(now))
  })

  test('are not verified by the phone that took the photo, and are by the player and by another phone', async () => {
    const sender = await world.addUser('driver')
    const shift = await addShift(sender.uid)
    const place = async (source: string, time: string) => {
      const fix = { truck: shift.truck.uid, at: shootTime(time), ...DALLAS_CENTER, speedKmh: null }
      const batch = { fixes: [fix], statuses: [], readings: [], areUids: true as const, now: Date.now() }
      await storeTelemetry(db, { source, ...batch })
      await look()
    }
    const byDriver = await added(await cameraPhoto(taken), { shiftUid: shift.uid }, sender.token)
    const byOffice = await added(await cameraPhoto(taken), { shiftUid: shift.uid })
    await place(PHONE_SOURCE, '12:00:00')
    const ownOnly = { grade: 'unverified', reason: 'No independent GPS data from the truck around that time' }
    expect(gradeOf(await read(byDriver.uid))).toEqual(ownOnly)
    const late = await added(await cameraPhoto(taken), { shiftUid: shift.uid }, sender.token)
    expect(gradeOf(late)).toEqual(ownOnly)
    const byPhone = { grade: 'verified', reason: "0 ft from the truck by the driver's phone, 0 s apart" }
    expect(gradeOf(await read(byOffice.uid))).toEqual(byPhone)

    // The player stood still around the photo: its fixes are farther from it than those of the phone.
    await place(PHONE_SOURCE, '11:56:00')
    await place(PLAYER_SOURCE, '11:50:00')
    await place(PLAYER_SOURCE, '12:10:00')
    const byPlayer = { grade: 'verified', reason: '0 ft from the truck by its player, 10 min apart' }
    expect(gradeOf(await read(byDriver.uid))).toEqual(byPlayer)
    expect(gradeOf(await read(byOffice.uid))).toEqual(byPhone)

    // Another driver gets the shift: the photo was still taken on the phone of the former one.
    const { uid, version, truck, market, date, start, end } = shift
    const body = { uid, version, truckUid: truck.uid, programUid: program.uid, marketUid: market.uid, date, start, end }
    const next = await world.addUser('driver')
    expect((await call(shifts.update, { body: { ...body, driverUid: next.uid } })).status).toBe(200)
    await look()
    expect(gradeOf(await read(byDriver.uid))).toEqual(byPlayer)
  })

  test('follow the shift: another one, another truck on it, other hours', async () => {
    const [first, second] = [
      await addShift((await world.addUser('driver')).uid),
      await addShift((await world.addUser('driver')).uid),
    ]
    await hear(first.truck.uid, drive)
    await hear(
      second.truck.uid,
      drive.map((fix) => ({ ...fix, ...placeNorthOf(fix, 5000) })),
    )
    const photo = await added(await cameraPhoto(taken), { shiftUid: first.uid })
    expect(photo.grade).toBe('verified')
    const { uid, version, status, market } = photo
    const form = { uid, status, caption: '', marketUid: market?.uid ?? null }
    const moved = (await call(pops.updatePhoto, { body: { ...form, version, shiftUid: second.uid } })).body.data
    expect(moved).toMatchObject({ grade: 'conflict', truck: { uid: second.truck.uid } })

    const truckUid = await addTruck()
    await hear(truckUid, drive)
    const { market: at_, driver: by, date, start, end, uid: shiftUid } = second
    const plan = {
      uid: shiftUid,
      programUid: program.uid,
      marketUid: at_.uid,
      driverUid: by?.uid ?? '',
      date,
      start,
      end,
    }
    const changed = await call(shifts.update, { body: { ...plan, version: second.version, truckUid } })
    expect(changed.status, changed.text).toBe(200)
    await look()
    const followed = await read(uid)
    expect(followed).toMatchObject({ grade: 'verified', truck: { uid: truckUid }, version: moved.version })
    expect((await historyOf(uid))[0]).toMatchObject({ by: null, fields: [{ field: 'truck' }] })

    const later = { ...plan, version: 2, truckUid, start: '18:00', end: '23:00' }
    expect((await call(shifts.update, { body: later })).status).toBe(200)
    await look()
    expect(gradeOf(await read(uid))).toEqual({ grade: 'conflict', reason: 'Taken 6 h before the shift started' })
  })

  test('are the same after repeated and concurrent grading', async () => {
    const shift = await addShift((await world.addUser('driver')).uid)
    const photo = await added(await cameraPhoto(taken), { shiftUid: shift.uid })
    await hear(shift.truck.uid, drive)
    await Promise.all([look(), look(), look()])
    const graded = await read(photo.uid)
    expect(graded.grade).toBe('verified')
    await look()
    expect(await read(photo.uid)).toEqual(graded)
    // What arrived before is not looked at again.
    await db.updateTable('pop_photo').set({ grade: 'unverified' }).where('uid', '=', photo.uid).execute()
    await look(Date.now() + 60_000)
    expect((await read(photo.uid)).grade).toBe('unverified')
  })
})
