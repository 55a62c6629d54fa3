import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/**
 * Records when players were last in contact and what they last played; the newest wins. Skips rows that are locked and
 * answers the trucks that it wrote.
 */
export async function recordPlayerContact(
  db: Db,
  trucks: ReadonlyMap<string, number | undefined>,
): Promise<Set<string>> {
  const uids = [...trucks.keys()].toSorted()
  const times = uids.map((uid) => trucks.get(uid))
  await sql`insert into truck_now (truck_uid)
            select uid from unnest(${uids}::uuid[]) uid
             where not exists (select 1 from truck_now where truck_uid = uid) order by uid
            on conflict do nothing`.execute(db)
  const { rows } = await sql<{ truck_uid: string }>`
    with free as (
      select truck_uid from truck_now where truck_uid = any(${uids}::uuid[]) order by truck_uid for update skip locked
    )
    update truck_now n
       set player_seen_at = now(), updated_at = clock_timestamp(),
           played_at = greatest(n.played_at, to_timestamp(g.ms / 1000))
      from free join unnest(${uids}::uuid[], ${times}::float8[]) g (truck_uid, ms) on g.truck_uid = free.truck_uid
     where n.truck_uid = free.truck_uid
    returning n.truck_uid`.execute(db)
  return new Set(rows.map(({ truck_uid }) => truck_uid))
}
