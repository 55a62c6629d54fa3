import type { Page, QueryOf, SdApproach, sdReport } from '@roadshow/contract'
import { CompiledQuery } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { Values } from '../../platform/db/records/pieces.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { NEAR, visits } from './sd.ts'
import { ofTrucks, programOf, spanOf } from './spans.ts'

type Query = QueryOf<typeof sdReport.approaches>

// More than a small map can show.
const MOST_POINTS = 200

const UTC = (at: string) => `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Where a visit's truck drove, a little longer than the visit, thinned. */
const TRACK = `coalesce((
  select json_agg(json_build_array(latitude, longitude, ${UTC('at')}) order by at) from (
    select latitude, longitude, at, row_number() over (order by at) as n, count(*) over () as total from position o
     where o.truck_uid = v.truck_uid and o.at between v.entered_at - ${NEAR} and v.left_at + ${NEAR}
       and o.at between bounds.first and bounds.last) o
   where n = 1 or n = total or n % greatest(1, ceil(total / ${MOST_POINTS}::numeric))::int = 0), '[]')`

const PLAYED = `(
  select json_build_object('plays', count(*), 'seconds', floor(coalesce(sum(p.duration_ms), 0) / 1000)) from play p
   where p.shift_uid = v.shift_uid and p.address_uid = v.address_uid
     and p.started_at between v.entered_at - ${NEAR} and v.left_at + ${NEAR}
     and p.started_at between bounds.first and bounds.last)`

interface Row extends Omit<SdApproach, 'plays' | 'seconds'> {
  played: Pick<SdApproach, 'plays' | 'seconds'>
}

/** Each visit to an address, with what was shown in it and the piece of track. */
export async function approachesTo(db: Db, scope: Scope, query: Query): Promise<Page<SdApproach>> {
  await programOf(db, scope, query.program)
  const span = await spanOf(db, query)
  const { page, pageSize } = query
  const way = query.sort === 'enteredAt' ? 'asc' : 'desc'
  const values = new Values()
  const conditions = [`a.address_uid = ${values.add(query.address)}`, ...ofTrucks(values, query.search, 's.truck_uid')]
  const found = visits(values, query, span, `and ${conditions.join(' and ')}`)
  const order = `order by v.entered_at ${way}, v.shift_uid ${way}`
  const [first, last] = [values.add(span.from), values.add(span.until)]
  const statement = `
    with visit as materialized (${found})
    select (select count(*) from visit)::int as "$total", v.*
      from (select 1) always left join lateral (
        select v.shift_uid || ' ' || ${UTC('v.entered_at')} as uid, json_build_object('uid', t.uid, 'name', t.number) as truck,
               v.shift_uid as "shiftUid", v.entered_at as "enteredAt", v.left_at as "leftAt", v.nearest_m as "nearestM",
               v.is_due as "isDue", v.is_missed as "isMissed", ${PLAYED} as played, ${TRACK} as track
          from (select v.* from visit v ${order} limit ${pageSize} offset ${(page - 1) * pageSize}) v
          join truck t on t.uid = v.truck_uid,
               (select ${first}::timestamptz - interval '1 day' as first, ${last}::timestamptz + interval '2 days' as last) bounds
         ${order}) v on true`
  const { rows } = await db.executeQuery<Row & { $total: number }>(CompiledQuery.raw(statement, values.list))
  const data = rows.flatMap(({ $total: _total, played, ...row }) => (row.uid ? [{ ...row, ...played }] : []))
  return { data, page, pageSize, total: rows[0]?.$total ?? 0 }
}
