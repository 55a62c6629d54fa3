import { acceptanceInput, formatDay } from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { recordEvents } from '../../platform/outbox/index.ts'
import type { ReadableProposal } from './queries.ts'
import { acceptanceText } from './words.ts'

/** What the form of the page held. */
export interface TypedAcceptance {
  name: string
  note: string
}

/** How an acceptance ended: it is on record, or why not, with the sentence and the field it belongs to. */
export type AcceptanceResult =
  | { isAccepted: true }
  | { isAccepted: false; status: 400 | 409 | 410; problem: string; field?: 'name' | 'note' | 'confirm' }

const asText = (value: unknown) => (typeof value === 'string' ? value : '')

export const typedAcceptance = (body: unknown): TypedAcceptance => {
  const { name, note } = (body ?? {}) as Record<string, unknown>
  return { name: asText(name).slice(0, 200), note: asText(note).slice(0, 2000) }
}

const FIELDS = ['name', 'note', 'confirm'] as const

const refused = (status: 409 | 410, problem: string): AcceptanceResult => ({ isAccepted: false, status, problem })

/** Why a proposal cannot be accepted, before anything is written. */
function refusal(proposal: ReadableProposal, sha256: string): AcceptanceResult | undefined {
  const { acceptance, document } = proposal
  if (acceptance) return refused(409, `This proposal is accepted already. ${acceptanceText(acceptance, document)}`)
  if (proposal.isExpired) return refused(410, expiredText(proposal))
  if (sha256 !== proposal.sha256) return refused(409, 'This page is not the current proposal. Please read it again.')
  return undefined
}

export const expiredText = ({ document: { validUntil } }: ReadableProposal): string =>
  `This proposal was valid until ${formatDay(validUntil)}.`

/** Records who accepts a proposal. The database lets it happen once, and only in time. */
export async function acceptProposalPage(
  db: Db,
  proposal: ReadableProposal,
  body: unknown,
  reload: () => Promise<ReadableProposal | undefined>,
): Promise<AcceptanceResult> {
  const fields = (body ?? {}) as Record<string, unknown>
  const early = refusal(proposal, asText(fields.sha256))
  if (early) return early
  const [name, note, confirm] = [asText(fields.name), asText(fields.note), asText(fields.confirm)]
  if (name.trim() === '') return { isAccepted: false, status: 400, problem: 'Enter your name.', field: 'name' }
  const parsed = acceptanceInput.safeParse({ name, note, confirm })
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const field = FIELDS.find((each) => each === issue?.path[0]) ?? 'name'
    return { isAccepted: false, status: 400, problem: issue?.message ?? '', field }
  }
  if (await recordAcceptance(db, proposal, parsed.data)) return { isAccepted: true }
  // Another acceptance, the end or a revocation came first.
  const now = await reload()
  const late = now && refusal(now, proposal.sha256)
  return late ?? refused(410, 'This proposal can no longer be accepted.')
}

const recordAcceptance = (
  db: Db,
  { uid, programUid, clientUid, sha256, document }: ReadableProposal,
  { name, note }: { name: string; note: string },
): Promise<boolean> =>
  inTransaction(db, async (db) => {
    const accepted = await db
      .updateTable('sales_proposal')
      .set({ accepted_at: sql`now()`, accepted_name: name, accepted_note: note })
      .where('uid', '=', uid)
      .where('accepted_at', 'is', null)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', sql<string>`now()`)
      .returning('accepted_at')
      .executeTakeFirst()
    if (!accepted) return false
    const { number, title, program } = document
    const data = {
      proposalUid: uid,
      programUid,
      program,
      number,
      title,
      sha256,
      acceptedAt: accepted.accepted_at,
      acceptedBy: name,
    }
    await recordEvents(db, [{ type: 'proposal.accepted', object: `program ${programUid}`, clientUid, data }])
    return true
  })
