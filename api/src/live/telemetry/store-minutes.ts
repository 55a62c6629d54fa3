import type { PositionSourceKind, TrackPoint } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { dayOf, groupsOfWindow } from '../../platform/db/partitions.ts'
import { plainArray } from '../../platform/db/plain-array.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import { compareFixes } from './miles.ts'
import {
  accuracyClass,
  type Claim,
  GEOTAB_SOURCE,
  isLastResort,
  minuteOf,
  precedesInMinute,
  rankOf,
} from './minute-rules.ts'
import type { TrackerFix } from './records.ts'
import { storePositions } from './store-positions.ts'

/** A minute of a truck in which a source has sent fixes. */
interface TruckMinute {
  truck: string
  at: number
  fixes: TrackerFix[]
  /** The best class of the source's accuracy in this minute. */
  accuracy: number
}

/** Which source counts in a minute. */
interface Winner {
  source: string
  accuracy: number
}

export interface StoredFixes {
  /** Fixes that count now and did not before. */
  fixes: TrackerFix[]
  /** Fixes of other sources that do not count any more, ordered truck by truck. */
  removed: (TrackPoint & { truck: string })[]
  /** New fixes that wait, because another source counts in their minute. */
  spare: TrackerFix[]
}

const byTime = (one: TruckMinute, other: TruckMinute) => one.at - other.at
const keyOf = ({ truck, at }: { truck: string; at: number }) => `${truck} ${at}`

/**
 * Stores the fixes of a source. In each minute of a truck one source counts: its fixes are in `position`, those of the
 * others wait in `position_spare`. A source that turns out to be better moves the fixes of the other one out, so that
 * what counts depends on what was sent, and never on its order.
 */
export async function storeByMinute(db: Db, source: string, fixes: TrackerFix[]): Promise<StoredFixes> {
  const contested = source === GEOTAB_SOURCE ? await trucksOfOthers(db, fixes) : undefined
  // MyGeotab alone has placed these trucks, as in most fleets that use it.
  if (contested?.size === 0) return { fixes: await storePositions(db, fixes), removed: [], spare: [] }
  const plain = contested ? fixes.filter(({ truck }) => !contested.has(truck)) : []
  const minutes = minutesOf(contested ? fixes.filter(({ truck }) => contested.has(truck)) : fixes)
  const { own, won, lost } = await divide(db, source, minutes)
  await noteSource(db, source, isLastResort(source) ? [...own, ...won].toSorted(byTime) : minutes)
  const removed = await moveOut(db, won)
  const waited = await takeBack(db, source, won)
  await setWinners(db, source, [...own, ...won])
  const spare = await storeSpare(
    db,
    source,
    lost.flatMap((minute) => minute.fixes),
  )
  const counting = [...plain, ...[...own, ...won].flatMap((minute) => minute.fixes), ...waited]
  return { fixes: await storePositions(db, dropDoubled(counting)), removed, spare }
}

/** Of a new fix and one that has waited, which are of one moment, the one that counts is found when they are stored. */
function dropDoubled(fixes: readonly TrackerFix[]): TrackerFix[] {
  const found = new Map<string, TrackerFix>()
  for (const fix of fixes) {
    const same = found.get(keyOf(fix))
    if (!same || compareFixes(fix, same) < 0) found.set(keyOf(fix), fix)
  }
  return [...groupBy([...found.values()], ({ truck }) => truck).values()].flat()
}

/** The trucks of a batch that another source than MyGeotab has placed. */
export async function trucksOfOthers(db: Db, fixes: readonly TrackerFix[]): Promise<Set<string>> {
  const trucks = [...new Set(fixes.map(({ truck }) => truck))]
  if (trucks.length === 0) return new Set()
  const { rows } = await sql<{ truck: string }>`
    select distinct truck_uid as truck from truck_source
     where truck_uid = any(${plainArray(trucks)}::uuid[])`.execute(db)
  return new Set(rows.map(({ truck }) => truck))
}

function minutesOf(fixes: readonly TrackerFix[]): TruckMinute[] {
  const minutes = new Map<string, TruckMinute>()
  for (const fix of fixes) {
    const at = minuteOf(fix.at)
    const accuracy = accuracyClass(fix.accuracyM)
    const known = minutes.get(keyOf({ truck: fix.truck, at }))
    if (!known) minutes.set(keyOf({ truck: fix.truck, at }), { truck: fix.truck, at, fixes: [fix], accuracy })
    else {
      known.fixes.push(fix)
      known.accuracy = Math.min(known.accuracy, accuracy)
    }
  }
  return [...minutes.values()].toSorted(byTime)
}

/** Notes that a source places trucks, and by which minute last; of phones and players, those in which they count. */
async function noteSource(db: Db, source: string, minutes: readonly TruckMinute[]): Promise<void> {
  if (source === GEOTAB_SOURCE || minutes.length === 0) return
  const newest = [...new Map(minutes.map(({ truck, at }) => [truck, at]))].map(([truck, at]) => ({ truck, at }))
  const given = rowsAsTable('g', newest, {
    truck_uid: ['uuid', ({ truck }) => truck],
    ms: ['float8', ({ at }) => at],
  })
  await sql`
    insert into truck_source (truck_uid, source_uid, last_at)
    select truck_uid, ${source}::uuid, to_timestamp(ms / 1000) from ${given}
        on conflict (truck_uid, source_uid) do update set last_at = excluded.last_at
     where excluded.last_at > truck_source.last_at`.execute(db)
}

interface WonMinute extends TruckMinute {
  /** Which source counted until now. */
  before: Winner
  /** Whether the other source may count again: a phone never does once a tracker has spoken. */
  mayReturn: boolean
}

interface Divided {
  /** Minutes in which the source counts already, or no other one has sent anything. */
  own: TruckMinute[]
  /** Minutes in which it counts from now on. */
  won: WonMinute[]
  /** Minutes in which another source counts for now. Those in which one of a better rank does are dropped. */
  lost: TruckMinute[]
}

async function divide(db: Db, source: string, minutes: readonly TruckMinute[]): Promise<Divided> {
  const winners = await winnersOf(db, source, minutes)
  const others = minutes.filter((minute) => (winners.get(keyOf(minute))?.source ?? source) !== source)
  const waiting = await waitingClasses(db, source, others)
  const kinds = others.length > 0 ? await readKinds(db) : new Map<string, PositionSourceKind>()
  const claimOf = (of: Winner): Claim => ({ ...of, rank: rankOf(kinds.get(of.source) ?? 'json') })
  const divided: Divided = { own: [], won: [], lost: [] }
  for (const minute of minutes) {
    const winner = winners.get(keyOf(minute))
    if (!winner || winner.source === source) {
      divided.own.push({ ...minute, accuracy: Math.min(minute.accuracy, winner?.accuracy ?? Infinity) })
      continue
    }
    const accuracy = Math.min(minute.accuracy, waiting.get(keyOf(minute)) ?? Infinity)
    const [own, other] = [claimOf({ source, accuracy }), claimOf(winner)]
    const mayReturn = own.rank === other.rank
    if (precedesInMinute(own, other)) divided.won.push({ ...minute, accuracy, before: winner, mayReturn })
    else if (mayReturn) divided.lost.push(minute)
  }
  return divided
}

/** Minutes as a table of SQL, in groups that one statement may read: with the outermost times known, only their weeks are. */
const groupsOf = (minutes: readonly TruckMinute[]) =>
  groupsOfWindow([...minutes], ({ at }) => at).map((group) => ({
    group,
    given: rowsAsTable(
      'g',
      group,
      { truck_uid: ['uuid', ({ truck }) => truck], minute: ['timestamptz', ({ at }) => new Date(at).toISOString()] },
      { ordinality: 'n' },
    ),
    from: new Date(group[0]?.at ?? NaN),
    until: new Date((group.at(-1)?.at ?? NaN) + 60_000),
  }))

/** The sources that count in minutes. MyGeotab's have no row, but positions. */
async function winnersOf(db: Db, source: string, minutes: readonly TruckMinute[]): Promise<Map<string, Winner>> {
  const winners = new Map<string, Winner>()
  for (const { group, given, from, until } of groupsOf(minutes)) {
    const { rows } = await sql<{ n: number; source: string; accuracy: number }>`
      select g.n, m.source_uid as source, m.accuracy
        from ${given} join position_minute m on m.truck_uid = g.truck_uid and m.at = g.minute
       where m.at >= ${from} and m.at < ${until}`.execute(db)
    for (const { n, ...winner } of rows) winners.set(keyOf(group[n - 1] as TruckMinute), winner)
  }
  if (source === GEOTAB_SOURCE) return winners
  const others = minutes.filter((minute) => !winners.has(keyOf(minute)))
  for (const { group, given, from, until } of groupsOf(others)) {
    const { rows } = await sql<{ n: number }>`
      select distinct g.n from ${given}
        join position p on p.truck_uid = g.truck_uid and p.at >= g.minute and p.at < g.minute + interval '60 seconds'
       where p.at >= ${from} and p.at < ${until}`.execute(db)
    for (const { n } of rows) winners.set(keyOf(group[n - 1] as TruckMinute), { source: GEOTAB_SOURCE, accuracy: 0 })
  }
  return winners
}

/** The best class of what a source has waiting in minutes. */
async function waitingClasses(db: Db, source: string, minutes: readonly TruckMinute[]): Promise<Map<string, number>> {
  const classes = new Map<string, number>()
  for (const { group, given, from, until } of groupsOf(minutes)) {
    const { rows } = await sql<{ n: number; accuracy: number }>`
      select g.n, min(s.accuracy) as accuracy from ${given}
        join position_spare s on s.truck_uid = g.truck_uid and s.source_uid = ${source}
         and s.at >= g.minute and s.at < g.minute + interval '60 seconds'
       where s.at >= ${from} and s.at < ${until}
       group by g.n`.execute(db)
    for (const { n, accuracy } of rows) classes.set(keyOf(group[n - 1] as TruckMinute), accuracy)
  }
  return classes
}

async function readKinds(db: Db): Promise<Map<string, PositionSourceKind>> {
  const rows = await db.selectFrom('position_source').select(['uid', 'kind']).execute()
  return new Map(rows.map(({ uid, kind }) => [uid, kind as PositionSourceKind]))
}

/** Minutes of one truck and day: what one statement moves. */
const byTruckAndDay = (minutes: readonly TruckMinute[]) =>
  [...groupBy([...minutes], ({ truck, at }) => `${truck} ${dayOf(at)}`).values()].map((group) => ({
    truck: group[0]?.truck ?? '',
    from: new Date(group[0]?.at ?? NaN),
    until: new Date((group.at(-1)?.at ?? NaN) + 60_000),
    minutes: plainArray(group.map(({ at }) => new Date(at).toISOString())),
  }))

const isIn = (column: string, minutes: string) =>
  sql`date_bin('1 minute', ${sql.ref(column)}, timestamptz 'epoch') = any(${minutes}::timestamptz[])`

type MovedRow = TrackPoint & { truck: string }
const MOVED = sql`truck_uid as truck, (extract(epoch from at) * 1000)::float8 as at, latitude, longitude, speed_kmh as "speedKmh"`

/** Moves what counted in minutes that another source has won to where it waits, if it may count again. */
async function moveOut(db: Db, won: readonly WonMinute[]): Promise<MovedRow[]> {
  const moved: MovedRow[] = []
  for (const [before, minutes] of groupBy([...won], (minute) => minute.before.source)) {
    const classes = new Map(minutes.map((minute) => [keyOf(minute), minute.before.accuracy]))
    const fixes: MovedRow[] = []
    for (const part of byTruckAndDay(minutes)) {
      const { rows } = await sql<MovedRow>`
        delete from position
         where truck_uid = ${part.truck} and at >= ${part.from} and at < ${part.until} and ${isIn('at', part.minutes)}
        returning ${MOVED}`.execute(db)
      fixes.push(...rows)
    }
    const returning = new Set(minutes.filter(({ mayReturn }) => mayReturn).map(keyOf))
    const spare = fixes.filter(({ truck, at }) => returning.has(keyOf({ truck, at: minuteOf(at) })))
    await writeSpare(db, before, spare, ({ truck, at }) => classes.get(keyOf({ truck, at: minuteOf(at) })) ?? 0)
    moved.push(...fixes)
  }
  return [...groupBy(moved, ({ truck }) => truck).values()].flatMap((fixes) => fixes.toSorted(compareFixes))
}

/** Takes what a source had waiting in minutes that it has won now. */
async function takeBack(db: Db, source: string, won: readonly TruckMinute[]): Promise<TrackerFix[]> {
  const waited: TrackerFix[] = []
  for (const { truck, from, until, minutes } of byTruckAndDay(won)) {
    const { rows } = await sql<MovedRow>`
      delete from position_spare
       where truck_uid = ${truck} and source_uid = ${source} and at >= ${from} and at < ${until} and ${isIn('at', minutes)}
      returning ${MOVED}`.execute(db)
    waited.push(...rows)
  }
  return waited
}

/** Writes down which source counts. Minutes of MyGeotab have no row. */
async function setWinners(db: Db, source: string, minutes: readonly TruckMinute[]): Promise<void> {
  const ordered = minutes.toSorted(byTime)
  for (const { group, given, from, until } of groupsOf(ordered)) {
    if (source === GEOTAB_SOURCE) {
      await sql`
        delete from position_minute m using ${given}
         where m.truck_uid = g.truck_uid and m.at = g.minute and m.at >= ${from} and m.at < ${until}`.execute(db)
      continue
    }
    const rows = rowsAsTable('g', group, {
      truck_uid: ['uuid', ({ truck }) => truck],
      minute: ['timestamptz', ({ at }) => new Date(at).toISOString()],
      accuracy: ['int4', ({ accuracy }) => accuracy],
    })
    await sql`
      insert into position_minute (truck_uid, at, source_uid, accuracy)
      select truck_uid, minute, ${source}::uuid, accuracy from ${rows}
          on conflict (truck_uid, at) do update set source_uid = excluded.source_uid, accuracy = excluded.accuracy
       where (position_minute.source_uid, position_minute.accuracy) <> (excluded.source_uid, excluded.accuracy)`.execute(
      db,
    )
  }
}

/** Stores fixes that wait, and answers those that were not there. */
const storeSpare = (db: Db, source: string, fixes: TrackerFix[]): Promise<TrackerFix[]> =>
  writeSpare(db, source, fixes, ({ accuracyM }: TrackerFix) => accuracyClass(accuracyM))

/** Of two fixes of a source and a moment the smaller counts, and the better class, as in `position` and its minutes. */
async function writeSpare<Fix extends TrackPoint & { truck: string }>(
  db: Db,
  source: string,
  fixes: readonly Fix[],
  classOf: (fix: Fix) => number,
): Promise<Fix[]> {
  if (fixes.length === 0) return []
  const given = rowsAsTable('g', fixes, {
    truck_uid: ['uuid', ({ truck }) => truck],
    ms: ['float8', ({ at }) => at],
    accuracy: ['int4', classOf],
    latitude: ['float8', ({ latitude }) => latitude],
    longitude: ['float8', ({ longitude }) => longitude],
    speed_kmh: ['float8', ({ speedKmh }) => speedKmh],
  })
  const place = (row: string) =>
    sql`(${sql.ref(`${row}.latitude`)}, ${sql.ref(`${row}.longitude`)}, coalesce(${sql.ref(`${row}.speed_kmh`)}, 'Infinity'))`
  const isSmaller = sql`${place('excluded')} < ${place('position_spare')}`
  const smaller = (column: string) =>
    sql`case when ${isSmaller} then ${sql.ref(`excluded.${column}`)} else ${sql.ref(`position_spare.${column}`)} end`
  const { rows } = await sql<{ truck: string; at: number }>`
    insert into position_spare (truck_uid, at, source_uid, accuracy, latitude, longitude, speed_kmh)
    select truck_uid, to_timestamp(ms / 1000), ${source}::uuid, accuracy, latitude, longitude, speed_kmh from ${given}
        on conflict (truck_uid, at, source_uid) do update
       set accuracy = least(position_spare.accuracy, excluded.accuracy), latitude = ${smaller('latitude')},
           longitude = ${smaller('longitude')}, speed_kmh = ${smaller('speed_kmh')}
     where ${isSmaller} or excluded.accuracy < position_spare.accuracy
    returning truck_uid as truck, (extract(epoch from at) * 1000)::float8 as at`.execute(db)
  const written = new Set(rows.map(keyOf))
  return fixes.filter((fix) => written.has(keyOf(fix)))
}
