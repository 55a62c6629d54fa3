import type { FillProposal, FillRequest, FillResult } from '@roadshow/contract'
import { sql, type UpdateObject } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { DB } from '../../platform/db/schema.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Progress } from './solve.ts'

const times = ['started_at as startedAt', 'expires_at as expiresAt'] as const
const columns = ['uid', 'state', 'request', 'step', 'placed', 'failure', 'result', ...times] as const
type Stored = Pick<FillProposal, 'state' | 'request' | 'step' | 'result'>

/** A node that stopped without a word does not finish its searches. */
const ABANDONED = 'The search was cut off. Please start it again.'

const ownProposal = (db: Db, userUid: string) =>
  db
    .selectFrom('fill_proposal')
    .where('user_uid', '=', userUid)
    .where('expires_at', '>', sql<string>`now()`)

/** The newest fill proposal of a user; undefined without one, or after it expired. */
export async function readFillProposal(db: Db, userUid: string): Promise<FillProposal | undefined> {
  const row = await ownProposal(db, userUid)
    .select(columns)
    .$narrowType<Stored>()
    .select(sql<boolean>`state = 'solving' and solving_at < now() - interval '20 seconds'`.as('isAbandoned'))
    .executeTakeFirst()
  if (!row) return undefined
  const { isAbandoned, ...proposal } = row
  return isAbandoned ? { ...proposal, state: 'failed', failure: ABANDONED } : proposal
}

/** Starts a fill proposal, which replaces the one that the user had. */
export const insertFillProposal = (
  db: Db,
  userUid: string,
  request: FillRequest & { program: string },
): Promise<FillProposal> =>
  db
    .insertInto('fill_proposal')
    .values({ user_uid: userUid, request: JSON.stringify(request) })
    .onConflict((conflict) =>
      conflict.column('user_uid').doUpdateSet((eb) => ({
        uid: eb.ref('excluded.uid'),
        state: eb.ref('excluded.state'),
        request: eb.ref('excluded.request'),
        step: eb.ref('excluded.step'),
        placed: null,
        failure: '',
        result: null,
        started_at: sql`now()`,
        solving_at: sql`now()`,
        expires_at: eb.ref('excluded.expires_at'),
      })),
    )
    .returning(columns)
    .$narrowType<Stored>()
    .executeTakeFirstOrThrow()

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
  const row = await ownProposal(db, userUid)
    .select(['request', 'state', 'result'])
    .$narrowType<Pick<Stored, 'request' | 'result'>>()
    .where('uid', '=', uid)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('notFound', { text: 'Proposal not found. It may have expired.' })
  if (row.state !== 'ready' || !row.result) throw new AppError('fillState')
  await db.updateTable('fill_proposal').set({ state: 'accepted' }).where('uid', '=', uid).execute()
  return { request: row.request, result: row.result }
}
