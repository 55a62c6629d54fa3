import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { ownIssues } from './queries.ts'

interface IssueCounts {
  open: number
  snoozed: number
}

/**
 * Counts the issues that are not resolved, of the whole fleet or of a client, at a time in milliseconds since 1970. What
 * staff snoozes is none of a client's business: to clients those are open.
 */
export async function countIssues(db: Db, client: string | null | undefined, now: number): Promise<IssueCounts> {
  const isSnoozed = client === undefined ? sql`t.snoozed_until > to_timestamp(${now / 1000})` : sql`false`
  const { rows } = await sql<IssueCounts>`
    select count(*) filter (where ${isSnoozed} is not true) as open, count(*) filter (where ${isSnoozed}) as snoozed
      from truck_issue t where t.status <> 'resolved' and t.deleted_at is null
       and ${client === undefined ? sql`true` : ownIssues({ clientUid: client })}`.execute(db)
  return rows[0] ?? { open: 0, snoozed: 0 }
}
