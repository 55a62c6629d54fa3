import { randomUUID } from 'node:crypto'
import { type BodyOf, type Shift, shiftTimes } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ensurePartitions } from '../../platform/db/partitions.ts'
import { ms, openPhones } from '../driver-app/test-phone.ts'

const world = await openWorld()
const { call, db, people } = world
const { act, addDriving, current, onPhone, results } = await openPhones(world)

const MINUTE = 60_000
// With milliseconds that end in no zero, the database writes the same text.
const now = Math.floor(Date.now() / 1000) * 1000 - 877
const ago = (minutes: number) => new Date(now - minutes * MINUTE).toISOString()
const minutesOf = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index)

const days = [180, 0].map((minutes) => ago(minutes).slice(0, 10))
await ensurePartitions(db, 'position', days)
await ensurePartitions(db, 'play', days)

/** The truck drives north between two times, in minutes before now. */
const drive = ({ truck }: Shift, from: number, to: number) =>
  db
    .insertInto('position')
    .values(
      minutesOf(from, to).map((minutes) => ({
        truck_uid: truck.uid,
        at: ago(minutes),
        latitude: 29.76 - minutes * 0.004,
        longitude: -95.37,
        speed_kmh: 30,
      })),
    )
    .execute()

async function play({ truck, date }: Shift, from: number, to: number): Promise<void> {
  for (const minutes of minutesOf(from, to)) {
    await sql`
      insert into play (device_uid, play_id, started_at, day, sequence, truck_uid, artwork_set_uid, sha256, side, duration_ms)
      values (${truck.uid}, ${String(minutes)}, ${ago(minutes)}, ${date}, ${1000 - minutes}, ${truck.uid}, ${randomUUID()},
              ${'0'.repeat(64)}, 'rear', 8000)`.execute(db)
  }
}

const ask = ({ uid }: { uid: string }, token = people.admin.token) =>
  call(shiftTimes.questions, { params: { uid } }, { token })
const questionsOf = async (shift: Shift) => (await ask(shift)).body.data
const answer = ({ uid }: Shift, body: BodyOf<typeof shiftTimes.answer>, token = people.admin.token) =>
  call(shiftTimes.answer, { params: { uid }, body }, { token })

/** A shift that was planned three hours ago and started an hour ago, and whose truck drove from two hours ago on. */
async function addLateStart() {
  const { driver, shift } = await addDriving()
  const start = { ...act('start', shift.uid, 0), at: ago(60) }
  expect(await results(driver, [start])).toEqual(['accepted'])
  await drive(shift, 120, 65)
  const given = { time: 'start' as const, about: ago(60), seenAt: ago(120) }
  return { driver, shift, given }
}

test('the office corrects the start in one call, and the stop stays the driver’s', async () => {
  const { driver, shift, given } = await addLateStart()
  expect(await questionsOf(shift)).toEqual([{ kind: 'start', about: ago(60), at: ago(120), seenBy: 'wheels' }])
  expect((await answer(shift, { ...given, seenAt: ago(110), isCorrected: true })).status).toBe(409)
  const done = await answer(shift, { ...given, isCorrected: true }, people.sales.token)
  expect([done.status, done.body.data]).toEqual([200, []])
  const corrected = await current(shift.uid)
  expect(corrected).toMatchObject({ status: 'out', startedAt: ago(120), stoppedAt: null })
  expect(corrected.timesReason).toMatch(new RegExp(`^${shift.truck.name} drove from \\d+:\\d\\d [AP]M$`))
  expect((await answer(shift, { ...given, isCorrected: true })).status).toBe(409)
  expect((await onPhone(driver, shift.uid))?.timeQuestions).toEqual([])

  expect(await results(driver, [{ ...act('stop', shift.uid, 0), at: ago(50) }])).toEqual(['accepted'])
  expect(await current(shift.uid)).toMatchObject({ status: 'completed', startedAt: ago(120), stoppedAt: ago(50) })
  // The screens went on, and the office keeps the stop.
  await play(shift, 49, 25)
  const [stop] = await questionsOf(shift)
  const seenAt = new Date(Date.parse(ago(25)) + 8000).toISOString()
  expect(stop).toEqual({ kind: 'stop', about: ago(50), at: seenAt, seenBy: 'plays' })
  const kept = await answer(shift, { time: 'stop', about: ago(50), seenAt, isCorrected: false })
  expect([kept.body.data, (await current(shift.uid)).stoppedAt]).toEqual([[], ago(50)])
})

test('the driver corrects the start on the phone, once, as an event of their own', async () => {
  const { driver, shift, given } = await addLateStart()
  expect((await onPhone(driver, shift.uid))?.timeQuestions).toEqual([
    { kind: 'start', about: ago(60), at: ago(120), seenBy: 'wheels' },
  ])
  const early = act('timeAnswer', shift.uid, 0, { ...given, seenAt: ago(-30), isCorrected: true })
  const corrected = act('timeAnswer', shift.uid, 0, { ...given, isCorrected: true })
  expect(await results(driver, [early, corrected, corrected])).toEqual(['rejected future', 'accepted', 'duplicate'])
  const { startedAt, timesReason } = await current(shift.uid)
  expect([ms(startedAt), timesReason]).toEqual([Date.parse(ago(120)), ''])
  // Neither is asked again, also when earlier data arrive.
  await drive(shift, 140, 121)
  expect(await questionsOf(shift)).toEqual([])
})

test('the driver keeps the start, and is not asked while the pay is locked', async () => {
  const { driver, shift, given } = await addLateStart()
  const period = { starts_on: shift.date, ends_on: shift.date, state: 'locked', overtime_after_hours: 40 }
  const { uid } = await db
    .insertInto('pay_period')
    .values({ ...period, approved_at: new Date(), locked_at: new Date() })
    .returning('uid')
    .executeTakeFirstOrThrow()
  expect((await onPhone(driver, shift.uid))?.timeQuestions).toEqual([])
  await db.deleteFrom('pay_period').where('uid', '=', uid).execute()
  expect((await onPhone(driver, shift.uid))?.timeQuestions).toHaveLength(1)
  const kept = act('timeAnswer', shift.uid, 0, { ...given, isCorrected: false })
  expect(await results(driver, [kept])).toEqual(['accepted'])
  expect([await questionsOf(shift), (await current(shift.uid)).startedAt]).toEqual([[], ago(60)])
})

test('only planners and the driver of the shift are asked and may answer', async () => {
  const { shift, driver, given } = await addLateStart()
  const client = await world.addUser('client', ['pop', 'clients'], shift.client.uid)
  for (const { token } of [driver, client, people.client]) {
    expect((await ask(shift, token)).status).toBe(403)
    expect((await answer(shift, { ...given, isCorrected: true }, token)).status).toBe(403)
  }
  expect((await ask({ uid: randomUUID() })).status).toBe(404)
  const other = await world.addUser('driver')
  const corrected = act('timeAnswer', shift.uid, 0, { ...given, isCorrected: true })
  expect(await results(other, [corrected])).toEqual(['rejected shiftOfAnother'])
  expect(await questionsOf(shift)).toHaveLength(1)
})
