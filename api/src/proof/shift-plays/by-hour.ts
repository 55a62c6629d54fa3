import type { PlaysOfShift, Shift, TruckSide } from '@roadshow/contract'
import { LONGEST_PAUSE_MS } from '@roadshow/contract/planning/loop-delivery'
import { hourStart } from '@roadshow/contract/planning/loop-stretches'
import { sql } from 'kysely'
import {
  daysWithPlays,
  type PlayFilter,
  type PlayList,
  type PlayStores,
  readKeptSince,
  streamPlayGroups,
} from '../../live/plays/index.ts'
import { shiftRecords } from '../../planning/shifts/index.ts'
import { anyOf } from '../../platform/db/any-of.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { loadRotationChange } from './rotation-change.ts'

interface Play {
  at: number
  durationMs: number
  side: TruckSide
  setUid: string
  isForAddress: boolean
}

const list: PlayList = {
  columns: sql`(extract(epoch from p.started_at) * 1000)::float8 as at, p.duration_ms as "durationMs", p.side,
    p.artwork_set_uid as "setUid", a.artwork_set_uid is not null as "isForAddress"`,
  joins: sql`left join sd_address a on a.uid = p.address_uid`,
}

/** The plays that the ad log lists for a shift. */
const playsOf = ({ uid, program }: Shift): PlayFilter => ({
  shift: uid,
  program: [program.uid],
  page: 1,
  pageSize: 1,
  sort: 'startedAt',
})

type Counted = Pick<PlaysOfShift, 'runs'> & { hours: (Omit<Play, 'at' | 'durationMs'> & HourCount)[] }

interface HourCount {
  hour: number
  plays: number
}

/** Plays are many, hours are few: they are counted while they are read. */
async function countPlays(stores: PlayStores, shift: Shift): Promise<Counted> {
  const query = playsOf(shift)
  const hours = new Map<string, Counted['hours'][number]>()
  const runs: Counted['runs'] = []
  const selection = { query, days: await daysWithPlays(stores.db, query) }
  const count = ({ at, durationMs, side, setUid, isForAddress }: Play) => {
    const hour = hourStart(shift, at)
    const key = `${hour} ${setUid} ${side} ${isForAddress}`
    const counted = hours.get(key) ?? { hour, setUid, side, isForAddress, plays: 0 }
    hours.set(key, { ...counted, plays: counted.plays + 1 })
    const last = runs.at(-1)
    if (last && at - last.to <= LONGEST_PAUSE_MS) last.to = Math.max(last.to, at + durationMs)
    else runs.push({ from: at, to: at + durationMs })
  }
  for await (const plays of streamPlayGroups<Play>(stores, selection, list)) plays.forEach(count)
  return { hours: [...hours.values()], runs }
}

async function namesOfSets(db: Db, uids: readonly string[]): Promise<Map<string, string>> {
  const sets = await db.selectFrom('artwork_set').select(['uid', 'name']).where('uid', '=', anyOf(uids)).execute()
  return new Map(sets.map(({ uid, name }) => [uid, name]))
}

/** Whether plays of the shift can be counted by artwork: the rollup by hour, which is kept for good, does not know it. */
async function playLogOf(db: Db, { truck, startsAt }: Shift): Promise<PlaysOfShift['playLog']> {
  const { kind } = await db.selectFrom('truck').select('kind').where('uid', '=', truck.uid).executeTakeFirstOrThrow()
  if (kind === 'printed') return 'printed'
  return Date.parse(startsAt) < Date.parse(await readKeptSince(db)) ? 'old' : 'kept'
}

/** What a shift of its reader played, hour by hour. */
export async function loadPlaysByHour(
  stores: PlayStores,
  scope: Scope,
  { uid, now }: { uid: string; now: number },
): Promise<PlaysOfShift> {
  const { db } = stores
  const shift = await shiftRecords.get(db, scope, uid)
  const playLog = await playLogOf(db, shift)
  const { hours, runs } = playLog === 'kept' ? await countPlays(stores, shift) : { hours: [], runs: [] }
  const names = await namesOfSets(db, [...new Set(hours.map(({ setUid }) => setUid))])
  const since = runs[0]?.from ?? Date.parse(shift.startsAt)
  return {
    countedAt: new Date(now).toISOString(),
    isRunning: shift.status === 'out' || (shift.status === 'planned' && Date.parse(shift.endsAt) > now),
    playLog,
    hours: hours.map(({ setUid, ...counted }) => ({
      ...counted,
      artwork: { uid: setUid, name: names.get(setUid) ?? '' },
    })),
    runs,
    rotationChangedAt: await loadRotationChange(db, shift, new Date(since)),
  }
}
