import type {
  BodyOf,
  PositionSource,
  PositionSourceKind,
  PositionSourceState,
  SourceAccount,
  sources,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, inTransaction, prepared } from '../../platform/db/connection.ts'
import { namedRefOf } from '../../platform/db/records/named-ref.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import { isWholeApiKey, newApiKey, startOfApiKey, TRACKER_PREFIX } from '../../platform/http/api-key-token.ts'
import { hashToken } from '../../platform/http/session.ts'
import { tokenReader } from '../../platform/http/token-reader.ts'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { GEOTAB_SOURCE } from '../telemetry/index.ts'

/** A source that has shown its key. */
export interface SendingSource {
  uid: string
  kind: PositionSourceKind
}

const READ = prepared(`
  select key_hash as token_hash, uid, kind from position_source
   where key_hash = any($1) and is_enabled and revoked_at is null and deleted_at is null`)

/** Reads the source that a key stands for, as the database says at this moment. */
export function sourceReader(db: Db): (key: string) => Promise<SendingSource | undefined> {
  const read = tokenReader<SendingSource & { token_hash: Buffer }>(db, READ)
  return async (key) => (isWholeApiKey(key, TRACKER_PREFIX) ? read(key) : undefined)
}

const STATE = sql<PositionSourceState>`case when not s.is_enabled then 'off' when s.revoked_at is not null then 'revoked'
  when s.kind in ('geotab', 'samsara') and a.source_uid is null then 'unset' else 'active' end`
const LAST_FIX = sql<string | null>`case when s.uid = ${GEOTAB_SOURCE}
  then (select max(n.at) from truck_now n join truck t on t.uid = n.truck_uid and t.geotab_device_id <> ''
         where not exists (select from truck_source o
                            where o.truck_uid = n.truck_uid and o.last_at >= date_trunc('minute', n.at)))
  else (select max(last_at) from truck_source t where t.source_uid = s.uid) end`
const TRUCKS = sql<number>`case when s.uid = ${GEOTAB_SOURCE}
  then (select count(*)::int from truck where geotab_device_id <> '' and deleted_at is null)
  when s.kind in ('phone', 'player', 'file') then (select count(*)::int from truck_source t where t.source_uid = s.uid)
  else (select count(*)::int from truck_tracker t where t.source_uid = s.uid) end`

const allSources = (db: Db) =>
  db
    .selectFrom('position_source as s')
    .leftJoin('user_account as u', 'u.uid', 's.created_by')
    .leftJoin('position_account as a', 'a.source_uid', 's.uid')
    .leftJoin('user_account as c', 'c.uid', 'a.saved_by')
    .select(['a.server', 'a.database_name', 'a.user_name', 'a.saved_at', 'c.uid as saver_uid', 'c.name as saver_name'])
    .select(['s.uid', 's.name', 's.kind', 's.key_start', 's.created_at', 's.last_seen_at', 's.last_error'])
    .select(['s.last_error_at', 's.last_address'])
    .select(['u.uid as maker_uid', 'u.name as maker_name'])
    .select([STATE.as('state'), LAST_FIX.as('last_fix_at'), TRUCKS.as('trucks')])
    .select((eb) =>
      eb
        .selectFrom('unknown_tracker as x')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('x.source_uid', '=', 's.uid')
        .as('unknown_ids'),
    )
    .where('s.deleted_at', 'is', null)

type Row = Awaited<ReturnType<ReturnType<typeof allSources>['execute']>>[number]

const isBuiltIn = ({ uid }: { uid: string }) => uid.startsWith('00000000-0000-0000-')

const accountOf = (row: Row): SourceAccount | null =>
  row.server === null
    ? null
    : {
        server: row.server,
        database: row.database_name ?? '',
        user: row.user_name ?? '',
        isSetByServer: false,
        savedAt: row.saved_at,
        savedBy: namedRefOf(row.saver_uid, row.saver_name),
      }

const sourceOf = (row: Row): PositionSource => ({
  uid: row.uid,
  name: row.name,
  kind: row.kind as PositionSourceKind,
  state: row.state,
  isBuiltIn: isBuiltIn(row),
  keyStart: row.key_start,
  account: accountOf(row),
  trucks: row.trucks,
  unknownIds: row.unknown_ids ?? 0,
  createdAt: row.created_at,
  createdBy: namedRefOf(row.maker_uid, row.maker_name),
  lastSeenAt: row.last_seen_at,
  lastAddress: row.last_address,
  lastFixAt: row.last_fix_at,
  lastError: row.last_error,
  lastErrorAt: row.last_error_at,
})

export const listSources = async (db: Db): Promise<PositionSource[]> =>
  (await allSources(db).orderBy('s.created_at').orderBy('s.uid').execute()).map(sourceOf)

export async function getSource(db: Db, uid: string): Promise<PositionSource> {
  const row = await allSources(db).where('s.uid', '=', uid).executeTakeFirst()
  if (!row) throw new AppError('notFound')
  return sourceOf(row)
}

/** Refuses a name that another source has. */
export async function requireFreeName(db: Db, name: string, uid?: string): Promise<void> {
  const taken = await db
    .selectFrom('position_source')
    .select('uid')
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (taken && taken.uid !== uid) refuseFields({ name: 'Another source has this name.' })
}

/** Creates a source and returns its key. Only a hash of it is stored. */
export const createSource = (
  db: Db,
  actorUid: string,
  { name, kind }: BodyOf<typeof sources.create>,
): Promise<{ source: PositionSource; key: string }> =>
  inTransaction(db, async (db) => {
    await requireFreeName(db, name)
    const key = newApiKey(TRACKER_PREFIX)
    const { uid } = await db
      .insertInto('position_source')
      .values({ name, kind, key_hash: hashToken(key), key_start: startOfApiKey(key), created_by: actorUid })
      .returning('uid')
      .executeTakeFirstOrThrow()
    return { source: await getSource(db, uid), key }
  })

/** Sources that are always there have no key and keep their names. */
function refuseBuiltIn(source: PositionSource): void {
  if (!source.isBuiltIn) return
  throw new AppError('badInput', { text: `${source.name} is always there and can't be changed.` })
}

export const renameSource = (db: Db, uid: string, name: string): Promise<PositionSource> =>
  inTransaction(db, async (db) => {
    refuseBuiltIn(await getSource(db, uid))
    await requireFreeName(db, name, uid)
    await db.updateTable('position_source').set({ name }).where('uid', '=', uid).execute()
    return getSource(db, uid)
  })

/** Gives a source another key; the one before has no hash any more. */
export const renewKey = (db: Db, uid: string): Promise<{ source: PositionSource; key: string }> =>
  inTransaction(db, async (db) => {
    const source = await getSource(db, uid)
    refuseBuiltIn(source)
    if (!['osmand', 'traccar', 'json'].includes(source.kind))
      throw new AppError('badInput', { text: `${source.name} has no key.` })
    const key = newApiKey(TRACKER_PREFIX)
    await db
      .updateTable('position_source')
      .set({ key_hash: hashToken(key), key_start: startOfApiKey(key), revoked_at: null })
      .where('uid', '=', uid)
      .execute()
    return { source: await getSource(db, uid), key }
  })

/** Ends the key of a source; `isEnded` is false if it had none. */
export const revokeKey = (db: Db, uid: string): Promise<{ source: PositionSource; isEnded: boolean }> =>
  inTransaction(db, async (db) => {
    refuseBuiltIn(await getSource(db, uid))
    const { numUpdatedRows } = await db
      .updateTable('position_source')
      .set({ key_hash: null, revoked_at: sql`now()` })
      .where('uid', '=', uid)
      .where('key_hash', 'is not', null)
      .executeTakeFirst()
    return { source: await getSource(db, uid), isEnded: numUpdatedRows === 1n }
  })

/** A key could send ids without end: no more than these are listed. */
const MOST_UNKNOWN = 500
const SEEN_EVERY = sql`interval '5 seconds'`

/** Lists ids of a source that no truck has, with how many fixes came of each. */
export async function noteUnknown(
  db: Db,
  { uid }: Pick<SendingSource, 'uid'>,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  if (counts.size === 0) return
  const given = rowsAsTable('g', [...counts].slice(0, MOST_UNKNOWN), {
    id: ['text', ([id]) => id],
    fixes: ['int8', ([, count]) => count],
  })
  await sql`
    insert into unknown_tracker (source_uid, external_id, fixes)
    select ${uid}::uuid, g.id, g.fixes
      from (select g.id, g.fixes, x.external_id is null as is_new,
                   row_number() over (partition by x.external_id is null order by g.id) as n
              from ${given} left join unknown_tracker x on x.source_uid = ${uid} and x.external_id = g.id) g
     where not g.is_new or g.n <= ${MOST_UNKNOWN} - (select count(*) from unknown_tracker where source_uid = ${uid})
     order by g.id
        on conflict (source_uid, external_id) do update
       set fixes = unknown_tracker.fixes + excluded.fixes, last_at = now()`.execute(db)
}

interface SourceNote {
  source: SendingSource
  address: string
  /** A sentence about what was wrong, if anything was. */
  problem: string | undefined
}

/** Notes that the key of a source was used, from where, and what was wrong. */
export async function noteUse(db: Db, { source, address, ...note }: SourceNote): Promise<void> {
  const problem = note.problem ?? null
  await sql`
    update position_source
       set last_seen_at = now(), last_address = ${address},
           last_error = coalesce(${problem}, last_error),
           last_error_at = case when ${problem}::text is null then last_error_at else now() end
     where uid = ${source.uid}
       and (last_seen_at is null or last_seen_at < now() - ${SEEN_EVERY} or last_address is distinct from ${address}
            or (${problem}::text is not null and last_error is distinct from ${problem})
            or (${problem}::text is not null and last_error_at < now() - ${SEEN_EVERY}))`.execute(db)
}
