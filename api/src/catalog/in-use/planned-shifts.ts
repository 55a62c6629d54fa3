import { sql } from 'kysely'
import { AppError, joinNames } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'

/** The columns of a shift that refer to other records. */
type Reference = 'truck_uid' | 'driver_uid' | 'program_uid' | 'market_uid' | 'artwork_set_uid' | 'address_set_uid'

/** Refuses to delete a record that open shifts need, and names the shifts. */
export async function refuseIfPlanned(db: Db, reference: Reference, uid: string, what: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select t.number || ' on ' || s.local_date as name from shift s join truck t on t.uid = s.truck_uid
     where s.${sql.ref(reference)} = ${uid} and s.deleted_at is null and s.status in ('planned', 'out') and s.ends_at > now()
     order by s.starts_at`.execute(db)
  if (rows.length === 0) return
  const names = joinNames(rows.map(({ name }) => name))
  throw new AppError('stillNeeded', {
    text: `Shifts that are not over still need this ${what}: ${names}. Move or cancel them first.`,
  })
}

/** Refuses dates or markets of a program that leave out planned shifts, and names the shifts. */
export async function refuseIfPlannedElsewhere(db: Db, programUid: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select t.number || ' in ' || m.name || ' on ' || s.local_date as name
      from shift s join truck t on t.uid = s.truck_uid join market m on m.uid = s.market_uid
      join client_program p on p.uid = s.program_uid
      left join program_market pm on pm.program_uid = s.program_uid and pm.market_uid = s.market_uid
     where s.program_uid = ${programUid} and s.deleted_at is null and s.status in ('planned', 'out') and s.ends_at > now()
       and (pm.market_uid is null
            or s.local_date not between coalesce(pm.starts_on, p.starts_on) and coalesce(pm.ends_on, p.ends_on))
     order by s.starts_at`.execute(db)
  if (rows.length === 0) return
  const names = joinNames(rows.map(({ name }) => name))
  throw new AppError('stillNeeded', {
    text: `Shifts are planned outside of these dates or markets: ${names}. Move or cancel them first.`,
  })
}
