import { type ErrorBody, type ErrorCode, formatDay } from '@roadshow/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseError } from 'pg'
import { z } from 'zod'
import { AppError } from '../runtime/app-error.ts'
import { type Failure, passingFailure } from '../runtime/passing-failure.ts'
import { sendRequestId } from './call-log.ts'

const fastifyCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'badJson',
  FST_ERR_CTP_BODY_TOO_LARGE: 'tooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'wrongMediaType',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'badRequest',
}

/** Constraints that triggers raise with a sentence for people, and the error code that callers get. */
export type DbErrors = Readonly<Record<string, ErrorCode>>

// Text that PostgreSQL cannot hold, wherever it came in.
const BAD_TEXT = ['22021', '22P05']
const AWAY_SECONDS = 5
const BUSY_SECONDS = 1
const FULL_SECONDS = 60
const NO_ROOM = 'There is no room left to save anything. Nothing of this was saved; what is there can still be read.'

/** Answers failures that pass by themselves or that an operator has to end. */
function temporaryFailure(error: Failure): AppError | undefined {
  const kind = passingFailure(error)
  if (kind === 'full') return new AppError('unavailable', { text: NO_ROOM, retryAfter: FULL_SECONDS })
  return kind && new AppError('unavailable', { retryAfter: kind === 'busy' ? BUSY_SECONDS : AWAY_SECONDS })
}

/** The first message of each field, under the path a form knows it by. */
export function fieldMessages(...errors: z.ZodError[]): Record<string, string> {
  // A map: a field may be named `constructor` or `__proto__`.
  const fields = new Map<string, string>()
  for (const issue of errors.flatMap(({ issues }) => issues)) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')]
    const message = issue.code === 'unrecognized_keys' ? 'Not a known field.' : issue.message
    for (const name of names) if (!fields.has(name)) fields.set(name, message)
  }
  return Object.fromEntries(fields)
}

/** A sentence that a trigger raised, with its days as people read them. */
const sentenceOf = (message: string) => message.replaceAll(/\b\d{4}-\d{2}-\d{2}\b/g, (day) => formatDay(day))

/** The answer to an error that callers can do something about; undefined for a defect of ours. */
export function recognizeError(error: unknown, dbErrors: DbErrors = {}): AppError | undefined {
  if (error instanceof AppError) return error
  if (error instanceof z.ZodError) return new AppError('badInput', { fields: fieldMessages(error) })
  const { code, statusCode } = error as Partial<FastifyError>
  if (error instanceof DatabaseError) {
    if (BAD_TEXT.includes(code ?? '')) return new AppError('badText')
    const declared = dbErrors[error.constraint ?? '']
    return declared ? new AppError(declared, { text: sentenceOf(error.message) }) : temporaryFailure(error)
  }
  const elsewhere = temporaryFailure(error as Partial<FastifyError>)
  if (elsewhere) return elsewhere
  if (code && fastifyCodes[code]) return new AppError(fastifyCodes[code])
  if (statusCode === 413) return new AppError('tooLarge')
  if (statusCode === 429) return new AppError('tooMany')
  return statusCode && statusCode >= 400 && statusCode < 500 ? new AppError('badRequest') : undefined
}

/** Shapes every error the same way. An error outside the table is logged under an id, and answered without detail. */
export const errorReplier =
  (dbErrors: DbErrors) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    // No hook has run where a path cannot be decoded.
    sendRequestId(request, reply)
    const refusal = recognizeError(error, dbErrors)
    if (refusal) {
      if (refusal.status >= 500) request.failure = error
      if (refusal.retryAfter !== undefined) reply.header('retry-after', Math.ceil(refusal.retryAfter))
      reply.code(refusal.status).send(refusal.body)
      return
    }
    request.failure = error
    const body: ErrorBody = { ...new AppError('internal').body, id: request.id }
    reply.code(500).send(body)
  }
