import * as z from '../platform/zod.ts'
import { instant, listQuery, namedRef, one, page, requiredLine, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'

const MAX_REPORT = 16_000
// Neither JSON.stringify nor PostgreSQL can follow a nesting without end.
const MAX_DEPTH = 100

function isShallow(given: unknown): boolean {
  let level = [given]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return false
    level = level.flatMap((value): unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
  }
  return true
}

const isSmall = (given: unknown) => isShallow(given) && (JSON.stringify(given) ?? '').length <= MAX_REPORT
const tooLarge = `At most ${MAX_REPORT} characters, nested ${MAX_DEPTH} deep.`

/** A report in the list: its text is the beginning of what was reported. */
const errorLogEntry = z.strictObject({
  uid,
  at: instant,
  errorOrigin: z.string(),
  text: z.string(),
  user: namedRef.nullable(),
  address: z.string(),
  userAgent: z.string(),
})
export type ErrorLogEntry = z.infer<typeof errorLogEntry>

const view = { module: 'users', needs: 'view' } as const

export const errorLog = {
  report: endpoint({
    method: 'POST',
    path: 'web-log/',
    rate: 'report',
    access: 'public',
    summary: 'Takes an error of the web app. The server-side variant carries the token, which is never stored.',
    // A broken page must be able to report itself whatever it holds, so the shape is loose and only the size is limited.
    body: z.strictObject({
      errorOrigin: requiredLine(200),
      error: z.unknown().refine(isSmall, tooLarge),
      meta: z
        .looseObject({ userUid: z.string().max(64).optional() })
        .refine(isSmall, tooLarge)
        .optional(),
      token: z.string().max(200).optional(),
    }),
    reply: one(z.strictObject({ uid })),
  }),
  list: endpoint({
    method: 'GET',
    path: 'web-log/run',
    access: view,
    summary: 'Reports of the last 30 days, newest first, searched in origin, error and user.',
    follows: [],
    added: true,
    query: listQuery(['at'], {}),
    reply: page(errorLogEntry),
  }),
  get: endpoint({
    method: 'GET',
    path: 'web-log/{uid}',
    access: view,
    summary: 'One report, whole.',
    follows: [],
    added: true,
    params: z.strictObject({ uid }),
    reply: one(errorLogEntry.extend({ error: z.unknown(), meta: z.unknown() })),
  }),
}
