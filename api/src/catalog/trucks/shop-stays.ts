import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** Gives each truck the state that its times in the shop say: in shop during one, active otherwise. */
export async function followShopStays(db: Db): Promise<void> {
  await sql`
    update truck t set state = s.state, changed_by = s.changed_by, changed_from = s.changed_from
      from (select x.uid, x.state as was, case when o.uid is null then 'active' else 'inShop' end as state, o.changed_by, o.changed_from
              from truck x
              left join out_of_service o on o.truck_uid = x.uid and o.deleted_at is null
                                        and tstzrange(o.starts_at, o.ends_at) @> now()
             where x.state <> 'retired' and x.deleted_at is null) s
     where t.uid = s.uid and s.was <> s.state`.execute(db)
}

/** Trucks go to the shop and come back by the clock, without a save. */
export const shopStaysJob = defineJob('shop-stays', async ({ db }) => followShopStays(db))
