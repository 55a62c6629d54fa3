import type { PopChapter, PopFigures } from '@roadshow/contract'
import { sql } from 'kysely'
import { playTotals } from '../../../live/plays/index.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { SqlFragment } from '../../../platform/db/records/fragments.ts'

/** Shifts `s` with their measured tracks `k`. */
export const shiftsWithTracks = sql`shift s left join shift_track k on k.shift_uid = s.uid`

/** A shift of `shiftsWithTracks` took place if it was reported, or if its truck drove in its hours. */
export const tookPlace = sql`s.deleted_at is null and s.status not in ('cancelled', 'noShow')
  and (s.status in ('out', 'completed') or k.metres > 0)`

// Shifts are rounded to whole meters, so that sums agree in whatever order they are added.
const sumOfMeters = sql`coalesce(sum(round(k.metres)), 0)`

/** From the start to the end of shifts, up to now. */
const sumOfSeconds = sql`coalesce(sum(greatest(0, floor(extract(epoch from
  least(upper(driven_hours(s)), now()) - lower(driven_hours(s)))))), 0)::bigint`

/** The distance of a program, as a column of a list of programs. */
export const metersColumn = (program: SqlFragment): SqlFragment =>
  sql`(select ${sumOfMeters} from ${shiftsWithTracks} where s.program_uid = ${program} and ${tookPlace})`

type Day = PopChapter['perDay'][number]

interface MarketFigures {
  figures: PopFigures
  /** Each local day with a shift or a play, in order. */
  days: Day[]
}

interface ProgramFigures {
  total: PopFigures
  /** By the uid of the market. */
  markets: Map<string, MarketFigures>
}

const zeroFigures = (): PopFigures => ({
  metres: 0,
  seconds: 0,
  shifts: 0,
  trucks: 0,
  days: 0,
  plays: 0,
  verifiedPlays: 0,
  conflictPlays: 0,
  playSeconds: 0,
})

export const emptyMarketFigures = (): MarketFigures => ({ figures: zeroFigures(), days: [] })

/** The figures of a program up to now: in total, by market, and by day in the zone of the market. */
export async function loadPopFigures(db: Db, programUid: string): Promise<ProgramFigures> {
  const program: ProgramFigures = { total: zeroFigures(), markets: new Map() }
  await addDriven(db, programUid, program)
  await addPlayed(db, programUid, program)
  for (const market of program.markets.values()) market.days.sort((one, other) => (one.day < other.day ? -1 : 1))
  return program
}

function marketOf({ markets }: ProgramFigures, uid: string): MarketFigures {
  const known = markets.get(uid) ?? emptyMarketFigures()
  markets.set(uid, known)
  return known
}

function dayOf({ days }: MarketFigures, day: string): Day {
  const known = days.find((each) => each.day === day)
  if (known) return known
  const added = { day, metres: 0, plays: 0, verifiedPlays: 0 }
  days.push(added)
  return added
}

type DrivenFigures = Pick<PopFigures, 'metres' | 'seconds' | 'shifts' | 'trucks' | 'days'>

async function addDriven(db: Db, programUid: string, program: ProgramFigures): Promise<void> {
  const { rows } = await sql<DrivenFigures & { market: string | null; day: string | null }>`
    select s.market_uid as market, s.local_date as day, ${sumOfMeters} as metres, ${sumOfSeconds} as seconds,
           count(*) as shifts, count(distinct s.truck_uid) as trucks, count(distinct s.local_date) as days
      from ${shiftsWithTracks} where s.program_uid = ${programUid} and ${tookPlace}
     group by grouping sets ((), (s.market_uid), (s.market_uid, s.local_date))`.execute(db)
  for (const { market, day, ...driven } of rows) {
    if (market === null) Object.assign(program.total, driven)
    else if (day === null) Object.assign(marketOf(program, market).figures, driven)
    else dayOf(marketOf(program, market), day).metres = driven.metres
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
    // A play in no market counts for the program alone.
    else if (market === null) continue
    else if (day === null) Object.assign(marketOf(program, market).figures, played)
    else Object.assign(dayOf(marketOf(program, market), day), { plays, verifiedPlays: verified })
  }
}
