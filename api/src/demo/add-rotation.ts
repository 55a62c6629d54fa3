import { sql } from 'kysely'
import type { Db } from '../platform/db/connection.ts'

/**
 * Gives the program with the most coming shifts a second set for the evenings, in a rotation with its first one. Its shifts from
 * the day after tomorrow on name no set, so that they show both.
 */
export async function addRotation(db: Db, changedBy: string): Promise<void> {
  await sql`
    with busy as (
      select p.uid, p.name from client_program p join shift s on s.program_uid = p.uid join truck t on t.uid = s.truck_uid
       where p.status = 'active' and s.status = 'planned' and t.kind = 'led' and s.starts_at > now() + interval '2 days'
       group by p.uid order by count(*) desc, p.name limit 1),
    evening as (
      insert into artwork_set (program_uid, name, status, driver_side_artwork_uid, passenger_side_artwork_uid, rear_artwork_uid,
                               approved_hash, approved_by, approved_at, changed_by)
      select b.uid, b.name || ' – evening', 'approved', a.driver_side_artwork_uid, a.passenger_side_artwork_uid, a.rear_artwork_uid,
             a.approved_hash, a.approved_by, a.approved_at, ${changedBy}
        from busy b join artwork_set a on a.program_uid = b.uid returning uid, program_uid),
    free as (
      update shift s set artwork_set_uid = null, changed_by = ${changedBy}
        from busy b where s.program_uid = b.uid and s.status = 'planned' and s.starts_at > now() + interval '2 days')
    insert into rotation_line (program_uid, artwork_set_uid, share, amount, from_time, to_time, weekdays, position)
    select a.program_uid, a.uid, 'weight', 1, null::time, null::time, '{1,2,3,4,5,6,7}'::smallint[], 0
      from artwork_set a join busy b on b.uid = a.program_uid
     union all
    select program_uid, uid, 'weight', 2, '16:00'::time, '23:00'::time, '{1,2,3,4,5,6,7}'::smallint[], 1 from evening`.execute(
    db,
  )
}
