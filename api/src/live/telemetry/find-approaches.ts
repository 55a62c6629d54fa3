import { sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { jobsWaiting } from '../../platform/observability/metrics.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { recentThenOld } from '../../platform/jobs/work-through.ts'
import { approachesOf } from './approaches.ts'
import { readFixes } from './stored-fixes.ts'

const AT_ONCE = 20

interface Due {
  shiftUid: string
  truckUid: string
  addressSetUid: string
  gpsMetres: number
  heardMs: number
  from: number
  to: number
}

/**
 * Finds the visits of shifts whose track or addresses changed since the last time; answers whether there are more. Each
 * shift is computed from all its positions, so late positions only change the result. Shifts that ended long ago are
 * included only now and then, because their query is slower and rarely finds any.
 */
export async function findApproaches(db: Db, isLongAgo = false, signal?: AbortSignal): Promise<boolean> {
  const { rows } = await sql<Due>`
    select t.shift_uid as "shiftUid", t.truck_uid as "truckUid", s.address_set_uid as "addressSetUid",
           t.gps_metres as "gpsMetres", t.heard_ms as "heardMs", (extract(epoch from t.starts_at) * 1000)::float8 as "from",
           (extract(epoch from t.ends_at) * 1000)::float8 as "to"
      from shift_track t join shift s on s.uid = t.shift_uid
      left join shift_approaches_known k on k.shift_uid = t.shift_uid
     where s.address_set_uid is not null and (${isLongAgo} or t.ends_at > now() - interval '8 days')
       and (k.shift_uid is null or k.address_set_uid <> s.address_set_uid
            or (k.gps_metres, k.heard_ms) is distinct from (t.gps_metres, t.heard_ms))
     order by k.computed_at nulls first limit ${AT_ONCE}`.execute(db)
  jobsWaiting.set({ job: 'approaches' }, rows.length)
  for (const due of rows) if (!signal?.aborted) await storeApproaches(db, due)
  return rows.length === AT_ONCE
}

async function storeApproaches(db: Db, due: Due): Promise<void> {
  const fixes = await readFixes(db, [due.truckUid], due)
  const places = await db
    .selectFrom('sd_address')
    .select(['uid', 'latitude', 'longitude', 'radius_m as radiusM'])
    .where('set_uid', '=', due.addressSetUid)
    .execute()
  const visits = approachesOf(fixes.get(due.truckUid) ?? [], places).map((visit) => ({
    shift_uid: due.shiftUid,
    address_uid: visit.addressUid,
    entered_at: new Date(visit.enteredAt),
    left_at: new Date(visit.leftAt),
    nearest_m: visit.nearestM,
    is_due: visit.isDue,
  }))
  await inTransaction(db, async (db) => {
    const known = {
      address_set_uid: due.addressSetUid,
      gps_metres: due.gpsMetres,
      heard_ms: due.heardMs,
      computed_at: sql<Date>`now()`,
    }
    // This row comes first: of two nodes, one waits for the other.
    await db
      .insertInto('shift_approaches_known')
      .values({ shift_uid: due.shiftUid, ...known })
      .onConflict((conflict) => conflict.column('shift_uid').doUpdateSet(known))
      .execute()
    await db.deleteFrom('shift_approach').where('shift_uid', '=', due.shiftUid).execute()
    if (visits.length > 0) await db.insertInto('shift_approach').values(visits).execute()
  })
}

export const findApproachesJob = defineJob(
  'approaches',
  recentThenOld({
    recent: ({ db, timeUp }) => findApproaches(db, false, timeUp),
    old: ({ db, timeUp }) => findApproaches(db, true, timeUp),
  }),
)
