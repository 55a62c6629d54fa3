import type { PopChapter, PopFigures } from '@roadshow/contract'
import { sql } from 'kysely'
import { playTotals } from '../../../live/plays/index.ts'
import type { Db } from '../../../platform/db/connection.ts'

/** Shifts `s` with what was measured of them, `k`. */
export const DRIVEN = 'shift s left join shift_track k on k.shift_uid = s.uid'

/** Whether a shift of DRIVEN took place: somebody said so, or its truck was seen on the road in its hours. */
export const TOOK_PLACE = `s.deleted_at is null and s.status not in ('cancelled', 'noShow')
  and (s.status in ('out', 'completed') or k.metres > 0)`

// Each shift in whole metres: whatever is added up, and in which order, the sums agree.
const METRES = 'coalesce(sum(round(k.metres)), 0)'

/** From start to stop, as far as they are over. */
const SECONDS = `coalesce(sum(greatest(0, floor(extract(epoch from
  least(upper(driven_hours(s)), now()) - lower(driven_hours(s)))))), 0)::bigint`

/** What was driven and played for a program, as columns of a list of programs. */
export const metresOf = (program: string) =>
  `(select ${METRES} from ${DRIVEN} where s.program_uid = ${program} and ${TOOK_PLACE})`
export const playsOf = (program: string) =>
  `(select coalesce(sum(h.plays), 0)::int from play_hour h where h.program_uid = ${program})`

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

const nothing = (): PopFigures => ({
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

export const emptyMarketFigures = (): MarketFigures => ({ figures: nothing(), days: [] })

/** What was driven and played for a program up to now: in all, by market, and by day in the zone of the market. */
export async function loadPopFigures(db: Db, programUid: string): Promise<ProgramFigures> {
  const of: ProgramFigures = { total: nothing(), markets: new Map() }
  await addDriven(db, programUid, of)
  await addPlayed(db, programUid, of)
  for (const market of of.markets.values()) market.days.sort((one, other) => (one.day < other.day ? -1 : 1))
  return of
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

type Driven = Pick<PopFigures, 'metres' | 'seconds' | 'shifts' | 'trucks' | 'days'>

async function addDriven(db: Db, programUid: string, of: ProgramFigures): Promise<void> {
  const { rows } = await sql<Driven & { market: string | null; day: string | null }>`
    select s.market_uid as market, s.local_date as day, ${sql.raw(METRES)} as metres, ${sql.raw(SECONDS)} as seconds,
           count(*) as shifts, count(distinct s.truck_uid) as trucks, count(distinct s.local_date) as days
      from ${sql.raw(DRIVEN)} where s.program_uid = ${programUid} and ${sql.raw(TOOK_PLACE)}
     group by grouping sets ((), (s.market_uid), (s.market_uid, s.local_date))`.execute(db)
  for (const { market, day, ...driven } of rows) {
    if (market === null) Object.assign(of.total, driven)
    else if (day === null) Object.assign(marketOf(of, market).figures, driven)
    else dayOf(marketOf(of, market), day).metres = driven.metres
  }
}

async function addPlayed(db: Db, programUid: string, of: ProgramFigures): Promise<void> {
  for (const total of await playTotals(db, 'all', { by: 'market', program: programUid })) {
    const { isTotal, market, day, plays, verified, conflict, ms } = total
    const played = {
      plays,
      verifiedPlays: verified,
      conflictPlays: conflict,
      playSeconds: Math.floor(ms / 1000),
    }
    if (isTotal) Object.assign(of.total, played)
    // A play in no market counts for the program alone.
    else if (market === null) continue
    else if (day === null) Object.assign(marketOf(of, market).figures, played)
    else Object.assign(dayOf(marketOf(of, market), day), { plays, verifiedPlays: verified })
  }
}
