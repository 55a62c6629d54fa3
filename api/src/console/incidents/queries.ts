import type { Incident, incidents, QueryOf } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { allRows, records } from '../../platform/db/records/records.ts'

export const incidentRecords = records<'incident', Incident, QueryOf<typeof incidents.list>>({
  table: 'incident',
  columns: {
    uid: sql`t.uid`,
    title: sql`t.title`,
    text: sql`t.text`,
    startsAt: sql`t.starts_at`,
    endsAt: sql`t.ends_at`,
    updatedAt: sql`t.updated_at`,
    version: sql`t.version`,
  },
  sorts: { startsAt: sql`t.starts_at`, title: sql`t.title` },
  filters: {},
  own: allRows,
})

export type ShownIncident = Pick<Incident, 'title' | 'text' | 'startsAt' | 'endsAt'> & {
  isOver: boolean
  hasBegun: boolean
}

const SHOWN = 20

/** What the status page tells about: what lasts or is announced, and the last 90 days, newest first. */
export async function shownIncidents(db: Db): Promise<ShownIncident[]> {
  const { rows } = await sql<ShownIncident>`
    select title, text, starts_at as "startsAt", ends_at as "endsAt", coalesce(ends_at <= now(), false) as "isOver",
           starts_at <= now() as "hasBegun"
      from incident
     where deleted_at is null and starts_at > now() - interval '90 days'
     order by starts_at desc, uid desc limit ${SHOWN}`.execute(db)
  return rows
}
