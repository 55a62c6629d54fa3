import { createHash } from 'node:crypto'
import type { Endpoint } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { AppError } from '../runtime/app-error.ts'
import { type Db, inTransaction } from '../db/connection.ts'
import { callerUid } from '../db/records/scope.ts'
import type { ReceivedFile } from './multipart.ts'

const KEY = /^[\x21-\x7e]{8,200}$/

/** Work that calls postpone until their transaction ends. */
const afterwards = new WeakMap<FastifyRequest, (() => Promise<void>)[]>()

/**
 * Runs work on its own connection after the transaction of a call. Calls that waited for a second connection while they
 * hold one could block each other.
 */
export async function afterCommit(request: FastifyRequest, work: () => Promise<void>): Promise<void> {
  const waiting = afterwards.get(request)
  if (!waiting) return work()
  waiting.push(work)
}

interface IdempotentCall {
  endpoint: Endpoint
  request: FastifyRequest
  files: Record<string, ReceivedFile[]>
}

/**
 * Runs a write that carries an Idempotency-Key once: the key is claimed in the transaction that does the work, so a
 * second request with it waits for the first and gets the same answer. A refusal leaves the key free. Calls with a secret
 * answer run each time, since the answer is not stored. So do repeatable calls: they may take long, and a transaction
 * around them would hold a connection.
 */
export async function withIdempotency<T>(db: Db, call: IdempotentCall, work: (db: Db) => Promise<T>): Promise<T> {
  const { endpoint, request } = call
  const key = request.headers['idempotency-key']
  const isWrite = endpoint.method !== 'GET' && !endpoint.repeatable
  if (!isWrite || endpoint.secret || !request.scope || key === undefined) {
    return isWrite && request.scope?.actor.key ? inCallTransaction(db, request, work) : work(db)
  }
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw new AppError('badRequest', { text: 'An Idempotency-Key has 8 to 200 visible characters.' })
  }
  const claim = { user_uid: callerUid(request.scope.actor), key, request_hash: hashOf(call) }
  return inCallTransaction(db, request, (db) => workOnce(db, claim, work))
}

/** `user_uid` is the user or the API key that calls. */
type Claim = Record<'user_uid' | 'key' | 'request_hash', string>

async function workOnce<T>(db: Db, claim: Claim, work: (db: Db) => Promise<T>): Promise<T> {
  const { user_uid, key, request_hash } = claim
  const claimed = await db
    .insertInto('idempotency_key')
    .values(claim)
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (!claimed) {
    const first = await db
      .selectFrom('idempotency_key')
      .select(['request_hash', 'reply'])
      .where('user_uid', '=', user_uid)
      .where('key', '=', key)
      .executeTakeFirst()
    if (first?.request_hash !== request_hash) throw new AppError('keyReused')
    return first.reply as T
  }
  const answer = await work(db)
  await db
    .updateTable('idempotency_key')
    .set({ reply: JSON.stringify(answer) })
    .where('user_uid', '=', user_uid)
    .where('key', '=', key)
    .execute()
  return answer
}

/** Runs a call in one transaction. The history takes the API key of the caller from the transaction. */
async function inCallTransaction<T>(db: Db, request: FastifyRequest, work: (db: Db) => Promise<T>): Promise<T> {
  const waiting: (() => Promise<void>)[] = []
  const apiKey = request.scope?.actor.key
  afterwards.set(request, waiting)
  try {
    return await inTransaction(db, async (db) => {
      if (apiKey) await sql`select set_config('roadshow.api_key', ${apiKey.uid}, true)`.execute(db)
      return work(db)
    })
  } finally {
    afterwards.delete(request)
    for (const work of waiting) await work()
  }
}

function hashOf({ endpoint: { method, path }, request: { params, query, body }, files }: IdempotentCall): string {
  const hash = createHash('sha256').update(JSON.stringify([method, path, params, query, body]))
  for (const [part, received] of Object.entries(files)) {
    for (const { name, content } of received) hash.update(JSON.stringify([part, name, content.length])).update(content)
  }
  return hash.digest('base64')
}
