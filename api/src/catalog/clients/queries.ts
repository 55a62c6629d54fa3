import type { Client, clients, QueryOf } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import { records } from '../../platform/db/records/records.ts'
import { fileColumn, withSignedUrls } from '../../platform/files/index.ts'

export const clientRecords = records<'client', Client, QueryOf<typeof clients.list>>({
  table: 'client',
  joins: 'left join stored_file l on l.uid = t.logo_file_uid',
  columns: {
    uid: 't.uid',
    name: 't.name',
    logo: fileColumn('l'),
    contacts: 't.contacts',
    note: 't.note',
    programsCount: '(select count(*)::int from client_program p where p.client_uid = t.uid and p.deleted_at is null)',
    createdAt: 't.created_at',
    updatedAt: 't.updated_at',
    version: 't.version',
  },
  sorts: { name: 't.name', updatedAt: 't.updated_at' },
  filters: { uid: 't.uid = any(?)' },
  own: ({ clientUid }) => ['t.uid = ?', clientUid],
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
