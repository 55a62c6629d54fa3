import type { World } from '@roadshow/test-kit/world'
import { DAY_MS, type PositionSourceKind, type TrackPoint } from '@roadshow/contract'
import type { TrackerFix } from './records.ts'
import { remeasureShifts } from './remeasure.ts'
import { type SourceBatch, storeTelemetry } from './store.ts'

/** A day of the tests. */
export const DAY = '2026-07-01'
export const NEXT_DAY = '2026-07-02'
export const at = (time: string, day = DAY): number => Date.parse(`${day}T${time}Z`)

const METER = 1 / 111_195

/** Trucks with trackers, shifts in UTC, and what trackers say, in the given world. */
export async function openFleet({ db, addMarket, addProgram, addUser }: World) {
  const market = await addMarket('Dallas')
  const program = await addProgram({ markets: [{ marketUid: market.uid }] })
  let count = 0
  let versions = 0

  async function addTruck() {
    const device = `b${++count}`
    const truck = { number: `T-${count}`, kind: 'led', state: 'active', geotab_device_id: device }
    const { uid } = await db.insertInto('truck').values(truck).returning('uid').executeTakeFirstOrThrow()
    return { uid, device }
  }

  async function addShift(truckUid: string, start: string, end: string, date = DAY): Promise<string> {
    const driver = await addUser('driver')
    const shift = {
      truck_uid: truckUid,
      driver_uid: driver.uid,
      program_uid: program.uid,
      market_uid: market.uid,
      local_date: date,
      start_time: start,
      end_time: end,
      zone: 'UTC',
      starts_at: `${date}T${start}Z`,
      // An end that is not after the start is on the next day.
      ends_at: new Date(at(`${end}:00`, date) + (end <= start ? DAY_MS : 0)),
    }
    return (await db.insertInto('shift').values(shift).returning('uid').executeTakeFirstOrThrow()).uid
  }

  /** Stores what a source would have brought, as one page of a source of its own. */
  const hear = (given: Partial<SourceBatch>, now = at('23:59:59')) =>
    storeTelemetry(db, {
      fixes: [],
      statuses: [],
      readings: [],
      ...(!given.source && { cursor: { entity: `test ${++versions}`, from: undefined, to: '1' } }),
      now,
      ...given,
    })

  async function addSource(kind: PositionSourceKind): Promise<string> {
    const source = { name: `${kind} ${++versions}`, kind }
    return (await db.insertInto('position_source').values(source).returning('uid').executeTakeFirstOrThrow()).uid
  }

  const addTracker = (source: string, truckUid: string, id: string) =>
    db.insertInto('truck_tracker').values({ source_uid: source, external_id: id, truck_uid: truckUid }).execute()

  const shiftTrack = (uid: string) =>
    db.selectFrom('shift_track').selectAll().where('shift_uid', '=', uid).executeTakeFirst()
  const dayTrack = (uid: string, day = DAY) =>
    db.selectFrom('truck_day_track').selectAll().where('truck_uid', '=', uid).where('day', '=', day).executeTakeFirst()

  /** Measures all that is due. */
  async function remeasureAll(now: number): Promise<void> {
    while (await remeasureShifts(db, { at: now })) continue
  }

  return { addTruck, addShift, addSource, addTracker, hear, shiftTrack, dayTrack, remeasureAll }
}

/** A drive to the north at 15 m/s, heard every ten seconds. */
export const drive = (from: number, to: number, everyMs = 10_000): TrackPoint[] =>
  Array.from({ length: Math.floor((to - from) / everyMs) + 1 }, (_, index) => ({
    at: from + index * everyMs,
    latitude: 32.78 + ((index * everyMs) / 1000) * 15 * METER,
    longitude: -96.8,
    speedKmh: 54,
  }))

export const saidBy = (truck: string, fixes: readonly TrackPoint[]): TrackerFix[] =>
  fixes.map((fix) => ({ ...fix, truck }))
