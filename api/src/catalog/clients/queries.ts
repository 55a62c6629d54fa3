import type { Client, clients, QueryOf } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { records } from '../../platform/db/records/records.ts'
import { searchText } from '../../platform/db/records/search-text.ts'
import { fileColumn, withSignedUrls } from '../../platform/files/index.ts'

/** Outsiders do not search notes. */
export const clientText = searchText(
  (t) => sql`${t}.name || ' ' || coalesce(jsonb_path_query_array(${t}.contacts, '$[*].*')::text, '')`,
)

export const clientRecords = records<'client', Client, QueryOf<typeof clients.list>>({
  table: 'client',
  joins: sql`left join stored_file l on l.uid = t.logo_file_uid`,
  columns: {
    uid: sql`t.uid`,
    name: sql`t.name`,
    logo: fileColumn('l'),
    contacts: sql`t.contacts`,
    note: sql`t.note`,
    programsCount: sql`(select count(*)::int from client_program p where p.client_uid = t.uid and p.deleted_at is null)`,
    createdAt: sql`t.created_at`,
    updatedAt: sql`t.updated_at`,
    version: sql`t.version`,
  },
  sorts: { name: sql`t.name`, updatedAt: sql`t.updated_at` },
  filters: { uid: (uid) => sql`t.uid = any(${uid})` },
  searchText: clientText,
  own: ({ clientUid }) => sql`t.uid = ${clientUid}`,
  jsonColumns: ['contacts'],
  taken: { client_name_once: ['clientNameTaken', 'name'] },
  finish: (client) => ({ ...client, logo: withSignedUrls(client.logo) }),
})

/** Programs that a client still has to see through, by name. */
export const openPrograms = async (db: Db, clientUid: string): Promise<string[]> =>
  (
    await db
      .selectFrom('client_program')
      .select('name')
      .where('client_uid', '=', clientUid)
      .where('deleted_at', 'is', null)
      .where('status', '<>', 'completed')
      .orderBy('name')
      .execute()
  ).map(({ name }) => name)
