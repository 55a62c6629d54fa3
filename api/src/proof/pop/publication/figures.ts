import type { PopDay, PopFigures, PopGaps } from '@roadshow/contract'
import { addDays } from '@roadshow/contract'
import { sql } from 'kysely'
import { NO_UID, playTotals } from '../../../live/plays/index.ts'
import { tookPlace, workedShifts } from '../../../planning/shifts/index.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { SqlFragment } from '../../../platform/db/records/fragments.ts'

/** Shifts `s` with their measured tracks `k`. A shift without any data of its truck has no track. */
const shiftsWithTracks = sql`shift s left join shift_track k on k.shift_uid = s.uid`

// Shifts are rounded to whole meters, so that sums agree in whatever order they are added.
const sumOfMeters = sql`coalesce(sum(round(k.metres)), 0)`

/** The distance of a program, as a column of a list of programs. */
export const metersColumn = (program: SqlFragment): SqlFragment =>
  sql`(select ${sumOfMeters} from ${shiftsWithTracks} where s.program_uid = ${program} and ${tookPlace('s')})`

/** How many shifts of a program took place, and of how many something was not recorded, as a column of a list. */
export const shiftCountsColumn = (program: SqlFragment): SqlFragment => sql`(
  select json_build_object('all', count(*), 'withoutGps', count(*) filter (where k.shift_uid is null),
                           'printed', count(*) filter (where tr.kind = 'printed'))
    from ${shiftsWithTracks} join truck tr on tr.uid = s.truck_uid
   where s.program_uid = ${program} and ${tookPlace('s')})`

interface MarketFigures {
  figures: PopFigures
  /** Each day on which a shift took place, in order. */
  days: PopDay[]
}

export interface ProgramFigures {
  total: PopFigures
  /** By the uid of the market. */
  markets: Map<string, MarketFigures>
}

const noPlays = { plays: 0, verifiedPlays: 0, conflictPlays: 0, playSeconds: 0 }

const zeroFigures = (): PopFigures => ({
  metres: 0,
  seconds: 0,
  shifts: 0,
  trucks: 0,
  days: 0,
  ...noPlays,
  gaps: { shiftsWithoutGps: 0, printedShifts: 0, printedTrucks: 0, playerOfflineSeconds: 0, runningShifts: 0 },
})

export const emptyMarketFigures = (): MarketFigures => ({ figures: zeroFigures(), days: [] })

/**
 * The figures of a program up to now: in total, by market and by day. Everything of a shift belongs to the local day on
 * which it started, so that days, rows of day tables and days of a document are the same.
 */
export async function loadPopFigures(db: Db, programUid: string): Promise<ProgramFigures> {
  const program: ProgramFigures = { total: zeroFigures(), markets: new Map() }
  await addDriven(db, programUid, program)
  await addPlayed(db, programUid, program)
  return program
}

function marketOf({ markets }: ProgramFigures, uid: string): MarketFigures {
  const known = markets.get(uid) ?? emptyMarketFigures()
  markets.set(uid, known)
  return known
}

/** The figures of programs on each day between two days on which a shift took place, by the uid of the program. */
export async function loadProgramDays(
  db: Db,
  programUids: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<Map<string, Required<PopDay>[]>> {
  const { rows } = await sql<Omit<PopDay, 'plays' | 'verifiedPlays' | 'gaps'> & PopGaps & { program: string }>`
    ${withDriven(
      sql`t.program_uid = any(${programUids}::uuid[]) and t.local_date between ${from}::date and ${to}::date`,
      sql`h.program_uid = any(${programUids}::uuid[]) and h.day between ${from}::date and ${to}::date
          and h.market_uid <> ${NO_UID}`,
    )}
    select d.program, d.day, ${sumsOfDriven} from driven d group by d.program, d.day order by d.day`.execute(db)
  const programs = new Map<string, Required<PopDay>[]>()
  for (const { program, day, metres, seconds, shifts, ...gaps } of rows) {
    const days = programs.get(program) ?? []
    days.push({ day, metres, plays: 0, verifiedPlays: 0, seconds, shifts, gaps })
    programs.set(program, days)
  }
  const played = await playTotals(db, 'all', { by: 'programDay', programs: programUids, from, to })
  for (const { program, day, plays, verified } of played)
    addToDay({ days: programs.get(program) ?? [] }, day, { plays, verifiedPlays: verified })
  return programs
}

type DrivenFigures = Pick<PopFigures, 'metres' | 'seconds' | 'shifts' | 'trucks' | 'days'> & PopGaps

/** The hours `hour` in which the shift `uid` of `worked` has plays. */
const playedHours = sql`
  select h.shift_uid as uid, h.hour from hours h where h.shift_uid <> ${NO_UID}
   union
  select w.uid, h.hour from hours h
    join worked w on w.truck_uid = h.truck_uid and w.market = h.market_uid
     and h.hour between w.first_hour - interval '1 hour' and w.end_hour
   where h.shift_uid = ${NO_UID}`

/**
 * The time of each shift for which its player logged nothing: the whole hours without a play, or the whole shift. A shift
 * that has just begun is given an hour.
 */
const offlineSeconds = sql`case when w.is_printed or (w.is_running and w.seconds < 3600) then 0
  when p.hours is null then w.seconds
  else greatest(0, extract(epoch from w.end_hour - w.first_hour) - 3600 * p.whole_hours) end`

/** Begins a statement with `driven`: shifts `t`, and for how long their players logged nothing, by the hours `h`. */
const withDriven = (shifts: SqlFragment, hours: SqlFragment): SqlFragment => sql`
    with worked as materialized (${workedShifts(shifts)}),
    hours as materialized (
      select distinct h.shift_uid, h.truck_uid, h.market_uid, h.hour from play_hour h where ${hours}),
    played as (
      select w.uid, count(*) as hours, count(*) filter (where h.hour >= w.first_hour and h.hour < w.end_hour) as whole_hours
        from worked w join (${playedHours}) h on h.uid = w.uid
       group by w.uid),
    driven as (select w.*, ${offlineSeconds} as offline_seconds from worked w left join played p on p.uid = w.uid)`

/** What shifts `d` did and what they did not record, as columns of sums. */
const sumsOfDriven = sql`
           coalesce(sum(d.metres), 0) as metres, coalesce(sum(d.seconds), 0)::bigint as seconds, count(*) as shifts,
           count(*) filter (where d.has_no_gps) as "shiftsWithoutGps",
           count(*) filter (where d.is_printed) as "printedShifts",
           count(distinct d.truck_uid) filter (where d.is_printed) as "printedTrucks",
           coalesce(sum(d.offline_seconds), 0)::bigint as "playerOfflineSeconds",
           count(*) filter (where d.is_running) as "runningShifts"`

async function addDriven(db: Db, programUid: string, program: ProgramFigures): Promise<void> {
  const { rows } = await sql<DrivenFigures & { market: string | null; day: string | null }>`
    ${withDriven(
      sql`t.program_uid = ${programUid}`,
      // Old hours no longer know their shift.
      sql`h.program_uid = ${programUid} and (h.shift_uid <> ${NO_UID} or h.market_uid <> ${NO_UID})`,
    )}
    select d.market, d.day, count(distinct d.truck_uid) as trucks, count(distinct d.day) as days, ${sumsOfDriven}
      from driven d
     group by grouping sets ((), (d.market), (d.market, d.day))
     order by d.market, d.day`.execute(db)
  for (const { market, day, metres, seconds, shifts, trucks, days, ...gaps } of rows) {
    const figures = { metres, seconds, shifts, trucks, days, gaps }
    if (market === null) Object.assign(program.total, figures)
    else if (day === null) Object.assign(marketOf(program, market).figures, figures)
    else marketOf(program, market).days.push({ day, metres, plays: 0, verifiedPlays: 0, seconds, shifts, gaps })
  }
}

async function addPlayed(db: Db, programUid: string, program: ProgramFigures): Promise<void> {
  for (const total of await playTotals(db, 'all', { by: 'market', program: programUid })) {
    const { isTotal, market, day, plays, verified, conflict, ms } = total
    const played = {
      plays,
      verifiedPlays: verified,
      conflictPlays: conflict,
      playSeconds: Math.floor(ms / 1000),
    }
    if (isTotal) Object.assign(program.total, played)
    else if (market === null) continue
    else if (day === null) Object.assign(marketOf(program, market).figures, played)
    else addToDay(marketOf(program, market), day, played)
  }
}

const sumOf = (rows: readonly { plays: number; metres: number; seconds?: number | undefined }[]) => ({
  plays: rows.reduce((sum, { plays }) => sum + plays, 0),
  metres: rows.reduce((sum, { metres }) => sum + metres, 0),
  seconds: rows.reduce((sum, { seconds = 0 }) => sum + seconds, 0),
})

type Sums = ReturnType<typeof sumOf>

const isSame = (one: Sums, other: Sums) =>
  one.plays === other.plays && one.metres === other.metres && one.seconds === other.seconds

/** Where the days of a market do not add up to the market, by its uid, or the markets to the program, by null. */
export function findDifference({
  total,
  markets,
}: ProgramFigures): { market: string | null; parts: Sums; whole: Sums } | undefined {
  for (const [market, { figures, days }] of markets) {
    const [parts, whole] = [sumOf(days), sumOf([figures])]
    if (!isSame(parts, whole)) return { market, parts, whole }
  }
  const [parts, whole] = [sumOf([...markets.values()].map(({ figures }) => figures)), sumOf([total])]
  return isSame(parts, whole) ? undefined : { market: null, parts, whole }
}

/** Adds plays to their day. Plays whose shift is no longer known may be those of a night that began the day before. */
function addToDay(
  { days }: Pick<MarketFigures, 'days'>,
  day: string,
  { plays, verifiedPlays }: Pick<PopDay, 'plays' | 'verifiedPlays'>,
) {
  const found = days.find((each) => each.day === day) ?? days.find((each) => each.day === addDays(day, -1))
  if (!found) return
  found.plays += plays
  found.verifiedPlays += verifiedPlays
}
