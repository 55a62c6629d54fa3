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
export function shownIncidents(db: Db): Promise<ShownIncident[]> {
  return db
    .selectFrom('incident')
    .select(['title', 'text', 'starts_at as startsAt', 'ends_at as endsAt'])
    .select((eb) => [
      sql<boolean>`coalesce(${eb.ref('ends_at')} <= now(), false)`.as('isOver'),
      sql<boolean>`${eb.ref('starts_at')} <= now()`.as('hasBegun'),
    ])
    .where('deleted_at', 'is', null)
    .where('starts_at', '>', sql<string>`now() - interval '90 days'`)
    .orderBy('starts_at', 'desc')
    .orderBy('uid', 'desc')
    .limit(SHOWN)
    .execute()
}
