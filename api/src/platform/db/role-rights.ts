import { sql } from 'kysely'
import type { Db } from './connection.ts'

/** The sentence that asks to take back a right that only a restore needs, or undefined if the role does not have it. */
export async function checkRole(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ role: string }>`
    select current_user as role from pg_roles
     where rolname = current_user and not rolsuper
       and has_parameter_privilege('session_replication_role', 'set')`.execute(db)
  const [found] = rows
  if (!found) return undefined
  return `The role ${found.role} may switch triggers off, which only a restore needs. Run as a superuser: REVOKE SET ON PARAMETER session_replication_role FROM ${found.role}.`
}
