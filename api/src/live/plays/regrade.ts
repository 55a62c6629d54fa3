import { DAY_MS, NIL_UUID, type PlayReason, type PopGrade } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import { sharedNow } from '../../platform/db/clock.ts'
import { type Db, inTransaction, prepared } from '../../platform/db/connection.ts'
import { keptSince } from '../../platform/db/partitions.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import { playsKeptSince, readSettings } from '../../catalog/settings/index.ts'
import type { ParquetFiles } from '../../platform/parquet/index.ts'
import { FIX_COVERS_MS } from '../evidence/index.ts'
import { lockArchivedDays } from './archive/needed-days.ts'
import { mayBeArchived } from './archive/rules.ts'
import { thawDay } from './archive/thaw.ts'
import { evidenceFor, type GradingLimits, type IdentifiedClaim, LONGEST_PLAY } from './facts.ts'
import { noteFigureChanges } from './figure-changes.ts'
import { gradePlay, type HeldShift } from './grade.ts'
import { noteCorrections } from './corrections.ts'
import { dayAtHome, type HomeZone, readHomeZone } from './home-zone.ts'
import { LONGEST_REPEATED_MS, longestShowingMs } from './overlaps.ts'
import { rollUp } from './rollup.ts'

/** A play as it is stored; its claim names the program and the file of its artwork. */
interface StoredPlay extends IdentifiedClaim {
  deviceUid: string
  playId: string
  startedAt: string
  shiftUid: string | null
  marketUid: string | null
  day: string
  grade: PopGrade
  reason: PlayReason | null
}

const AT_ONCE = 5000

interface Regrading {
  play: StoredPlay
  grade: PopGrade
  reason?: PlayReason | undefined
  shift?: HeldShift
}

/** Whether grading has changed anything about a play. */
const isChange = ({ play, grade, reason, shift }: Regrading): boolean =>
  grade !== play.grade ||
  (reason ?? null) !== play.reason ||
  (shift?.uid ?? null) !== play.shiftUid ||
  (shift !== undefined && (shift.marketUid !== play.marketUid || shift.day !== play.day))

/** The plays of a truck that are graded otherwise now. */
interface TruckChanges {
  truckUid: string
  home: HomeZone
  changes: readonly Regrading[]
}

/** Changes plays and, in the same statement, the rollups and figures by what each play really changed. */
function changeStatement({ truckUid, home, changes }: TruckChanges): RawBuilder<unknown> {
  const [first, last] = [changes[0]?.play.startedAt, changes.at(-1)?.play.startedAt]
  const truck = sql`${truckUid}::uuid`
  const regraded = rowsAsTable('g', changes, {
    device_uid: ['uuid', ({ play }) => play.deviceUid],
    play_id: ['text', ({ play }) => play.playId],
    started_at: ['timestamptz', ({ play }) => play.startedAt],
    grade: ['text', ({ grade }) => grade],
    reason: ['text', ({ reason }) => reason],
    program_uid: ['uuid', ({ play }) => play.programUid],
    shift_uid: ['uuid', ({ shift }) => shift?.uid],
    market_uid: ['uuid', ({ shift }) => shift?.marketUid],
    day: ['date', ({ shift }) => shift?.day],
  })
  const was = sql`was.started_at, ${truck} as truck_uid, was.side, was.duration_ms, was.address_uid`
  // Not prepared: only the days asked for are touched when their times are known to the planner.
  return sql`
  with was as materialized (
    select p.device_uid, p.play_id, p.started_at, p.received_at, p.side, p.duration_ms, p.address_uid, p.shift_uid,
           p.program_uid, p.market_uid, p.day, p.grade, p.reason, g.program_uid as new_program_uid,
           g.shift_uid as new_shift_uid, g.market_uid as new_market_uid, g.grade as new_grade, g.reason as new_reason,
           coalesce(g.day, ${dayAtHome(home, sql`p.started_at`)}) as new_day
      from ${regraded}
      join play p on p.truck_uid = ${truck} and p.started_at = g.started_at and p.device_uid = g.device_uid
       and p.play_id = g.play_id
     where p.started_at >= ${first} and p.started_at <= ${last}
  ), changed as (
    update play p set grade = was.new_grade, reason = was.new_reason, shift_uid = was.new_shift_uid,
                      program_uid = was.new_program_uid, market_uid = was.new_market_uid, day = was.new_day
      from was
     where p.truck_uid = ${truck} and p.started_at = was.started_at and p.device_uid = was.device_uid
       and p.play_id = was.play_id and p.started_at >= ${first} and p.started_at <= ${last}
  ), moved as (
    select ${was}, shift_uid, program_uid, market_uid, day, grade, reason, -1 as sign from was
    union all
    select ${was}, new_shift_uid, new_program_uid, new_market_uid, new_day, new_grade, new_reason, 1 from was
  ), ${rollUp('moved', sql.ref('sign'))}, ${noteCorrections(truck)}, ${noteFigureChanges(truck)}
  select 1`
}

/** Moments of a truck whose plays are graded again. */
export interface PlayStretch {
  truckUid: string
  from: number
  to: number
}

/** What a run of grading is told beforehand: one reading serves all of its trucks. */
export interface RunLimits extends GradingLimits {
  now: number
  /** Positions and plays are kept since then. */
  kept: number
}

/** What holds for grading now. */
export async function readRunLimits(db: Db): Promise<RunLimits> {
  const settings = await readSettings(db)
  const { keepPositionsDays, outsideMarketByMetres: outsideByM } = settings
  const now = await sharedNow(db)
  const { rows } = await sql<{ ms: number }>`select ${LONGEST_PLAY} as ms`.execute(db)
  const kept = Math.max(keptSince(keepPositionsDays, now), playsKeptSince(settings, now))
  return { outsideByM, now, kept, longestMs: rows[0]?.ms ?? LONGEST_REPEATED_MS }
}

interface RegradeOptions {
  /** Read again if not given. */
  limits?: RunLimits
  signal?: AbortSignal | undefined
  /** Brings plays back that are archived; needed for plays that are old enough. */
  parquet?: ParquetFiles | undefined
}

const WINDOW_MS = 2 * DAY_MS

/**
 * Grades the plays of a truck between two moments again, by everything that is known now, and returns how many changed.
 * Plays whose positions are no longer kept keep their grade.
 */
export async function regrade(
  db: Db,
  { truckUid, from, to }: PlayStretch,
  options: RegradeOptions = {},
): Promise<number> {
  const limits = options.limits ?? (await readRunLimits(db))
  const until = Math.min(to + FIX_COVERS_MS, limits.now + WINDOW_MS)
  let count = 0
  for (let start = Math.max(from - FIX_COVERS_MS, limits.kept); start <= until; start += WINDOW_MS) {
    const end = Math.min(start + WINDOW_MS - 1, until)
    count += await regradeWindow(db, { truckUid, from: start, to: end, limits }, options)
    if (options.signal?.aborted) break
  }
  return count
}

type PlayOffset = Pick<StoredPlay, 'startedAt' | 'deviceUid' | 'playId'>

/** A part of a stretch that touches few days. */
interface PlayWindow extends PlayStretch {
  limits: RunLimits
}

async function regradeWindow(db: Db, stretch: PlayWindow, { signal, parquet }: RegradeOptions): Promise<number> {
  let after: PlayOffset = { startedAt: '-infinity', deviceUid: NIL_UUID, playId: '' }
  let count = 0
  for (;;) {
    if (signal?.aborted) return count
    const { changed, last, archived } = await regradePage(db, stretch, after)
    for (const day of archived) await thawDay({ db, parquet: required(parquet) }, day)
    if (archived.length > 0) continue
    count += changed
    if (!last) return count
    after = last
  }
}

function required(parquet: ParquetFiles | undefined): ParquetFiles {
  if (!parquet) throw new Error('Grading old plays needs the archive.')
  return parquet
}

/** The archived days that grading a window needs; plays before and after it may overlap its plays. */
const archivedDays = async (db: Db, { truckUid, from, to, limits: { longestMs, now } }: PlayWindow) =>
  mayBeArchived(from - longestMs, now)
    ? lockArchivedDays(db, { truckUid, from: from - longestMs, to: to + longestMs })
    : []

/** One page in one transaction: a truck's plays are graded by one node at a time, with the evidence of that moment. */
const regradePage = (db: Db, stretch: PlayWindow, after: PlayOffset) =>
  inTransaction(db, async (db) => {
    await sql`select pg_advisory_xact_lock(hashtext('grade plays'), hashtext(${stretch.truckUid}))`.execute(db)
    const archived = await archivedDays(db, stretch)
    if (archived.length > 0) return { changed: 0, last: undefined, archived }
    const plays = await readStored(db, stretch, after)
    const changed = plays.length > 0 ? await regradePlays(db, stretch, plays) : 0
    return { changed, last: plays.length === AT_ONCE ? plays.at(-1) : undefined, archived }
  })

async function readStored(db: Db, { truckUid, from, to }: PlayStretch, after: PlayOffset): Promise<StoredPlay[]> {
  const [first, last] = [new Date(from).toISOString(), new Date(to).toISOString()]
  // Not prepared: only the days asked for are touched when their times are known to the planner.
  const { rows } = await sql<Omit<StoredPlay, 'longestMs'> & { longestMs: number | null }>`
    select p.device_uid || ' ' || p.play_id as key, p.device_uid as "deviceUid", p.play_id as "playId",
           p.started_at as "startedAt", (extract(epoch from p.started_at) * 1000)::float8 as at, p.side,
           p.duration_ms as "durationMs", case when p.latitude is not null and p.longitude is not null
             then json_build_object('latitude', p.latitude, 'longitude', p.longitude) end as place,
           a.program_uid as "programUid", f.longest_ms is not null as "isFileOfSet", f.longest_ms as "longestMs",
           p.shift_uid as "shiftUid", p.market_uid as "marketUid", p.day, p.grade, p.reason
      from play p join artwork_set a on a.uid = p.artwork_set_uid
      left join artwork_set_file f on f.set_uid = p.artwork_set_uid and f.sha256 = p.sha256
     where p.truck_uid = ${truckUid} and p.started_at >= ${first} and p.started_at <= ${last}
       and (p.started_at, p.device_uid, p.play_id)
           > (${after.startedAt}::timestamptz, ${after.deviceUid}::uuid, ${after.playId}::text)
     order by p.started_at, p.device_uid, p.play_id limit ${sql.lit(AT_ONCE)}`.execute(db)
  return rows.map((play) => ({ ...play, longestMs: longestShowingMs(play.longestMs) }))
}

async function regradePlays(db: Db, { truckUid, limits }: PlayWindow, plays: StoredPlay[]): Promise<number> {
  const evidence = await evidenceFor(db, truckUid, plays, limits)
  const changes = plays.map((play): Regrading => ({ play, ...gradePlay(play, evidence) })).filter(isChange)
  if (changes.length === 0) return 0
  await changeStatement({ truckUid, home: await readHomeZone(db, truckUid), changes }).execute(db)
  await removeEmptyHours(db, truckUid, changes)
  return changes.length
}

async function removeEmptyHours(db: Db, truckUid: string, changes: readonly Regrading[]): Promise<void> {
  const [first, last] = [changes[0]?.play.startedAt, changes.at(-1)?.play.startedAt]
  for (const table of ['play_hour', 'play_address_hour'] as const) {
    await prepared(sql`delete from ${sql.table(table)}
               where truck_uid = ${truckUid} and plays = 0
                 and hour between date_trunc('hour', ${first}::timestamptz) and ${last}::timestamptz`).execute(db)
  }
}
