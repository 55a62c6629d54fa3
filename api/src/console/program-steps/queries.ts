import type { ProgramSteps } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/** What a program has on its way to its POP, in one statement. */
export async function readProgramSteps(db: Db, programUid: string): Promise<ProgramSteps> {
  const { rows } = await sql<ProgramSteps>`
    with planned as materialized (
      select market_uid, count(*)::int as shifts, bool_or(status = 'completed') as has_completed
        from shift
       where program_uid = ${programUid} and deleted_at is null and status <> 'cancelled'
       group by market_uid
    )
    select (select json_build_object(
                     'sets', count(*)::int,
                     'approved', (count(*) filter (where status = 'approved'))::int,
                     'draft', (array_agg(uid order by created_at desc, uid) filter (where status = 'draft'))[1])
              from artwork_set
             where program_uid = ${programUid} and deleted_at is null) as artwork,
           (select count(*)::int from address_set
             where program_uid = ${programUid} and deleted_at is null) as "addressSets",
           (select coalesce(json_agg(json_build_object(
                     'uid', m.uid, 'name', m.name, 'shifts', coalesce(planned.shifts, 0)) order by pm.position), '[]')
              from program_market pm
              join market m on m.uid = pm.market_uid
              left join planned on planned.market_uid = pm.market_uid
             where pm.program_uid = ${programUid}) as markets,
           json_build_object(
             'shownVersion', (select shown_version from pop where uid = ${programUid} and deleted_at is null),
             'hasCompletedShifts', (select coalesce(bool_or(has_completed), false) from planned)) as pop
  `.execute(db)
  const [steps] = rows
  if (!steps) throw new Error('A statement without a table answers one row.')
  return steps
}
