import type { FillProposal, FillRequest, FillResult } from '@roadshow/contract'
import { sql, type UpdateObject } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { DB } from '../../platform/db/schema.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Progress } from './solve.ts'

const columns = sql`uid, state, request, step, placed, failure, result, started_at as "startedAt", expires_at as "expiresAt"`

/** A node that stopped without a word does not finish its searches. */
const ABANDONED_AFTER = sql`interval '20 seconds'`
const ABANDONED = 'The search was cut off. Please start it again.'

/** The newest fill proposal of a user; undefined without one, or after it expired. */
export async function readFillProposal(db: Db, userUid: string): Promise<FillProposal | undefined> {
  const { rows } = await sql<FillProposal & { isAbandoned: boolean }>`
    select ${columns}, state = 'solving' and solving_at < now() - ${ABANDONED_AFTER} as "isAbandoned"
      from fill_proposal where user_uid = ${userUid} and expires_at > now()`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { isAbandoned, ...proposal } = row
  return isAbandoned ? { ...proposal, state: 'failed', failure: ABANDONED } : proposal
}

/** Starts a fill proposal, which replaces the one that the user had. */
export async function insertFillProposal(
  db: Db,
  userUid: string,
  request: FillRequest & { program: string },
): Promise<FillProposal> {
  const { rows } = await sql<FillProposal>`
    insert into fill_proposal (user_uid, request) values (${userUid}, ${JSON.stringify(request)}::jsonb)
    on conflict (user_uid) do update
      set uid = excluded.uid, state = excluded.state, request = excluded.request, step = excluded.step, placed = null,
          failure = '', result = null, started_at = now(), solving_at = now(), expires_at = excluded.expires_at
    returning ${columns}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The proposal was not stored.')
  return row
}

/** Changes a fill proposal that is being looked for. False if it is no longer wanted. */
async function updateSolving(db: Db, uid: string, values: UpdateObject<DB, 'fill_proposal'>): Promise<boolean> {
  const update = db.updateTable('fill_proposal').set(values).where('uid', '=', uid).where('state', '=', 'solving')
  return (await update.executeTakeFirst()).numUpdatedRows > 0n
}

export const noteProgress = (db: Db, uid: string, { step, placed }: Progress) =>
  updateSolving(db, uid, { solving_at: sql`now()`, step, placed })

export const storeResult = (db: Db, uid: string, result: FillResult) =>
  updateSolving(db, uid, { state: 'ready', result: JSON.stringify(result) })

export const storeFailure = (db: Db, uid: string, failure: string) =>
  updateSolving(db, uid, { state: 'failed', failure })

/** Removes a fill proposal of a user; whichever node looks for it notices and stops. */
export async function removeFillProposal(db: Db, userUid: string, uid: string): Promise<void> {
  const removed = await db
    .deleteFrom('fill_proposal')
    .where('uid', '=', uid)
    .where('user_uid', '=', userUid)
    .returning('uid')
    .executeTakeFirst()
  if (!removed) throw new AppError('notFound')
}

/** Locks a fill proposal of a user that can be accepted, and marks it as accepted. Needs a transaction. */
export async function takeFillProposal(db: Db, userUid: string, uid: string) {
  const { rows } = await sql<Pick<FillProposal, 'request' | 'state' | 'result'>>`
    select request, state, result from fill_proposal
     where uid = ${uid} and user_uid = ${userUid} and expires_at > now() for update`.execute(db)
  const [row] = rows
  if (!row) throw new AppError('notFound', { text: 'Proposal not found. It may have expired.' })
  if (row.state !== 'ready' || !row.result) throw new AppError('fillState')
  await sql`update fill_proposal set state = 'accepted' where uid = ${uid}`.execute(db)
  return { request: row.request, result: row.result }
}
