import * as z from '../platform/zod.ts'
import { day, instant, namedRef, one, paragraph, requiredLine, textLine, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'

/** Where the page of a proposal is opened, before the token. */
export const PROPOSAL_PAGE = '/o/'

/** How long a proposal can be accepted, in days from today. */
export const PROPOSAL_DAYS = { standard: 30, max: 365 } as const

export const salesProposalStateLabel = {
  open: 'Open',
  accepted: 'Accepted',
  expired: 'Expired',
  ended: 'Revoked',
} as const
export type SalesProposalState = keyof typeof salesProposalStateLabel

/** Who accepted a proposal and when, as the client wrote it. */
const acceptance = z.strictObject({ name: z.string(), note: z.string(), at: instant })
export type ProposalAcceptance = z.infer<typeof acceptance>

/** A proposal that was sent, without its address, which is shown once. */
const salesProposal = z.strictObject({
  uid,
  number: z.int(),
  title: z.string(),
  state: z.enum(Object.keys(salesProposalStateLabel) as [SalesProposalState, ...SalesProposalState[]]),
  sha256: z.string(),
  showsPrices: z.boolean(),
  createdBy: namedRef,
  createdAt: instant,
  validUntil: day,
  zone: z.string(),
  endedAt: instant.nullable(),
  endedBy: namedRef.nullable(),
  views: z.int(),
  lastViewedAt: instant.nullable(),
  acceptance: acceptance.nullable(),
  /** Whether the program, its artwork or its addresses are no longer what the proposal says. */
  isOutdated: z.boolean(),
})
export type SalesProposal = z.infer<typeof salesProposal>

const proposalsOfProgram = z.strictObject({
  /** Why no proposal can be sent now, as a sentence; null if one can. */
  blocker: z.string().nullable(),
  /** The client's contacts who can get one by mail. */
  contacts: z.array(z.strictObject({ name: z.string(), email: z.string() })),
  proposals: z.array(salesProposal),
})
export type ProposalsOfProgram = z.infer<typeof proposalsOfProgram>

/** Most addresses that a proposal is sent to. */
export const MAX_PROPOSAL_RECIPIENTS = 10

/** What the mail with a proposal says first, unless someone writes another text. */
export const proposalMailText = (client: string, program: string): string =>
  `Here is what we propose for ${client}: ${program}.`

export const salesProposalInput = z.strictObject({
  title: requiredLine(120),
  introduction: paragraph(4000).prefault(''),
  validUntil: day,
  showsPrices: z.boolean('Must be true or false.').prefault(true),
  /** Addresses that get the link by mail. */
  sendTo: z
    .array(textLine(254).refine((given) => z.email().safeParse(given).success, 'Not a valid email address.'))
    .max(MAX_PROPOSAL_RECIPIENTS, `At most ${MAX_PROPOSAL_RECIPIENTS} addresses.`)
    .prefault([]),
  /** What the mail says before its link; a sentence with client and program unless given. */
  mailText: paragraph(2000).optional(),
})
export type SalesProposalInput = z.input<typeof salesProposalInput>

const view = { module: 'clients', needs: 'view', reach: 'all' } as const
const edit = { module: 'clients', needs: 'edit', reach: 'all' } as const
const ofOne = z.strictObject({ uid })
// The reply is a file, not JSON.
const file = z.unknown()

export const salesProposals = {
  list: endpoint({
    method: 'GET',
    path: 'client-programs/{uid}/proposals',
    access: view,
    summary: 'Lists the proposals of a program, newest first, with their views and who accepted them.',
    follows: ['proposals', 'programs'],
    added: true,
    params: ofOne,
    reply: one(proposalsOfProgram),
  }),
  preview: endpoint({
    method: 'POST',
    path: 'client-programs/{uid}/proposals/preview',
    access: edit,
    repeatable: true,
    summary: 'Returns the page that a client would read, without sending anything.',
    added: true,
    params: ofOne,
    body: salesProposalInput,
    reply: one(z.strictObject({ html: z.string() })),
  }),
  create: endpoint({
    method: 'POST',
    path: 'client-programs/{uid}/proposals',
    access: edit,
    keys: false,
    secret: true,
    summary:
      'Freezes a draft program as a proposal. The address of its page is in this answer and in the mails to `sendTo` only; a hash of it is kept.',
    added: true,
    params: ofOne,
    body: salesProposalInput,
    reply: one(z.strictObject({ url: z.string(), proposal: salesProposal })),
  }),
  page: endpoint({
    method: 'GET',
    path: 'sales-proposals/{uid}/page',
    access: view,
    summary: 'Returns a proposal as the client reads it, with the acceptance, at any time. It counts no view.',
    follows: ['proposals'],
    added: true,
    params: ofOne,
    reply: one(z.strictObject({ proposal: salesProposal.omit({ isOutdated: true }), html: z.string() })),
  }),
  pdf: endpoint({
    method: 'GET',
    path: 'sales-proposals/{uid}/pdf',
    access: view,
    summary: 'Returns a proposal as a PDF, with the acceptance.',
    added: true,
    params: ofOne,
    reply: file,
  }),
  end: endpoint({
    method: 'DELETE',
    path: 'sales-proposals/{uid}',
    access: edit,
    keys: false,
    summary: 'Revokes the page of a proposal at once, on every node. An acceptance stays on record.',
    added: true,
    params: ofOne,
    reply: one(salesProposal.omit({ isOutdated: true })),
  }),
}

/** The SHA-256 of a picture, which is also where it is kept. */
export const proposalPictureKey = z.string().regex(/^[0-9a-f]{64}$/, 'Not a picture.')

const token = z.string().max(100)

/** What a client fills in to accept a proposal: a form of the page, which works without a script. */
export const acceptanceInput = z.strictObject({
  name: requiredLine(120),
  note: paragraph(1000).prefault(''),
  confirm: z.literal('yes', 'Check the box to accept.'),
})

/** Public endpoints of a proposal's page. Unknown and revoked ones answer alike. */
export const publicProposal = {
  picture: endpoint({
    method: 'GET',
    path: 'shared-proposals/{token}/pictures/{key}',
    rate: 'picture',
    access: 'public',
    summary: 'Returns a picture of the artwork in a proposal.',
    added: true,
    params: z.strictObject({ token, key: proposalPictureKey }),
    reply: file,
  }),
  pdf: endpoint({
    method: 'GET',
    path: 'shared-proposals/{token}/pdf',
    rate: 'public',
    access: 'public',
    summary: 'Returns a proposal as a PDF, with the acceptance.',
    added: true,
    params: z.strictObject({ token }),
    reply: file,
  }),
}
