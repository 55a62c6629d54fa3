import { sentPosition, sentPositions, type PositionSourceKind } from '@roadshow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DeviceBatch, timeProblem } from '../device-batches/index.ts'
import { networkOf } from '../../platform/http/address.ts'
import type { App } from '../../platform/http/app.ts'
import { secondsLeft } from '../../platform/http/counters.ts'
import { acceptForms } from '../../platform/http/form-bodies.ts'
import { serve } from '../../platform/http/serve.ts'
import { bearerOf } from '../../platform/http/session.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { fixKey, normalizeFix, type TrackerFix } from '../telemetry/index.ts'
import { readPosition, readTrackerCall } from './formats.ts'
import { PositionIntake } from './intake.ts'
import { noteUse, type SendingSource, sourceReader } from './queries.ts'

/** Where trackers send to. It is short, because people type it into small devices. */
const PATH = '/track'
const MAX_BYTES = 256 * 1024
const WINDOW_MS = 60_000

/** The address of a call without the key in it. */
export const hideTrackerKey = (path: string): string => path.replace(/^\/track\/[^/?]+/, `${PATH}/…`)

const keyInvalid = () => new AppError('keyInvalid', { text: 'This tracker key is unknown or was revoked.' })

export function intakeRoutes(app: App): void {
  const { db, takeFixes, takeReports } = app.kernel
  const readSource = sourceReader(db)
  const intake = new PositionIntake(db)
  app.addHook('onClose', () => intake.close())

  /** The source of a key. Wrong keys are counted by network, so that they cannot be guessed. */
  async function admit(key: string | undefined, kinds: readonly PositionSourceKind[], request: FastifyRequest) {
    const source = key === undefined ? undefined : await readSource(key)
    if (source && kinds.includes(source.kind)) {
      request.sender = `tracker source ${source.uid}`
      return source
    }
    if ((await takeReports(`tracker key ${networkOf(request.ip)}`, 1)) === 0)
      throw new AppError('tooMany', { retryAfter: secondsLeft(WINDOW_MS) })
    throw keyInvalid()
  }

  async function limit(source: SendingSource, count: number, { ip }: FastifyRequest): Promise<void> {
    if ((await takeFixes(`source ${source.uid}`, count)) >= count) return
    const text = 'This source sends more positions than a minute allows. Please send the rest later.'
    await noteUse(db, { source, address: ip, problem: text })
    throw new AppError('tooMany', { text, retryAfter: secondsLeft(WINDOW_MS) })
  }

  serve(app, sentPositions.send, async ({ body: { positions }, request }) => {
    const source = await admit(bearerOf(request), ['json'], request)
    await limit(source, positions.length, request)
    const batch = new DeviceBatch(positions, sentPosition, 'id')
    const fixes = new Map<(typeof batch.rows)[number], TrackerFix>()
    for (const sent of batch.rows) {
      const read = normalizeFix(readPosition(sent.row))
      if ('fix' in read) fixes.set(sent, read.fix)
      else batch.answer(sent, 'rejected', read.problem)
    }
    const problem = batch.refusedRows[0]?.reason
    const call = { source, fixes: [...fixes.values()], address: request.ip, problem }
    const { trucks, fresh, now, oldest } = await intake.take(call)
    const left = new Set(fresh)
    for (const [sent, { truck, at }] of fixes) {
      const uid = trucks.get(truck)
      const late = timeProblem(at, oldest, now)
      if (late) batch.answer(sent, late.result, late.reason)
      else if (!uid) batch.answer(sent, 'rejected', `No truck has the id ${truck} at this source.`)
      else batch.answer(sent, left.delete(fixKey(uid, at)) ? 'accepted' : 'duplicate')
    }
    return batch.acks
  })

  const admitted = new WeakMap<FastifyRequest, SendingSource>()

  /** The key is checked before the body is read. */
  async function authorize(request: FastifyRequest): Promise<void> {
    const { key: inPath } = request.params as { key?: string }
    const { key: inQuery } = request.query as { key?: unknown }
    const key = inPath ?? bearerOf(request) ?? (typeof inQuery === 'string' ? inQuery : undefined)
    admitted.set(request, await admit(key, ['osmand', 'traccar'], request))
  }

  /** Trackers read the status alone: 200 for what they need not send again. */
  async function track(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const source = admitted.get(request)
    if (!source) throw keyInvalid()
    const { fixes: sent, readings } = readTrackerCall(request.query, request.body)
    await limit(source, sent.length, request)
    const read = sent.map(normalizeFix)
    const fixes = read.flatMap((each) => ('fix' in each ? [each.fix] : []))
    const [refused] = read.filter((each) => 'problem' in each && !each.isExpected)
    const problem = refused && 'problem' in refused ? refused.problem : undefined
    const { trucks, now, oldest } = await intake.take({ source, fixes, readings, address: request.ip, problem })
    if (problem !== undefined && fixes.length === 0) throw new AppError('badInput', { text: problem })
    const unknown = fixes.find(({ truck }) => !trucks.has(truck))
    if (unknown) throw new AppError('badInput', { text: `No truck has the id ${unknown.truck} at this source.` })
    const late = fixes.map(({ at }) => timeProblem(at, oldest, now)).find((each) => each !== undefined)
    return reply.code(200).header('cache-control', 'no-store').send(late?.reason)
  }

  void app.register(async (inner) => {
    acceptForms(inner)
    for (const url of [PATH, `${PATH}/:key`]) {
      const route = { url, bodyLimit: MAX_BYTES, onRequest: authorize, handler: track }
      inner.route({ ...route, method: 'GET', exposeHeadRoute: false })
      inner.route({ ...route, method: 'POST' })
    }
  })
}
