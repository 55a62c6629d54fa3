import {
  API_BASE,
  type BodyOf,
  type Endpoint,
  type FileNameOf,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
  rowAccessFor,
} from '@roadshow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ZodError } from 'zod'
import { AppError } from '../runtime/app-error.ts'
import type { Db } from '../db/connection.ts'
import type { Scope } from '../db/records/scope.ts'
import type { App, Kernel } from './app.ts'
import { Download } from './download.ts'
import { fieldMessages } from './error-reply.ts'
import { withIdempotency } from './idempotency.ts'
import { type ReceivedFile, readForm, refuseForm } from './multipart.ts'
import { bearerOf } from './session.ts'

/** What a handler gets: parsed input, the rows it may touch, and the connection to use. */
export interface Call<E extends Endpoint> {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  /** What came with a multipart call; an empty list where nothing came. */
  files: Record<FileNameOf<E>, ReceivedFile[]>
  /** Undefined on public calls only. */
  scope: E['access'] extends 'public' ? undefined : Scope
  db: Db
  request: FastifyRequest
}

type Handler<E extends Endpoint> = (call: Call<E>) => Promise<ReplyOf<E> | Download>

/** The one place that authenticates, authorises, parses input, and answers. */
export function serve<E extends Endpoint>(app: App, endpoint: E, handler: Handler<E>): void {
  const { kernel } = app
  kernel.served.push(endpoint)
  app.route({
    method: endpoint.method,
    url: `${API_BASE}/${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`,
    config: { endpoint },
    ...(endpoint.maxBytes && { bodyLimit: endpoint.maxBytes }),
    // Before the body is read: who may not call costs nothing more.
    onRequest: async (request) => {
      request.scope = await admit(app, endpoint, request)
      refuseForm(endpoint, request)
    },
    handler: async (request, reply) => {
      const files = await readForm(endpoint, request)
      const input = parse(endpoint, request)
      const answer = await withIdempotency(kernel.db, endpoint, request, files, (db) =>
        handler({ ...input, files, scope: request.scope, db, request } as Call<E>),
      )
      if (!(answer instanceof Download)) return checked(kernel.checkReplies, endpoint, answer)
      noteExport(kernel, request, reply, answer)
      return sendFile(reply, answer)
    },
  })
}

async function admit(app: App, { access }: Endpoint, request: FastifyRequest): Promise<Scope | undefined> {
  if (access === 'public') return undefined
  const token = bearerOf(request)
  const user = token && (await app.kernel.readSession(token))
  if (!user) throw new AppError('signedOut')
  const actor = { ...user, address: request.ip }
  const rows = rowAccessFor(user, access)
  if (!rows) throw new AppError('forbidden')
  return { rows, actor }
}

/** Each part of the request through its schema; what the contract does not name is refused. */
function parse(endpoint: Endpoint, request: FastifyRequest) {
  const problems: ZodError[] = []
  const part = (name: 'params' | 'query' | 'body') => {
    const schema = endpoint[name]
    const result = schema?.safeParse(name === 'body' ? (request.body ?? {}) : request[name])
    if (result?.error) problems.push(result.error)
    return result?.data
  }
  const parsed = { params: part('params'), query: part('query'), body: part('body') }
  if (problems.length === 0) return parsed
  const fields = fieldMessages(...problems)
  // An id that cannot be one names nothing.
  if (fields['uid'] && endpoint.params) throw new AppError('notFound')
  throw new AppError('badInput', { fields })
}

/** Who took which rows out, once it is known how many those were. What is only looked at is no export. */
function noteExport(kernel: Kernel, request: FastifyRequest, reply: FastifyReply, file: Download): void {
  const { scope } = request
  if (!scope || file.inline) return
  reply.raw.once('close', () => {
    const { rows, filters = [] } = file.told ?? {}
    const count = rows?.()
    const parts = [
      ...(count === undefined ? [] : [`${count} ${count === 1 ? 'row' : 'rows'}`]),
      ...(file.content.readableEnded ? [] : ['broken off']),
      ...filters,
    ]
    const deed = {
      kind: 'exported',
      actorUid: scope.actor.uid,
      subject: file.filename,
      detail: parts.join('; '),
    } as const
    kernel.inBackground(kernel.audit(request, deed))
  })
}

function sendFile(reply: FastifyReply, file: Download): FastifyReply {
  return reply
    .code(file.status)
    .headers(file.headers)
    .header('content-type', file.type)
    .header('content-disposition', file.disposition)
    .header('x-content-type-options', 'nosniff')
    .send(file.content)
}

function checked(check: boolean, endpoint: Endpoint, answer: unknown): unknown {
  if (!check) return answer
  const result = endpoint.reply.safeParse(answer)
  if (result.error) throw new Error(`${endpoint.path} answers outside its contract: ${result.error.message}`)
  return answer
}
