import * as z from '../platform/zod.ts'
import { day, namedRef, one, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'

/** A month: `2026-10`. */
export const month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Must be a month such as 2026-10.')

const monthFigures = {
  shifts: z.int(),
  seconds: z.int(),
  metres: z.number(),
  plays: z.int(),
  verifiedPlays: z.int(),
  /** Approved photos that were taken in the month. */
  photos: z.int(),
}

const clientMonth = z.strictObject({
  client: namedRef,
  month,
  from: day,
  to: day,
  /** Programs that ran in the month, by name. */
  programs: z.array(z.strictObject({ program: namedRef, ...monthFigures })),
  total: z.strictObject(monthFigures),
  /** For the office: the client’s contacts who can get it by mail. */
  contacts: z.array(z.strictObject({ name: z.string(), email: z.string() })),
})
export type ClientMonth = z.infer<typeof clientMonth>

const reading = { module: ['pop', 'clients'], needs: 'view', except: ['driver'] } as const
const ofClient = z.strictObject({ uid })

/** What all programs of a client delivered in a month. */
export const clientReports = {
  get: endpoint({
    method: 'GET',
    path: 'clients/{uid}/monthly-report',
    access: reading,
    ownRows: 'records',
    summary:
      'Returns what all programs of a client delivered in a month, by default the last one that is over, as JSON or with format as a PDF. Clients get their own.',
    follows: ['programs', 'pops', 'clients'],
    added: true,
    params: ofClient,
    query: z.strictObject({ month: month.optional(), format: z.literal('pdf', 'Must be pdf.').optional() }),
    reply: one(clientMonth),
  }),
}
