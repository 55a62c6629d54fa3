import type { BodyOf, PolledSourceKind, PositionSource, sources } from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../platform/db/connection.ts'
import type { Outbound } from '../../../platform/http/outbound.ts'
import { AppError, refuseFields } from '../../../platform/runtime/app-error.ts'
import { seal, unseal } from '../../../platform/runtime/secret-box.ts'
import { GEOTAB_SOURCE } from '../../telemetry/index.ts'
import { getSource, requireFreeName } from '../queries.ts'
import type { ServerAccount } from './server-account.ts'

/** An account as pollers use it. */
export interface PollableAccount {
  sourceUid: string
  name: string
  kind: PolledSourceKind
  server: string
  database: string
  user: string
  /** Undefined where it was sealed with another key than the server has now. */
  secret: string | undefined
  /** Another one means another account. */
  version: string
  isSetByServer: boolean
  everyMs?: number
}

const sealSecret = (secret: string, sourceUid: string) => seal(Buffer.from(secret), `position account ${sourceUid}`)
const openSecret = (sealed: Buffer, sourceUid: string) =>
  unseal(sealed, `position account ${sourceUid}`)?.toString('utf8')

const serverAccountOf = ({ password, everyMs, ...account }: NonNullable<ServerAccount>): PollableAccount => ({
  ...account,
  everyMs,
  sourceUid: GEOTAB_SOURCE,
  name: 'MyGeotab',
  kind: 'geotab',
  secret: password,
  version: 'server',
  isSetByServer: true,
})

/** The accounts that are asked. The one of the server's settings comes before the one that was entered. */
export async function pollableAccounts(db: Db, geotab: ServerAccount): Promise<PollableAccount[]> {
  const rows = await db
    .selectFrom('position_account as a')
    .innerJoin('position_source as s', 's.uid', 'a.source_uid')
    .select(['s.uid', 's.name', 's.kind', 'a.server', 'a.database_name', 'a.user_name', 'a.secret', 'a.version'])
    .where('s.deleted_at', 'is', null)
    .where('s.is_enabled', '=', true)
    .orderBy('s.uid')
    .execute()
  const entered = rows.map((row): PollableAccount => ({
    sourceUid: row.uid,
    name: row.name,
    kind: row.kind as PolledSourceKind,
    server: row.server,
    database: row.database_name,
    user: row.user_name,
    secret: openSecret(row.secret, row.uid),
    version: String(row.version),
    isSetByServer: false,
  }))
  if (!geotab) return entered
  return [serverAccountOf(geotab), ...entered.filter(({ sourceUid }) => sourceUid !== GEOTAB_SOURCE)]
}

interface AccountRow {
  server: string
  database_name: string
  user_name: string
  secret: Buffer
}

async function writeAccount(db: Db, sourceUid: string, actorUid: string, row: AccountRow): Promise<void> {
  const saved = { ...row, saved_by: actorUid, saved_at: sql<string>`now()` }
  await db
    .insertInto('position_account')
    .values({ source_uid: sourceUid, ...saved })
    .onConflict((same) =>
      same.column('source_uid').doUpdateSet({ ...saved, version: sql<number>`position_account.version + 1` }),
    )
    .execute()
  // What was wrong with the account before is over.
  await db
    .updateTable('position_source')
    .set({ last_error: null, last_error_at: null })
    .where('uid', '=', sourceUid)
    .execute()
}

/** An address as it is asked: without a scheme it is HTTPS. */
const addressOf = (server: string) => (server.includes('://') ? server : `https://${server}`).replace(/\/+$/, '')

function requireReachable(outbound: Outbound, server: string): void {
  const problem = outbound.problemOf(server)
  if (problem !== undefined) refuseFields({ server: problem })
}

export const addPolledSource = (
  db: Db,
  actorUid: string,
  { name, kind, server, secret }: BodyOf<typeof sources.addPolled>,
  outbound: Outbound,
): Promise<PositionSource> =>
  inTransaction(db, async (db) => {
    const address = addressOf(server)
    requireReachable(outbound, address)
    await requireFreeName(db, name)
    const { uid } = await db
      .insertInto('position_source')
      .values({ name, kind, created_by: actorUid })
      .returning('uid')
      .executeTakeFirstOrThrow()
    const row = { server: address, database_name: '', user_name: '', secret: sealSecret(secret, uid) }
    await writeAccount(db, uid, actorUid, row)
    return getSource(db, uid)
  })

/** The source of a call, which must be one that is asked, by an account of the console. */
async function requirePolled(db: Db, uid: string, geotab: ServerAccount): Promise<PositionSource> {
  const source = await getSource(db, uid)
  if (source.kind !== 'geotab' && source.kind !== 'samsara')
    throw new AppError('badInput', { text: `${source.name} sends by itself and has no account.` })
  if (geotab && uid === GEOTAB_SOURCE)
    throw new AppError('badInput', {
      text: 'The settings of the server name this account (GEOTAB_DATABASE, GEOTAB_USER, GEOTAB_PASSWORD). Change it there.',
    })
  return source
}

type SentAccount = BodyOf<typeof sources.saveAccount>

/** MyGeotab signs a user in to a database; Samsara knows the company by its token. */
function requireNames({ kind }: PositionSource, { database, user }: SentAccount): void {
  if (kind === 'samsara' && database + user !== '')
    refuseFields({ ...(database && { database: 'Samsara has none.' }), ...(user && { user: 'Samsara has none.' }) })
  if (kind === 'geotab' && (database === '' || user === ''))
    refuseFields({
      ...(database === '' && { database: 'Enter the database.' }),
      ...(user === '' && { user: 'Enter the user.' }),
    })
}

export const saveAccount = (
  db: Db,
  actorUid: string,
  { uid, account, outbound, geotab }: { uid: string; account: SentAccount; outbound: Outbound; geotab: ServerAccount },
): Promise<PositionSource> =>
  inTransaction(db, async (db) => {
    const source = await requirePolled(db, uid, geotab)
    requireNames(source, account)
    const server = addressOf(account.server)
    requireReachable(outbound, server)
    const before = await db
      .selectFrom('position_account')
      .selectAll()
      .where('source_uid', '=', uid)
      .forUpdate()
      .executeTakeFirst()
    // A stored secret goes only where it was entered for.
    const isSame =
      before?.server === server && before.database_name === account.database && before.user_name === account.user
    if (account.secret === '' && !isSame)
      refuseFields({
        secret: before ? 'Enter it again: the server, the database or the user has changed.' : 'Enter it.',
      })
    const secret = before && account.secret === '' ? before.secret : sealSecret(account.secret, uid)
    const row = { server, database_name: account.database, user_name: account.user, secret }
    await writeAccount(db, uid, actorUid, row)
    return getSource(db, uid)
  })

/** Removes an account; `isRemoved` is false if there was none. */
export const removeAccount = (
  db: Db,
  uid: string,
  geotab: ServerAccount,
): Promise<{ source: PositionSource; isRemoved: boolean }> =>
  inTransaction(db, async (db) => {
    await requirePolled(db, uid, geotab)
    const { numDeletedRows } = await db.deleteFrom('position_account').where('source_uid', '=', uid).executeTakeFirst()
    return { source: await getSource(db, uid), isRemoved: numDeletedRows === 1n }
  })

/** Notes that a source has answered. */
export async function noteAnswered(db: Db, sourceUid: string): Promise<void> {
  await db
    .updateTable('position_source')
    .set({ last_seen_at: sql<string>`now()` })
    .where('uid', '=', sourceUid)
    .execute()
}

const SENTENCE_MOST = 500

/** Notes what was wrong, in a sentence. */
export async function noteProblem(db: Db, sourceUid: string, sentence: string): Promise<void> {
  await db
    .updateTable('position_source')
    .set({ last_error: sentence.slice(0, SENTENCE_MOST), last_error_at: sql<string>`now()` })
    .where('uid', '=', sourceUid)
    .execute()
}
