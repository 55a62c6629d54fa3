import {
  API_BASE,
  type BodyOf,
  type Endpoint,
  type FileNameOf,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
  rowAccessFor,
  rowAccessForKey,
  takesKeys,
} from '@roadshow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ZodError } from 'zod'
import { AppError } from '../runtime/app-error.ts'
import type { Db } from '../db/connection.ts'
import type { Scope } from '../db/records/scope.ts'
import { isApiKey } from './api-key-token.ts'
import type { App, Kernel } from './app.ts'
import { Download } from './download.ts'
import { fieldMessages } from './error-reply.ts'
import type { FillIn, GivenInput } from './fill-in.ts'
import { withIdempotency } from './idempotency.ts'
import { isExport } from './limits.ts'
import { type ReceivedFile, readForm, refuseForm } from './multipart.ts'
import { readBack } from './read-back.ts'
import { bearerOf } from './session.ts'

/** The input of a handler: parsed parameters, the scope of rows, and the connection to use. */
export interface Call<E extends Endpoint> {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  /** The files of a multipart call; an empty list for parts that were not sent. */
  files: Record<FileNameOf<E>, ReceivedFile[]>
  /** Undefined on public calls only. */
  scope: E['access'] extends 'public' ? undefined : Scope
  db: Db
  request: FastifyRequest
  /** Sends a cookie along with the answer, whatever the answer is. */
  setCookie: (header: string) => void
}

type Handler<E extends Endpoint> = (call: Call<E>) => Promise<ReplyOf<E> | Download>

/** The one place that authenticates, authorizes, parses input, and answers. */
export function serve<E extends Endpoint>(app: App, endpoint: E, handler: Handler<E>, fillIn?: FillIn): void {
  const { kernel } = app
  if (Boolean(endpoint.filledIn) !== Boolean(fillIn)) throw new Error(`${endpoint.path} fills in what it does not say.`)
  kernel.served.push(endpoint)
  const parse = inputParser(endpoint)
  app.route({
    method: endpoint.method,
    url: `${API_BASE}/${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`,
    config: { endpoint },
    ...(endpoint.maxBytes && { bodyLimit: endpoint.maxBytes }),
    // Callers are checked before the body is read, so that a refusal costs little.
    onRequest: async (request) => {
      request.scope = await admit(app, endpoint, request)
      refuseForm(endpoint, request)
    },
    handler: async (request, reply) => {
      const files = endpoint.files ? await readForm(endpoint.files, request) : {}
      const given = request as GivenInput
      const query = fillIn ? { ...(await fillIn(given, kernel.db)), ...given.query } : given.query
      const { params, body, query: parsedQuery } = parse(request, query)
      const setCookie = (header: string) => void reply.header('set-cookie', header)
      const { scope } = request
      // Named one by one: spreading costs a tenth of what the whole call does.
      const work = (db: Db) =>
        handler({ params, query: parsedQuery, body, files, scope, db, request, setCookie } as Call<E>)
      const answer = readsFromReplica(endpoint, request)
        ? await kernel.reads.read(async (db) => begunAnswer(await work(db)))
        : await withIdempotency(kernel.db, { endpoint, request, files }, work)
      if (!(answer instanceof Download)) return checked(kernel.checkReplies, endpoint, answer)
      noteExport(kernel, request, reply, answer)
      return sendFile(reply, answer)
    },
  })
}

/** Whether a call may read from a replica: those that are declared so, and exports, which are the heaviest reads. */
export const readsFromReplica = (endpoint: Endpoint, request: Pick<FastifyRequest, 'query'>): boolean =>
  endpoint.method === 'GET' && (endpoint.fromReplica === true || isExport(endpoint, request))

/** Once a file is being sent it can neither change its source nor be refused, so its reading begins before that. */
const begunAnswer = async <T>(answer: T | Download) => (answer instanceof Download ? answer.begun() : answer)

async function admit(app: App, endpoint: Endpoint, request: FastifyRequest): Promise<Scope | undefined> {
  const { access } = endpoint
  if (access === 'public') return undefined
  const token = bearerOf(request)
  if (token && isApiKey(token)) return admitKey(app, endpoint, request, token)
  const session = token && (await app.kernel.readLimitedSession(token))
  if (!session) throw await signedOutError(app, token)
  if (session.isLimited && !endpoint.duringEnrollment) throw new AppError('secondFactorNeeded')
  const { user } = session
  const actor = { ...user, address: request.ip }
  const rows = rowAccessFor(user, access)
  if (!rows) throw new AppError('forbidden')
  return { rows, actor }
}

/** Tells the holder of an ended session why it ended, so that the sign-in page can say so. */
async function signedOutError(app: App, token: string | undefined): Promise<AppError> {
  const reason = token && (await app.kernel.sessionEndReason(token))
  const text = reason && app.kernel.sessionEndMessages[reason]
  return new AppError('signedOut', { ...(text && { text }) })
}

/** A key is read before its scope is compared, so that an ended key learns nothing about calls. */
async function admitKey(app: App, endpoint: Endpoint, request: FastifyRequest, token: string): Promise<Scope> {
  const user = await app.kernel.readKey(token, request.ip)
  if (!user?.key) throw new AppError('keyInvalid')
  if (!takesKeys(endpoint)) throw new AppError('keyRefused')
  const rows = rowAccessForKey({ ...user, canWrite: user.key.canWrite }, endpoint)
  if (!rows) throw new AppError('keyScope')
  return { rows, actor: { ...user, address: request.ip } }
}

/** Parses each part of the request with its schema, which refuses unknown fields. */
function inputParser(endpoint: Endpoint) {
  const { params, query, body } = endpoint
  const toInput = readBack(endpoint)
  return (request: FastifyRequest, filledQuery: Record<string, unknown>) => {
    const parsed = {
      params: params?.safeParse(request.params),
      query: query?.safeParse(filledQuery),
      body: body?.safeParse(toInput(request.body ?? {})),
    }
    if (parsed.params?.error || parsed.query?.error || parsed.body?.error)
      throw badInput(endpoint, [parsed.params?.error, parsed.query?.error, parsed.body?.error])
    return { params: parsed.params?.data, query: parsed.query?.data, body: parsed.body?.data }
  }
}

function badInput({ params }: Endpoint, problems: (ZodError | undefined)[]): AppError {
  const fields = fieldMessages(...problems.filter((problem) => problem !== undefined))
  // No record has an invalid id.
  return fields['uid'] && params ? new AppError('notFound') : new AppError('badInput', { fields })
}

/** Records an export in the audit log once its number of rows is known. Files shown inline are not exports. */
function noteExport(kernel: Kernel, request: FastifyRequest, reply: FastifyReply, file: Download): void {
  const { scope } = request
  if (!scope || file.options.inline) return
  reply.raw.once('close', () => {
    const { rows, filters = [] } = file.options.exportSummary ?? {}
    const count = rows?.()
    const parts = [
      ...(count === undefined ? [] : [`${count} ${count === 1 ? 'row' : 'rows'}`]),
      ...(file.content.readableEnded ? [] : ['broken off']),
      ...filters,
    ]
    const event = {
      kind: 'exported',
      actorUid: scope.actor.uid,
      subject: file.filename,
      detail: parts.join('; '),
    } as const
    kernel.inBackground(kernel.audit(request, event))
  })
}

function sendFile(reply: FastifyReply, file: Download): FastifyReply {
  const { status = 200, headers = {} } = file.options
  return reply
    .code(status)
    .headers(headers)
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
