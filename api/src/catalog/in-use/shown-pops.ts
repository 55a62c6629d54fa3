import { sql } from 'kysely'
import { AppError, joinNames } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'

/** Refuses to delete a program or a client whose POP is public, and names the POP. */
export async function refuseIfShown(db: Db, reference: 'uid' | 'client_uid', uid: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select p.name || ' (/programs/' || p.pop_url || ')' as name
      from client_program p join pop o on o.uid = p.uid
     where p.${sql.ref(reference)} = ${uid} and p.deleted_at is null and o.shown_version is not null
       and (o.ends_on is null or o.ends_on >= current_date)
     order by p.name`.execute(db)
  if (rows.length === 0) return
  const names = joinNames(rows.map(({ name }) => name))
  throw new AppError('stillNeeded', {
    text: `The public sees the POP of ${names}. Withdraw ${rows.length === 1 ? 'it' : 'them'} first.`,
  })
}
