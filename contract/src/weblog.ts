import * as z from './zod.ts'
import { one, requiredLine, uid } from './common.ts'
import { endpoint } from './endpoint.ts'

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

export const weblog = {
  report: endpoint({
    method: 'POST',
    path: 'web-log/',
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
}
