import * as z from '../platform/zod.ts'
import { instant, one, textLine, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'

/** When a report of a program is mailed. */
export const reportOccasions = ['weekly', 'end', 'published'] as const
const reportOccasion = z.enum(reportOccasions, 'Must be weekly, end or published.')
export type ReportOccasion = z.infer<typeof reportOccasion>
export const reportOccasionLabel: Record<ReportOccasion, string> = {
  weekly: 'Weekly',
  end: 'At the end',
  published: 'On publishing',
}

/** Most addresses that get the reports of one program. */
export const MAX_REPORT_RECIPIENTS = 50

const reportRecipient = z.strictObject({
  email: z.string(),
  occasions: z.array(reportOccasion),
  /** When the recipient ended the reports; only the recipient can begin them again. */
  unsubscribedAt: instant.nullable(),
})
export type ReportRecipient = z.infer<typeof reportRecipient>

const recipientInput = z.strictObject({
  email: textLine(254).refine((given) => z.email().safeParse(given).success, 'Not a valid email address.'),
  occasions: z.array(reportOccasion).min(1, 'Choose at least one occasion.').max(reportOccasions.length, 'Too many.'),
})
export type ReportRecipientInput = z.input<typeof recipientInput>

// As stored: an address that is no longer valid must not keep its list from being changed.
const loadedRecipient = z.strictObject({
  email: textLine(254),
  occasions: z.array(reportOccasion).max(reportOccasions.length, 'Too many.'),
})

const isOnce = (recipients: readonly { email: string }[]) =>
  new Set(recipients.map(({ email }) => email.toLowerCase())).size === recipients.length

const sentReport = z.strictObject({
  occasion: reportOccasion,
  /** The days, or the version, that it was of. */
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

const reading = { module: ['pop', 'clients'], needs: 'view', except: ['driver'] } as const
const ofProgram = z.strictObject({ uid })

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
    params: ofProgram,
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
    params: ofProgram,
    body: z.strictObject({
      /** The list that was loaded before it was changed. A save from any other list than the current one is refused. */
      before: z.array(loadedRecipient).max(MAX_REPORT_RECIPIENTS, `At most ${MAX_REPORT_RECIPIENTS} addresses.`),
      recipients: z
        .array(recipientInput)
        .max(MAX_REPORT_RECIPIENTS, `At most ${MAX_REPORT_RECIPIENTS} addresses.`)
        .refine(isOnce, 'Name each address once.'),
    }),
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
    params: ofProgram,
    query: z.strictObject({ occasion: reportOccasion.prefault('weekly') }),
    reply: one(
      z.strictObject({
        subject: z.string(),
        text: z.string(),
        html: z.string(),
        files: z.array(z.strictObject({ name: z.string(), type: z.string(), base64: z.string() })),
      }),
    ),
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
    params: ofProgram,
    body: z.strictObject({ occasion: reportOccasion }),
    reply: one(z.strictObject({ recipients: z.int() })),
  }),
}
