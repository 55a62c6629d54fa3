import { type RawBuilder, sql } from 'kysely'
import { FIX_COVERS } from '../evidence/index.ts'

/**
 * The entry of the history that caused a change `c` of a truck's plays. Only a change of a shift moves plays from shift to
 * shift: of one that has them now, or had them. It carries the same time as its notes of evidence, which are of the same
 * transaction. Grades alone change by the area of the market, by the setting, or by data of the truck.
 */
function causeOf(truck: RawBuilder<unknown>) {
  const noted = sql`
    select changed_at from evidence_change
     where truck_uid = ${truck} and first_at <= c.last_at + ${FIX_COVERS} and last_at >= c.first_at - ${FIX_COVERS}`
  const shifts = sql`
    select unnest(c.shifts) union all
    select shift_uid from truck_hold where truck_uid = ${truck} and during && tstzrange(c.first_at, c.last_at, '[]')`
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

/**
 * Notes by how much the plays of the expression `moved` change what clients count, under what caused it, as further
 * expressions of the same statement. Clients count the plays of shifts.
 */
export const noteFigureChanges = (truck: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  figures as (
    select program_uid, market_uid, day, sum(sign) as plays,
           coalesce(sum(sign) filter (where grade = 'verified'), 0) as verified, array_agg(distinct shift_uid) as shifts,
           min(started_at) as first_at, max(started_at) as last_at
      from moved where shift_uid is not null group by program_uid, market_uid, day
  ), noted as (
    insert into figure_change as f (program_uid, cause_id, day, market_uid, plays, verified)
    select c.program_uid, coalesce(${causeOf(truck)}, 0), c.day, c.market_uid, c.plays, c.verified
      from figures c where c.plays <> 0 or c.verified <> 0 order by 1, 2, 3, 4
    on conflict (program_uid, cause_id, day, market_uid) do update
      set plays = f.plays + excluded.plays, verified = f.verified + excluded.verified
  )`
