import * as z from '../platform/zod.ts'
import { day, namedRef, one, textLine, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'

/** A month: `2026-10`. */
const month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Must be a month such as 2026-10.')

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
  /** For the office: the client's contacts who can get it by mail. */
  contacts: z.array(z.strictObject({ name: z.string(), email: z.string() })),
})
export type ClientMonth = z.infer<typeof clientMonth>

/** Most addresses that a report is mailed to at once. */
export const MAX_MONTH_RECIPIENTS = 10

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
  send: endpoint({
    method: 'POST',
    path: 'clients/{uid}/monthly-report/send',
    access: { module: 'clients', needs: 'edit', reach: 'all' },
    keys: false,
    repeatable: true,
    summary: 'Mails the report of a month as a PDF. The same report is mailed to an address once in ten minutes.',
    added: true,
    params: ofClient,
    body: z.strictObject({
      month,
      sendTo: z
        .array(textLine(254).refine((given) => z.email().safeParse(given).success, 'Not a valid email address.'))
        .min(1, 'Choose a recipient.')
        .max(MAX_MONTH_RECIPIENTS, `At most ${MAX_MONTH_RECIPIENTS} addresses.`),
    }),
    reply: one(z.strictObject({ recipients: z.int() })),
  }),
}
