import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import { FIX_COVERS } from '../evidence/index.ts'

/** A play as clients count it: it belongs to a shift. */
export interface CountedPlay {
  at: string
  programUid: string
  marketUid: string
  day: string
  shiftUid: string
  isVerified: boolean
}

/** By how much grading has changed the plays of a program on a day in a market. */
interface FigureChange {
  programUid: string
  marketUid: string
  day: string
  plays: number
  verified: number
  /** The shifts that had the plays or have them now, and the moments of the plays. */
  shifts: Set<string>
  first: string
  last: string
}

type SignedPlay = readonly [play: CountedPlay | undefined, sign: 1 | -1]

function sumChanges(plays: readonly SignedPlay[]): FigureChange[] {
  const sums = new Map<string, FigureChange>()
  for (const [play, sign] of plays) {
    if (!play) continue
    const { at, programUid, marketUid, day } = play
    const key = [programUid, marketUid, day].join(' ')
    const sum = sums.get(key) ?? {
      programUid,
      marketUid,
      day,
      plays: 0,
      verified: 0,
      shifts: new Set(),
      first: at,
      last: at,
    }
    sum.plays += sign
    sum.verified += play.isVerified ? sign : 0
    sum.shifts.add(play.shiftUid)
    if (Date.parse(at) < Date.parse(sum.first)) sum.first = at
    if (Date.parse(at) > Date.parse(sum.last)) sum.last = at
    sums.set(key, sum)
  }
  return [...sums.values()].filter(({ plays, verified }) => plays !== 0 || verified !== 0)
}

/**
 * The entry of the history that caused a change `c` of a truck's plays. Only a change of a shift moves plays from shift to
 * shift: of one that has them now, or had them. It carries the same time as its notes of evidence, which are of the same
 * transaction. Grades alone change by the area of the market, by the setting, or by data of the truck.
 */
function causeOf(truckUid: string) {
  const noted = sql`
    select changed_at from evidence_change
     where truck_uid = ${truckUid} and first_at <= c.last_at + ${FIX_COVERS} and last_at >= c.first_at - ${FIX_COVERS}`
  const shifts = sql`
    select unnest(string_to_array(c.shifts, ' ')::uuid[]) union all
    select shift_uid from truck_hold where truck_uid = ${truckUid} and during && tstzrange(c.first_at, c.last_at, '[]')`
  const isRecent = sql`h.at > now() - interval '1 hour'`
  return sql`
    case when c.plays <> 0
      then (select max(h.id) from history h
             where h.table_name = 'shift' and h.record_uid in (${shifts}) and h.at in (${noted}))
      else greatest(
        (select max(h.id) from history h
          where h.table_name = 'market' and h.record_uid = c.market_uid and ${isRecent} and h.at in (${noted})),
        (select max(h.id) from history h join setting s on s.uid = h.record_uid and s.key = 'outsideMarketByMetres'
          where h.table_name = 'setting' and (${isRecent} or s.key in (select reason from grading_backlog))))
    end`
}

/** Notes by how much the figures of programs have changed, under what caused it. */
export async function noteFigureChanges(db: Db, truckUid: string, plays: readonly SignedPlay[]): Promise<void> {
  const changes = sumChanges(plays)
  if (changes.length === 0) return
  await sql`
    insert into figure_change as f (program_uid, cause_id, day, market_uid, plays, verified)
    select c.program_uid, coalesce(${causeOf(truckUid)}, 0), c.day, c.market_uid, c.plays, c.verified
      from ${rowsAsTable('c', changes, {
        program_uid: ['uuid', ({ programUid }) => programUid],
        market_uid: ['uuid', ({ marketUid }) => marketUid],
        day: ['date', ({ day }) => day],
        plays: ['int4', (change) => change.plays],
        verified: ['int4', ({ verified }) => verified],
        shifts: ['text', ({ shifts }) => [...shifts].join(' ')],
        first_at: ['timestamptz', ({ first }) => first],
        last_at: ['timestamptz', ({ last }) => last],
      })}
     order by 1, 2, 3, 4
    on conflict (program_uid, cause_id, day, market_uid) do update
      set plays = f.plays + excluded.plays, verified = f.verified + excluded.verified`.execute(db)
}
