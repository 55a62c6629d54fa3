import type { TrackPoint } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fleetOf } from '../players/test-fleet.ts'
import { storePlays } from '../plays/index.ts'
import { storeStopVisits } from '../telemetry/index.ts'
import { at, openFleet } from '../telemetry/test-fleet.ts'
import { type Sender, senders } from './test-senders.ts'
import { openTrackers } from './test-trackers.ts'

const world = await openWorld()
const { db } = world
const fleet = await openFleet(world)
const players = fleetOf(world)
const { addSource } = openTrackers(world)
await sql`update market set latitude = 32.85, longitude = -96.8, radius_m = 12000`.execute(db)
const node = await world.openNode(() => [])
const NOW = at('23:59:59')

const METER = 1 / 111_195
const STADIUM = { name: 'Stadium', latitude: 32.85, longitude: -96.8, radiusM: 400, from: '08:30', to: '09:30' }

/** A morning: a drive to the stadium, twenty minutes there, a tunnel without positions, and on. */
function recordMorning(): TrackPoint[] {
  const fixes: TrackPoint[] = []
  let north = 0
  for (let ms = at('08:00:00'), step = 0; ms < at('10:00:00'); ms += 15_000, step += 1) {
    const stands = ms >= at('08:40:00') && ms < at('09:00:00')
    const speed = stands ? 0 : 20 + (step % 7) * 4.3
    north += stands ? 0 : (speed / 3.6) * 15
    const latitude = stands ? STADIUM.latitude + (step % 3) * 10 * METER : 32.78 + north * METER
    const isTunnel = ms >= at('09:20:00') && ms < at('09:26:00')
    if (!isTunnel)
      fixes.push({ at: ms, latitude, longitude: -96.8 - step * 1e-5, speedKmh: Math.round(speed * 10) / 10 })
  }
  return fixes
}

const morning = recordMorning()

/** Shuffled by a fixed order, and every third fix twice. */
const shuffled = (fixes: readonly TrackPoint[]): TrackPoint[] =>
  [...fixes, ...fixes.filter((_, index) => index % 3 === 0)]
    .map((fix, index) => ({ fix, key: (index * 7919) % 1009 }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ fix }) => fix)

let count = 0

/** What a truck's day has become: every position, miles, coverage, stops and grades, as one text. */
async function dayBy(sender: Sender, fixes: readonly TrackPoint[]): Promise<string> {
  const truck = await fleet.addTruck()
  const shift = await fleet.addShift(truck.uid, '08:00', '10:00')
  await sql`update shift set stops = ${JSON.stringify([{ ...STADIUM, minMinutes: 10, note: '' }])}::jsonb
             where uid = ${shift}`.execute(db)
  const { program_uid: program } = await db
    .selectFrom('shift')
    .select('program_uid')
    .where('uid', '=', shift)
    .executeTakeFirstOrThrow()
  const source = sender.kind === 'geotab' ? { uid: '', key: '' } : await addSource(sender.kind)
  const id = sender.kind === 'geotab' ? truck.device : `unit-${++count}`
  if (source.uid) await fleet.addTracker(source.uid, truck.uid, id)
  await sender.send({ node, key: source.key, id, fixes, hear: (batch) => fleet.hear(batch, NOW) })
  await fleet.remeasureAll(NOW)
  await storeStopVisits(db, true)
  const art = await players.addArtwork(program)
  const device = await players.addDevice(truck.uid)
  const plays = Array.from({ length: 60 }, (_, n) =>
    players.aPlay(art, {
      playId: `p${n}`,
      sequence: n + 1,
      startedAt: new Date(at('07:55:00') + n * 130_000).toISOString(),
      durationMs: 8000,
      place: { latitude: 32.78 + n * 0.0035, longitude: -96.8 },
    }),
  )
  await storePlays(db, device, plays)
  const { rows } = await sql<{ day: string }>`
    select json_build_array(
      (select json_agg(to_jsonb(p) - 'truck_uid' - 'received_at' order by at) from position p where truck_uid = ${truck.uid}),
      (select json_agg(to_jsonb(t) - 'truck_uid' - 'computed_at' order by day) from truck_day_track t where truck_uid = ${truck.uid}),
      (select json_agg(to_jsonb(t) - 'truck_uid' - 'shift_uid' - 'computed_at') from shift_track t where truck_uid = ${truck.uid}),
      (select json_agg(to_jsonb(t) - 'shift_uid' - 'computed_at') from shift_stop_track t where shift_uid = ${shift}),
      (select json_agg(json_build_array(play_id, grade, reason) order by sequence) from play where truck_uid = ${truck.uid})
    )::text as day`.execute(db)
  return (rows[0]?.day ?? '').replaceAll(shift, 'shift')
}

const [first, ...others] = senders
if (!first) throw new Error('There are senders.')
const expected = await dayBy(first, morning)

test('the recorded day has miles, stops, plays of several grades, and less than full coverage', async () => {
  const [positions, , [track], stops, plays] = JSON.parse(expected) as [
    unknown[],
    unknown,
    object[],
    object[],
    string[][],
  ]
  expect(positions).toHaveLength(morning.length)
  expect(track).toMatchObject({ gps_metres: expect.any(Number) })
  const { gps_metres: meters, coverage } = track as { gps_metres: number; coverage: number }
  expect(meters).toBeGreaterThan(20_000)
  expect(coverage).toBeGreaterThan(0.8)
  expect(coverage).toBeLessThan(1)
  expect(stops).toHaveLength(1)
  expect(new Set(plays.map(([, grade]) => grade)).size).toBeGreaterThan(1)
})

test.each(others)('$name: the same miles, grades, stops and coverage, byte for byte', async (sender) => {
  expect(await dayBy(sender, morning)).toBe(expected)
})

test.each(senders)('$name: also shuffled and with repeats', async (sender) => {
  expect(await dayBy(sender, shuffled(morning))).toBe(expected)
})
