import * as z from '../platform/zod.ts'
import { instant, one, textLine, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { month } from './client-reports.ts'

/** When a report of a program is mailed. */
export const programOccasions = ['weekly', 'end', 'published'] as const
export type ProgramOccasion = (typeof programOccasions)[number]
/** When a report of all programs of a client is mailed. */
export const clientOccasions = ['monthly'] as const
const reportOccasions = [...programOccasions, ...clientOccasions] as const
export type ReportOccasion = (typeof reportOccasions)[number]
export const reportOccasionLabel: Record<ReportOccasion, string> = {
  weekly: 'Weekly',
  end: 'At the end',
  published: 'On publishing',
  monthly: 'Monthly',
}
const programOccasion = z.enum(programOccasions, 'Must be weekly, end or published.')
const clientOccasion = z.enum(clientOccasions, 'Must be monthly.')
/** As stored, of a program or of a client. */
const reportOccasion = z.enum(reportOccasions, 'Must be weekly, end, published or monthly.')

/** Most addresses that get the reports of one program, or of one client. */
export const MAX_REPORT_RECIPIENTS = 50
const TOO_MANY = `At most ${MAX_REPORT_RECIPIENTS} addresses.`

const reportRecipient = z.strictObject({
  email: z.string(),
  occasions: z.array(reportOccasion),
  /** When the recipient ended the reports; only the recipient can begin them again. */
  unsubscribedAt: instant.nullable(),
})
export type ReportRecipient = z.infer<typeof reportRecipient>

type Occasion = z.ZodType<ReportOccasion, ReportOccasion>

const recipientInput = (occasion: Occasion) =>
  z.strictObject({
    email: textLine(254).refine((given) => z.email().safeParse(given).success, 'Not a valid email address.'),
    occasions: z.array(occasion).min(1, 'Choose at least one occasion.').max(reportOccasions.length, 'Too many.'),
  })
export type ReportRecipientInput = z.input<ReturnType<typeof recipientInput>>

// As stored: an address that is no longer valid must not keep its list from being changed.
const loadedRecipient = (occasion: Occasion) =>
  z.strictObject({
    email: textLine(254),
    occasions: z.array(occasion).max(reportOccasions.length, 'Too many.'),
  })

const isOnce = (recipients: readonly { email: string }[]) =>
  new Set(recipients.map(({ email }) => email.toLowerCase())).size === recipients.length

const mailingChange = (occasion: Occasion) =>
  z.strictObject({
    /** The list that was loaded before it was changed. A save from any other list than the current one is refused. */
    before: z.array(loadedRecipient(occasion)).max(MAX_REPORT_RECIPIENTS, TOO_MANY),
    recipients: z
      .array(recipientInput(occasion))
      .max(MAX_REPORT_RECIPIENTS, TOO_MANY)
      .refine(isOnce, 'Name each address once.'),
  })

const sentReport = z.strictObject({
  occasion: reportOccasion,
  /** The days, the month or the version that it was of. */
  period: z.string(),
  /** Sent by hand, not when it was due. */
  isByHand: z.boolean(),
  sentAt: instant,
  recipients: z.int(),
})

const reportMailing = z.strictObject({
  recipients: z.array(reportRecipient),
  /** The newest reports that were mailed. */
  sent: z.array(sentReport),
})
export type ReportMailing = z.infer<typeof reportMailing>

const reportPreview = z.strictObject({
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  files: z.array(z.strictObject({ name: z.string(), type: z.string(), base64: z.string() })),
})

const mailed = z.strictObject({ recipients: z.int() })

const reading = { module: ['pop', 'clients'], needs: 'view', except: ['driver'] } as const
const params = z.strictObject({ uid })

/** Reports of programs by mail. Clients choose who gets those of their own programs. */
export const campaignMails = {
  get: endpoint({
    method: 'GET',
    path: 'client-programs/{uid}/report-mails',
    access: reading,
    ownRows: 'records',
    summary: 'Returns who gets the reports of a program by mail, and the newest reports that were sent.',
    follows: ['programs'],
    added: true,
    params,
    reply: one(reportMailing),
  }),
  save: endpoint({
    method: 'PUT',
    path: 'client-programs/{uid}/report-mails',
    access: reading,
    // Clients choose recipients for their own programs, although they change nothing else.
    keys: false,
    ownRows: 'records',
    summary:
      'Replaces the addresses that get the reports of a program, each with its occasions, unless the list changed since it was loaded.',
    added: true,
    params,
    body: mailingChange(programOccasion),
    reply: one(reportMailing),
  }),
  preview: endpoint({
    method: 'GET',
    path: 'client-programs/{uid}/report-mails/preview',
    access: reading,
    ownRows: 'records',
    summary: 'Returns the report that would be mailed now, without sending anything.',
    follows: ['programs'],
    added: true,
    params,
    query: z.strictObject({ occasion: programOccasion.prefault('weekly') }),
    reply: one(reportPreview),
  }),
  send: endpoint({
    method: 'POST',
    path: 'client-programs/{uid}/report-mails/send',
    access: reading,
    // Who may choose the recipients may also have them written to at once.
    keys: false,
    ownRows: 'records',
    repeatable: true,
    summary:
      'Mails the report of an occasion now to those who get it, whether it is due or not. The same report is mailed once in ten minutes.',
    added: true,
    params,
    body: z.strictObject({ occasion: programOccasion }),
    reply: one(mailed),
  }),
}

/** The monthly report of all programs of a client by mail. Clients choose who gets their own. */
export const clientMails = {
  get: endpoint({
    method: 'GET',
    path: 'clients/{uid}/report-mails',
    access: reading,
    ownRows: 'records',
    summary: 'Returns who gets the monthly report of a client by mail, and the newest ones that were sent.',
    follows: ['clients'],
    added: true,
    params,
    reply: one(reportMailing),
  }),
  save: endpoint({
    method: 'PUT',
    path: 'clients/{uid}/report-mails',
    access: reading,
    // Clients choose the recipients of their own reports, although they change nothing else.
    keys: false,
    ownRows: 'records',
    summary:
      'Replaces the addresses that get the monthly report of a client, unless the list changed since it was loaded.',
    added: true,
    params,
    body: mailingChange(clientOccasion),
    reply: one(reportMailing),
  }),
  send: endpoint({
    method: 'POST',
    path: 'clients/{uid}/report-mails/send',
    access: reading,
    // Who may choose the recipients may also have them written to at once.
    keys: false,
    ownRows: 'records',
    repeatable: true,
    summary: 'Mails the report of a month now to those who get it. The same report is mailed once in ten minutes.',
    added: true,
    params,
    body: z.strictObject({ month }),
    reply: one(mailed),
  }),
}
