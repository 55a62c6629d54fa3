import {
  type HistoryPage,
  type RecordChange,
  type SettingKey,
  settingKeys,
  type Settings,
  settingTable,
  defaultSettings,
  type FileRef,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { isArtworkApproved } from '../artwork/index.ts'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { claimFile, getStoredFile, toFileRef } from '../../platform/files/index.ts'
import type { Scope } from '../../platform/db/records/scope.ts'

interface Stored {
  /** Grows with every change of any setting. */
  version: number
  values: Settings
}

/** The logo beside the settings, so that a form can show it. */
async function withLogo(db: Db, stored: Stored): Promise<Stored & { logo?: FileRef }> {
  const { companyLogoUid: uid } = stored.values
  return uid === null ? stored : { ...stored, logo: toFileRef(await getStoredFile(db, uid)) }
}

async function readStoredSettings(db: Db): Promise<Stored> {
  const rows = await db.selectFrom('setting').select(['key', 'value', 'version']).execute()
  const values = { ...defaultSettings }
  for (const { key, value } of rows) {
    // A key of an older release, or a value that is no longer allowed, has no effect.
    const known = settingKeys.find((each) => each === key)
    const read = known && settingTable[known].schema.safeParse(value)
    if (read?.success) Object.assign(values, { [known as SettingKey]: read.data })
  }
  return { version: rows.reduce((sum, { version }) => sum + version, 1), values }
}

/** The current settings. A setting that was never changed has its default. */
export const readSettings = async (db: Db): Promise<Settings> => (await readStoredSettings(db)).values

export const currentSettings = async (db: Db) => withLogo(db, await readStoredSettings(db))

/** Writes the changed settings; refuses an old version. */
export const changeSettings = (db: Db, scope: Scope, version: number, given: Settings) =>
  inTransaction(db, async (db) => {
    await sql`lock table setting in share row exclusive mode`.execute(db)
    const before = await readStoredSettings(db)
    if (before.version !== version) throw new AppError('staleVersion')
    await refuseUnapproved(db, before.values, given)
    await claimLogo(db, scope, before.values, given)
    const text = (values: Settings, key: SettingKey) => JSON.stringify(values[key])
    for (const key of settingKeys.filter((each) => text(given, each) !== text(before.values, each))) {
      const row = { value: text(given, key), changed_by: scope.actor.uid, changed_from: scope.actor.address }
      await db
        .insertInto('setting')
        .values({ key, ...row })
        .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
        .execute()
    }
    return currentSettings(db)
  })

/** Keeps the file of a new logo. */
async function claimLogo(db: Db, scope: Scope, before: Settings, { companyLogoUid: uid }: Settings): Promise<void> {
  if (uid !== null && uid !== before.companyLogoUid)
    await claimFile(db, scope, { uid, purpose: 'logo', field: 'companyLogoUid' })
}

/** Refuses new house artwork that is not approved. What was chosen before stays, whatever became of it. */
async function refuseUnapproved(db: Db, before: Settings, { fallbackArtworkUid: uid }: Settings): Promise<void> {
  if (uid === null || uid === before.fallbackArtworkUid || (await isArtworkApproved(db, uid))) return
  refuseFields({ fallbackArtworkUid: 'Choose an artwork set that is approved.' })
}

/** Every change of a setting, newest first; what was saved at once is one change. */
export async function settingChanges(
  db: Db,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<HistoryPage> {
  const all = db
    .selectFrom('history as h')
    .innerJoin('setting as s', 's.uid', 'h.record_uid')
    .where('h.table_name', '=', 'setting')
  const saves = await all
    .leftJoin('user_account as u', 'u.uid', 'h.actor_uid')
    .select([
      'h.at',
      'u.name as by',
      'h.address',
      sql<
        [SettingKey, unknown, unknown][]
      >`jsonb_agg(jsonb_build_array(s.key, h.changes #> '{value,0}', h.changes #> '{value,1}') order by h.id)`.as(
        'fields',
      ),
    ])
    .groupBy(['h.at', 'h.actor_uid', 'u.name', 'h.address'])
    .orderBy(({ fn }) => fn.max('h.id'), 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  const { total } = await db
    .selectFrom(all.select(['h.at', 'h.actor_uid', 'h.address']).distinct().as('saves'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const data = saves.map(({ fields, ...save }): RecordChange => {
    return { ...save, action: 'changed', fields: fields.map(([key, old, now]) => changed(key, old, now)) }
  })
  await nameFiles(db, data)
  const removed = sql<{ at: string }>`
    select (select at from history order by id limit 1) as at
     where exists (select from setting s where not exists (
       select from history h where h.table_name = 'setting' and h.record_uid = s.uid and h.action = 'created'))`
  const keptSince = (await removed.execute(db)).rows[0]?.at
  return { data, page, pageSize, total, ...(keptSince && { keptSince }) }
}

// The first change of a setting leaves its default.
const changed = (field: SettingKey, old: unknown, now: unknown) => ({
  field,
  old: (old ?? defaultSettings[field] ?? null) as RecordChange['fields'][number]['old'],
  new: now as RecordChange['fields'][number]['new'],
})

/** Shows artwork sets and the logo by their names, as the history of records does. */
async function nameFiles(db: Db, changes: RecordChange[]): Promise<void> {
  const fields = changes.flatMap((change) => change.fields).filter(({ field }) => holdsUid(field))
  const uids = [...new Set(fields.flatMap(({ old, new: now }) => [old, now]).filter((uid) => typeof uid === 'string'))]
  if (uids.length === 0) return
  const sets = await db
    .selectFrom('artwork_set')
    .select(['uid', 'name'])
    .where('uid', 'in', uids)
    .unionAll(db.selectFrom('stored_file').select(['uid', 'original_name as name']).where('uid', 'in', uids))
    .execute()
  const names = new Map<unknown, string>(sets.map(({ uid, name }) => [uid, name]))
  for (const field of fields) {
    field.old = names.get(field.old) ?? field.old
    field.new = names.get(field.new) ?? field.new
  }
}

const holdsUid = (field: string): boolean =>
  settingKeys.some((key) => key === field && ['artwork', 'logo'].includes(settingTable[key].unit))
