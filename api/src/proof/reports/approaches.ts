import type { Page, QueryOf, SdApproach, sdReport } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { includeIf, utcText } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { FIX_COVERS } from '../../live/evidence/index.ts'
import { selectVisits } from './sd.ts'
import { readMarketHours, requireProgram, truckMatches } from '../../live/plays/index.ts'

type Query = QueryOf<typeof sdReport.approaches>

// A small map shows no more points.
const MOST_POINTS = 200

/** The track of a visit with a margin before and after, thinned. Clients see none of the margin outside of the shift. */
const trackFor = ({ rows }: Scope) => sql`coalesce((
  select json_agg(json_build_array(latitude, longitude, ${utcText('at')}) order by at) from (
    select latitude, longitude, at, row_number() over (order by at) as n, count(*) over () as total from position o
     where o.truck_uid = v.truck_uid and o.at between v.entered_at - ${FIX_COVERS} and v.left_at + ${FIX_COVERS}
       and o.at between bounds.first and bounds.last ${includeIf(rows === 'own', () => sql`and has_truck_at(s, o.at)`)}) o
   where n = 1 or n = total or n % greatest(1, ceil(total / ${sql.lit(MOST_POINTS)}::numeric))::int = 0), '[]')`

const PLAYED = sql`(
  select json_build_object('plays', count(*), 'seconds', floor(coalesce(sum(p.duration_ms), 0) / 1000)) from play p
   where p.shift_uid = v.shift_uid and p.address_uid = v.address_uid
     and p.started_at between v.entered_at - ${FIX_COVERS} and v.left_at + ${FIX_COVERS}
     and p.started_at between bounds.first and bounds.last)`

interface Row extends Omit<SdApproach, 'plays' | 'seconds'> {
  played: Pick<SdApproach, 'plays' | 'seconds'>
}

/** Each visit to an address, with its plays and its piece of track. */
export async function loadApproaches(db: Db, scope: Scope, query: Query): Promise<Page<SdApproach>> {
  await requireProgram(db, scope, query.program)
  const hours = await readMarketHours(db, query)
  const { page, pageSize } = query
  const direction = sql.raw(query.sort === 'enteredAt' ? 'asc' : 'desc')
  const conditions = [sql`a.address_uid = ${query.address}`, ...truckMatches(query.search, sql`s.truck_uid`)]
  const visits = selectVisits(query, hours, sql`and ${sql.join(conditions, sql` and `)}`)
  const order = sql`order by v.entered_at ${direction}, v.shift_uid ${direction}`
  const { rows } = await sql<Row & { $total: number }>`
    with visit as materialized (${visits})
    select (select count(*) from visit)::int as "$total", v.*
      from (select 1) always left join lateral (
        select v.shift_uid || ' ' || ${utcText('v.entered_at')} as uid, json_build_object('uid', t.uid, 'name', t.number) as truck,
               v.shift_uid as "shiftUid", v.entered_at as "enteredAt", v.left_at as "leftAt", v.nearest_m as "nearestM",
               v.is_due as "isDue", v.is_missed as "isMissed", ${PLAYED} as played, ${trackFor(scope)} as track
          from (select v.* from visit v ${order} limit ${sql.lit(pageSize)} offset ${sql.lit((page - 1) * pageSize)}) v
          join truck t on t.uid = v.truck_uid join shift s on s.uid = v.shift_uid,
               (select ${hours.from}::timestamptz - interval '1 day' as first, ${hours.until}::timestamptz + interval '2 days' as last) bounds
         ${order}) v on true`.execute(db)
  const data = rows.flatMap(({ $total: _total, played, ...row }) => (row.uid ? [{ ...row, ...played }] : []))
  return { data, page, pageSize, total: rows[0]?.$total ?? 0 }
}
