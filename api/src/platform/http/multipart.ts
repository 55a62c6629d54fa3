import type { Multipart } from '@fastify/multipart'
import { DATA_PART, type Endpoint, type FileRule } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../runtime/app-error.ts'

/** A file that came with a call. None of it is verified yet. */
export interface ReceivedFile {
  name: string
  /** As the sender announced it. */
  type: string
  content: Buffer
}

type Files = Record<string, ReceivedFile[]>
type Rules = Record<string, FileRule>

const MAX_DATA = 1024 * 1024
// Boundaries and headers of the parts, generously.
const MAX_FRAME = 64 * 1024

const refusedFile = (code: 'badInput' | 'tooLarge' | 'wrongMediaType', part: string, text: string) =>
  new AppError(code, { text, fields: { [part]: text } })

const megabytes = (bytes: number) => `${Math.round((bytes / 1024 / 1024) * 10) / 10} MB`
const tooLarge = (part: string, { bytes }: FileRule) =>
  refusedFile('tooLarge', part, `A file may have at most ${megabytes(bytes)}.`)
const tooMany = (part: string, { count }: FileRule) =>
  refusedFile('tooLarge', part, count === 1 ? 'Only one file can be sent here.' : `At most ${count} files at once.`)

const isForm = ({ headers }: FastifyRequest) => /^multipart\//i.test(headers['content-type'] ?? '')

/** Refuses, before anything is read, an unexpected form and one whose declared length is too large. */
export function refuseForm({ files }: Endpoint, request: FastifyRequest): void {
  if (!isForm(request)) return
  if (!files) throw new AppError('wrongMediaType')
  const most = Object.values(files).reduce((sum, { count, bytes }) => sum + count * bytes, MAX_DATA + MAX_FRAME)
  if (Number(request.headers['content-length'] ?? 0) > most) throw new AppError('tooLarge')
}

/** Reads a multipart call: its files are returned, its data becomes the body. */
export async function readForm(rules: Rules, request: FastifyRequest): Promise<Files> {
  const files: Files = Object.fromEntries(Object.keys(rules).map((part) => [part, []]))
  if (!request.isMultipart()) return files
  const most = Object.values(rules)
  const limits = {
    fileSize: Math.max(...most.map(({ bytes }) => bytes)),
    // One more than allowed, so that the refusal can say which part had too many.
    files: most.reduce((sum, { count }) => sum + count, 1),
    fields: 1,
    fieldSize: MAX_DATA,
  }
  try {
    for await (const part of request.parts({ limits })) await take(part, rules, files, request)
  } catch (error) {
    // The rest of the body is read and dropped, so that the sender receives the refusal.
    request.raw.unpipe()
    request.raw.resume()
    throw toAppError(error)
  }
  return files
}

async function take(part: Multipart, rules: Rules, files: Files, request: FastifyRequest): Promise<void> {
  const name = part.fieldname
  if (part.type === 'field') {
    if (name !== DATA_PART) throw refusedFile('badInput', name, 'Not a known field.')
    if (part.valueTruncated) throw new AppError('tooLarge')
    request.body = jsonOf(part.value)
    return
  }
  const rule = rules[name]
  const received = files[name]
  if (!rule || !received) throw refusedFile('badInput', name, 'Not a known field.')
  if (received.length === rule.count) throw tooMany(name, rule)
  if (!rule.types.includes(part.mimetype)) {
    throw refusedFile('wrongMediaType', name, 'This kind of file is not accepted here.')
  }
  const content = await contentOf(part, rule)
  // An empty file input of an HTML form is a part without name and content.
  if (content.length === 0 && !part.filename) return
  if (content.length === 0) throw refusedFile('badInput', name, 'The file is empty.')
  received.push({ name: part.filename.slice(-200), type: part.mimetype, content })
}

async function contentOf(part: Extract<Multipart, { type: 'file' }>, rule: FileRule): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of part.file as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > rule.bytes) throw tooLarge(part.fieldname, rule)
    chunks.push(chunk)
  }
  if (part.file.truncated) throw tooLarge(part.fieldname, rule)
  return Buffer.concat(chunks, size)
}

// A part announced as JSON has been read already.
function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    throw new AppError('badJson')
  }
}

/** Translates errors of the parser, whose messages are not meant for users. */
function toAppError(error: unknown): unknown {
  if (error instanceof AppError) return error
  const { statusCode, code } = error as { statusCode?: number; code?: string }
  if (code === 'FST_INVALID_JSON_FIELD_ERROR') return new AppError('badJson')
  return new AppError(statusCode === 413 ? 'tooLarge' : 'badRequest')
}
