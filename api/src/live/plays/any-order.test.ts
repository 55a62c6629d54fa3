import { type Play, truckSides } from '@roadshow/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { fleetOf, northOf, DALLAS } from '../players/test-fleet.ts'
import { storeTelemetry } from '../telemetry/index.ts'
import { accountOfDevice, playTotals, storePlays } from './index.ts'
import { regradeSince } from './regrade-job.ts'

const world = await openWorld()
const { db } = world
const fleet = fleetOf(world)

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const TODAY = Math.floor(Date.now() / DAY) * DAY

/** Numbers that look random and are the same each time. */
function seeded(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function shuffle<T>(items: readonly T[], random: (below: number) => number): T[] {
  return items
    .map((item) => [random(1_000_000), item] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item)
}

const SHIFT_DAYS = [29, 12, 3]
const shiftStart = (daysAgo: number) => TODAY - daysAgo * DAY + 20 * 60 * MINUTE

interface Setting {
  truckUid: string
  device: { uid: string; truckUid: string }
  geotabId: string
  programUid: string
  marketUid: string
  art: { uid: string; sha256: string }
}

async function addSetting(name: string): Promise<Setting> {
  const geotabId = `geotab ${name}`
  const truckUid = await fleet.addTruck({ geotab_device_id: geotabId })
  const { uid: programUid } = await world.addProgram()
  return {
    truckUid,
    geotabId,
    programUid,
    device: await fleet.addDevice(truckUid),
    marketUid: await fleet.addMarket(),
    art: await fleet.addArtwork(programUid),
  }
}

/** What happened on the road, the same in each setting: plays, the track, and the shifts with their real hours. */
function eventsOf(seed: number) {
  const random = seeded(seed)
  const plays = SHIFT_DAYS.flatMap((daysAgo) =>
    Array.from({ length: 60 }, () => ({
      // Some before and after the shift, and after midnight.
      startedAt: new Date(shiftStart(daysAgo) + (random(9 * 60) - 30) * MINUTE + random(MINUTE)).toISOString(),
      side: truckSides[random(3)] ?? 'rear',
      durationMs: random(20) === 0 ? 700_000 : 2000 + random(30_000),
      isOtherFile: random(25) === 0,
      place: random(3) === 0 ? northOf(DALLAS, random(3000)) : null,
    })),
  )
  const fixes = SHIFT_DAYS.flatMap((daysAgo) =>
    Array.from({ length: 100 }, (_, n) => ({
      at: shiftStart(daysAgo) + n * 5 * MINUTE - random(MINUTE),
      ...northOf(DALLAS, random(24) === 0 ? 25_000 : random(400)),
      speedKmh: 20,
    })),
  )
  return { plays, fixes }
}

const playOf = ({ art }: Setting, plays: ReturnType<typeof eventsOf>['plays']): Play[] =>
  plays.map(({ isOtherFile, ...play }, index) => ({
    ...play,
    playId: `p${index}`,
    sequence: index + 1 + (index > 20 ? 2 : 0),
    artworkSetUid: art.uid,
    sha256: isOtherFile ? 'f'.repeat(64) : art.sha256,
  }))

const addShift = (setting: Setting, daysAgo: number) =>
  fleet.addShift({
    truckUid: setting.truckUid,
    programUid: setting.programUid,
    marketUid: setting.marketUid,
    from: shiftStart(daysAgo),
    to: shiftStart(daysAgo) + 8 * 60 * MINUTE,
    artwork_set_uid: setting.art.uid,
  })

/** A shift as it was planned, and later with the hours that were really driven. */
async function driveShift({ truckUid }: Setting, daysAgo: number): Promise<void> {
  const [started, stopped] = [shiftStart(daysAgo) - 10 * MINUTE, shiftStart(daysAgo) + 7 * 60 * MINUTE]
  await sql`update shift set status = 'completed', started_at = ${new Date(started)}, stopped_at = ${new Date(stopped)}
             where truck_uid = ${truckUid} and starts_at = ${new Date(shiftStart(daysAgo))}`.execute(db)
}

function splitAtRandom<T>(items: readonly T[], most: number, random: (below: number) => number): T[][] {
  const left = [...items]
  const parts: T[][] = []
  while (left.length > 0) parts.push(left.splice(0, 1 + random(most)))
  return parts
}

/** Everything arrives in an order, twice in part, in pieces of its own, and is graded in between. */
async function live(setting: Setting, seed: number, order: number) {
  const random = seeded(order)
  const { plays, fixes } = eventsOf(seed)
  let version = 0
  const send = (batch: Play[]) => () => storePlays(db, setting.device, batch)
  const feed = (page: typeof fixes) => () =>
    storeTelemetry(db, {
      cursor: {
        entity: setting.geotabId,
        from: version === 0 ? undefined : String(version),
        to: String(++version),
      },
      now: Date.now(),
      fixes: page.map((fix) => ({ truck: setting.geotabId, ...fix })),
      statuses: [],
      readings: [],
    })
  const played = playOf(setting, plays)
  const repeated = shuffle(played, random).slice(0, 40)
  const shifts = SHIFT_DAYS.flatMap((daysAgo) => [
    async () => {
      await addShift(setting, daysAgo)
      await driveShift(setting, daysAgo)
    },
  ])
  const steps: (() => Promise<unknown>)[] = shuffle(
    [
      ...splitAtRandom(shuffle(played, random), 90, random).map(send),
      ...splitAtRandom(repeated, 40, random).map(send),
      ...splitAtRandom(shuffle(fixes, random), 200, random).map(feed),
      ...shifts,
      () => regradeSince(db, '-infinity'),
    ],
    random,
  )
  for (const step of steps) await step()
  await regradeSince(db, '-infinity')
}

/** Everything that is shown about the plays of a setting, without uids. */
async function resultOf({ truckUid, programUid, device }: Setting) {
  const { rows: plays } = await sql`
    select p.play_id, p.grade, p.reason, p.day, (s.starts_at at time zone 'UTC') as shift
      from play p left join shift s on s.uid = p.shift_uid where p.truck_uid = ${truckUid} order by length(p.play_id), p.play_id`.execute(
    db,
  )
  const byMarket = await playTotals(db, 'all', { by: 'market', program: programUid })
  const { groups, others } = await playTotals(db, 'all', { by: 'day', program: programUid })
  const ordered = (rows: readonly object[]) =>
    rows
      .map((row) =>
        JSON.stringify(row, (key, value: unknown) => (/market|truck|number/.test(key) && value !== null ? 0 : value)),
      )
      .toSorted()
  return {
    plays,
    byMarket: ordered(byMarket),
    groups: ordered(groups),
    others: ordered(others),
    account: await accountOfDevice(db, device.uid),
  }
}

test.each([1, 2])(
  'any order, doubling and lateness of the same events gives the same grades and totals (%i)',
  async (seed) => {
    const results = []
    for (const order of [11, 12, 13]) {
      const setting = await addSetting(`${seed} ${order}`)
      await live(setting, seed, order)
      results.push(await resultOf(setting))
    }
    const [first, ...others] = results
    const grades = new Set(first?.plays.map((play) => (play as { grade: string }).grade))
    expect(grades).toEqual(new Set(['verified', 'unverified', 'conflict']))
    for (const other of others) expect(other).toEqual(first)
    const [counted, kept] = await fleet.countedAndKept()
    expect(kept).toEqual(counted)
  },
)
