import { DAY_MS } from '@roadshow/contract'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { trackOf } from './miles.ts'
import { remeasureShifts } from './remeasure.ts'
import { at, DAY, NEXT_DAY, openFleet } from './test-fleet.ts'

const world = await openWorld()
const { db } = world
const { addTruck, addShift, hear, remeasureAll } = await openFleet(world)

describe('whatever the order', () => {
  const MINUTE = 60_000
  const START = at('06:00:00')
  const DAYS_LATE = 30
  const minute = fc.integer({ min: 0, max: 48 * 60 })
  const fix = fc.record({
    kind: fc.constant('fix' as const),
    at: minute.map((minutes) => START + minutes * MINUTE),
    latitude: fc.integer({ min: 0, max: 400 }).map((step) => 32.78 + step / 2000),
    longitude: fc.integer({ min: 0, max: 400 }).map((step) => -96.8 + step / 2000),
    speedKmh: fc.option(fc.integer({ min: 0, max: 110 })),
  })
  const reading = fc.record({
    kind: fc.constant('reading' as const),
    at: minute.map((minutes) => START + minutes * MINUTE),
    metres: fc.integer({ min: 0, max: 400_000 }),
  })
  /** New hours of one of the shifts, as staff corrects them. */
  const edit = fc.record({
    kind: fc.constant('edit' as const),
    shift: fc.integer({ min: 0, max: 2 }),
    started: fc.integer({ min: -60, max: 60 }),
    minutes: fc.integer({ min: 0, max: 300 }),
    isCanceled: fc.boolean(),
  })
  type Event = ReturnType<typeof fix.generate>['value'] | ReturnType<typeof reading.generate>['value']
  type Edit = ReturnType<typeof edit.generate>['value']

  const PLANNED = [
    ['08:00', '12:00', DAY],
    ['22:00', '02:00', DAY],
    ['09:00', '17:00', NEXT_DAY],
  ] as const

  async function run(events: readonly (Event | Edit)[], pageLength: () => number) {
    const truck = await addTruck()
    const shifts = []
    for (const [start, end, day] of PLANNED) shifts.push(await addShift(truck.uid, start, end, day))
    const now = START + DAYS_LATE * DAY_MS
    for (let from = 0; from < events.length;) {
      const page = events.slice(from, from + pageLength())
      from += page.length
      const of = { truck: truck.device }
      await hear(
        {
          fixes: page.flatMap((each) => (each.kind === 'fix' ? [{ ...each, ...of }] : [])),
          readings: page.flatMap((each) => (each.kind === 'reading' ? [{ ...each, ...of }] : [])),
        },
        now,
      )
      for (const each of page) if (each.kind === 'edit') await apply(each, shifts)
      if (page.length % 2 === 0) await remeasureShifts(db, { at: now })
    }
    await remeasureAll(now)
    return { truck, shifts, result: await resultOf(truck.uid, shifts) }
  }

  async function apply({ shift, started, minutes, isCanceled }: Edit, shifts: readonly string[]) {
    const [start, , day] = PLANNED[shift]!
    const startedAt = at(`${start}:00`, day) + started * MINUTE
    await db
      .updateTable('shift')
      .set({
        status: isCanceled ? 'cancelled' : 'completed',
        reason: isCanceled ? 'Rain' : '',
        started_at: new Date(startedAt),
        stopped_at: new Date(startedAt + minutes * MINUTE),
      })
      .where('uid', '=', shifts[shift]!)
      .execute()
  }

  /** Every stored number of a truck, as text. */
  async function resultOf(truckUid: string, shifts: readonly string[]): Promise<string> {
    const { rows: tracks } = await sql<{ row: object }>`
      select to_jsonb(t) - 'computed_at' - 'truck_uid' - 'shift_uid' as row
        from shift_track t where truck_uid = ${truckUid} order by array_position(${shifts}::uuid[], shift_uid)`.execute(
      db,
    )
    const { rows: days } = await sql<{ row: object }>`
      select to_jsonb(t) - 'computed_at' - 'truck_uid' as row from truck_day_track t
       where truck_uid = ${truckUid} order by day`.execute(db)
    const { rows: now } = await sql<{ row: object }>`
      select to_jsonb(t) - 'updated_at' - 'truck_uid' as row from truck_now t where truck_uid = ${truckUid}`.execute(db)
    const text = JSON.stringify([tracks, days, now])
    return shifts.reduce((replaced, uid, index) => replaced.replaceAll(uid, `shift ${index}`), text)
  }

  test('the same fixes, readings and edits give the same miles to the byte, and so does measuring all of it again', async () => {
    const data = fc.array(fc.oneof({ weight: 5, arbitrary: fix }, reading), { minLength: 5, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(
        data,
        fc.array(edit, { maxLength: 4 }),
        fc.infiniteStream(fc.nat()),
        async (given, edits, chance) => {
          const next = () => chance.next().value as number
          const inOrder = given.toSorted((one, other) => one.at - other.at)
          const first = await run([...edits, ...inOrder], () => 1000)
          // Doubled, shuffled, split, and edited in between; edits of one shift keep their order.
          const shuffled: (Event | Edit)[] = [...given, ...given.slice(0, 10)]
            .map((each) => ({ each, key: next() }))
            .toSorted((one, other) => one.key - other.key)
            .map(({ each }) => each)
          const places = edits.map(() => next() % (shuffled.length + 1)).toSorted((one, other) => one - other)
          for (const [index, each] of edits.entries()) shuffled.splice(places[index]! + index, 0, each)
          const second = await run(shuffled, () => (next() % 12) + 1)
          expect(second.result).toBe(first.result)

          await db.deleteFrom('shift_track').where('truck_uid', '=', second.truck.uid).execute()
          await db.deleteFrom('truck_day_track').where('truck_uid', '=', second.truck.uid).execute()
          await db
            .insertInto('miles_due')
            .values({
              truck_uid: second.truck.uid,
              starts_at: new Date(START - DAY_MS),
              ends_at: new Date(START + 4 * DAY_MS),
            })
            .execute()
          await remeasureAll(START + DAYS_LATE * DAY_MS)
          expect(await resultOf(second.truck.uid, second.shifts)).toBe(first.result)
        },
      ),
      { numRuns: 30 },
    )
  }, 240_000)

  test('shifts and what belongs to none add up to the whole way of the truck', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fix, { minLength: 5, maxLength: 60 }),
        fc.array(edit, { maxLength: 3 }),
        async (given, edits) => {
          const { truck } = await run([...edits, ...given], () => 7)
          const { rows } = await sql<{ metres: number }>`
          select coalesce((select sum(gps_metres) from shift_track where truck_uid = ${truck.uid}), 0)
               + coalesce((select sum(unassigned_metres) from truck_day_track where truck_uid = ${truck.uid}), 0) as metres`.execute(
            db,
          )
          expect(rows[0]?.metres).toBeCloseTo(trackOf(given).meters, 4)
        },
      ),
      { numRuns: 20 },
    )
  }, 240_000)
})
