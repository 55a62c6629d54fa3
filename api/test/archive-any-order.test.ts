import type { Play } from '@roadshow/contract'
import { seeded, shuffle } from '@roadshow/test-kit/random'
import { openWorld } from '@roadshow/test-kit/world'
import { expect, test } from 'vitest'
import { archiveOf, daysAgo, type PastTruck } from '../src/live/plays/archive/test-archive.ts'
import { DALLAS, northOf } from '../src/live/players/test-fleet.ts'

// Late plays, doubles, late tracks, changed shifts and runs of the archive in any order give the same ad log as without an
// archive.

const world = await openWorld()
const { db } = world
const past = archiveOf(world)
const { addTruck, addPosition, store, grade, archive, adLogOf, rowsLeft, errors } = past

const MINUTE = 60_000
const DAYS = [100, 99, 61]
const startOf = (day: number) => daysAgo(day) + 18 * 60 * MINUTE

/** What happens on the road, the same for every truck. */
function eventsOf(seed: number) {
  const random = seeded(seed)
  const plays = DAYS.flatMap((day) =>
    Array.from({ length: 30 }, () => ({
      // Some before and after the shift, and after midnight.
      startedAt: new Date(startOf(day) + (random(12 * 60) - 60) * MINUTE + random(MINUTE)).toISOString(),
      side: (['rear', 'driverSide', 'passengerSide'] as const)[random(3)] ?? ('rear' as const),
      // Some are too long, and some overlap others.
      durationMs: random(15) === 0 ? 700_000 : random(4) === 0 ? 400_000 : 2000 + random(30_000),
      isOtherFile: random(20) === 0,
      place: random(3) === 0 ? northOf(DALLAS, random(3000)) : null,
    })),
  )
  const fixes = DAYS.map((day) =>
    Array.from({ length: 4 }, (_, n) => ({
      at: new Date(startOf(day) + (n * 150 + random(100)) * MINUTE + 7000).toISOString(),
      place: northOf(DALLAS, random(6) === 0 ? 25_000 : random(400)),
    })),
  )
  return { plays, fixes }
}

const playsOfTruck = ({ art }: PastTruck, plays: ReturnType<typeof eventsOf>['plays']): Play[] =>
  plays.map(({ isOtherFile, ...play }, index) => ({
    ...play,
    playId: `p${index}`,
    sequence: index + 1,
    artworkSetUid: art.uid,
    sha256: isOtherFile ? 'f'.repeat(64) : art.sha256,
  }))

/** The shift of a day ends earlier than planned, as its driver reports late. */
const shorten = (truck: PastTruck, day: number) => () =>
  db
    .updateTable('shift')
    .set({ started_at: new Date(startOf(day)), stopped_at: new Date(startOf(day) + 5 * 60 * MINUTE) })
    .where('truck_uid', '=', truck.truckUid)
    .where('starts_at', '=', new Date(startOf(day)).toISOString())
    .execute()

function stepsOf(truck: PastTruck, seed: number): (() => Promise<unknown>)[] {
  const { plays, fixes } = eventsOf(seed)
  const sent = playsOfTruck(truck, plays)
  const batches = Array.from({ length: 9 }, (_, n) => sent.filter((_play, index) => index % 9 === n))
  return [
    ...batches.map((batch) => () => store(truck, batch)),
    // Doubles.
    () => store(truck, sent.slice(0, 25)),
    () => store(truck, sent.slice(50, 70)),
    ...fixes.map((page) => async () => {
      for (const { at, place } of page) await addPosition(truck.truckUid, at, place)
    }),
    shorten(truck, 99),
    shorten(truck, 61),
  ]
}

/** The ad log without what differs from truck to truck. */
async function resultOf(truck: PastTruck): Promise<string> {
  const log = await adLogOf(truck)
  return JSON.stringify(log, (key, value: unknown) => (key === 'receivedAt' ? 0 : value), 1)
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}|(?<=(?:Program|Client) )\d+/g, '#')
    .replace(/,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,(late)?,#\\n/g, ',#,$1,#\\n')
}

const SEED = 7
let expected = ''

test('without an archive', async () => {
  const truck = await addTruck(DAYS)
  for (const step of stepsOf(truck, SEED)) await step()
  await grade()
  expected = await resultOf(truck)
  expect(expected).toContain('overlap')
  expect(expected).toContain('verified')
}, 120_000)

test.each([1, 2, 3])(
  'with an archive, in order %i',
  async (order) => {
    const random = seeded(order)
    const truck = await addTruck(DAYS)
    const archiving = Array.from({ length: 4 }, () => async () => {
      await grade()
      await archive()
    })
    for (const step of shuffle([...stepsOf(truck, SEED), ...archiving, archive, grade], random)) await step()
    await grade()
    expect(await resultOf(truck)).toBe(expected)
    await archive()
    expect([errors, await rowsLeft()]).toEqual([[], 0])
    expect(await resultOf(truck)).toBe(expected)
  },
  180_000,
)
