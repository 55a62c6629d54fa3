import { sql } from 'kysely'
import type { Db } from './connection.ts'
import { partitionedTables } from './partitions.ts'

interface LockFacts {
  partitions: number
  /** The partitions and their indexes: a statement over everything locks each of them. */
  lockable: number
  locksPerTransaction: number
  /** Connections and prepared transactions that the server allows. */
  sessions: number
}

// One statement over everything must not take the last lock from all others.
const STATEMENTS = 2
const counted = (count: number) => count.toLocaleString('en-US')

/** The sentence that asks for more locks, or undefined while PostgreSQL has enough for the partitions that exist. */
export function describeLockShortage(facts: LockFacts): string | undefined {
  const { partitions, lockable, locksPerTransaction, sessions } = facts
  const needed = STATEMENTS * lockable
  if (needed <= locksPerTransaction * sessions) return undefined
  const advised = Math.ceil(needed / sessions / 64) * 64
  return `PostgreSQL has room for ${counted(locksPerTransaction * sessions)} locks, but the ${counted(partitions)} partitions of plays and positions may need ${counted(needed)}. Set max_locks_per_transaction to ${advised} or more (now ${locksPerTransaction}) and restart PostgreSQL. Single days that an older version made are merged into weeks in the background; with fewer partitions, fewer locks are enough.`
}

export async function readLockFacts(db: Db): Promise<LockFacts> {
  const { rows } = await sql<LockFacts>`
    select count(*)::int as partitions,
           coalesce(sum(1 + (select count(*) from pg_index x where x.indrelid = i.inhrelid)), 0)::int as lockable,
           current_setting('max_locks_per_transaction')::int as "locksPerTransaction",
           current_setting('max_connections')::int + current_setting('max_prepared_transactions')::int as sessions
      from pg_inherits i where i.inhparent = any(${[...partitionedTables]}::regclass[])`.execute(db)
  const [facts] = rows
  if (!facts) throw new Error('A count has one row.')
  return facts
}

/** Checks whether the server has enough locks for the partitions of plays and positions. */
export const checkLockCapacity = async (db: Db): Promise<string | undefined> =>
  describeLockShortage(await readLockFacts(db))

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
