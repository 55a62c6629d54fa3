import {
  type ProposalAcceptance,
  type ProposalDocument,
  proposalDocument,
  type SalesProposal,
  type SalesProposalState,
} from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { namedRefOf } from '../../platform/db/records/named-ref.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { hashToken } from '../../platform/http/session.ts'
import { AppError } from '../../platform/runtime/app-error.ts'

const STATE = sql<SalesProposalState>`case when p.accepted_at is not null then 'accepted'
  when p.ended_at is not null then 'ended' when p.expires_at <= now() then 'expired' else 'open' end`

const allProposals = (db: Db) =>
  db
    .selectFrom('sales_proposal as p')
    .innerJoin('user_account as m', 'm.uid', 'p.created_by')
    .leftJoin('user_account as e', 'e.uid', 'p.ended_by')
    .innerJoin('client_program as t', 't.uid', 'p.program_uid')
    .select(['p.uid', 'p.number', 'p.title', 'p.sha256', 'p.program_sha256', 'p.created_at', 'p.ended_at', 'p.views'])
    .select(['p.last_viewed_at', 'p.accepted_at', 'p.accepted_name', 'p.accepted_note', STATE.as('state')])
    .select(['m.uid as maker_uid', 'm.name as maker_name', 'e.uid as ender_uid', 'e.name as ender_name'])
    .select(['t.name as program_name'])
    .select([
      sql<Pick<ProposalDocument, 'validUntil' | 'zone' | 'showsPrices'>>`json_build_object(
        'validUntil', p.document::json ->> 'validUntil', 'zone', p.document::json ->> 'zone',
        'showsPrices', (p.document::json ->> 'showsPrices')::boolean)`.as('terms'),
    ])

type Row = Awaited<ReturnType<ReturnType<typeof allProposals>['execute']>>[number]
export type SentProposal = Omit<SalesProposal, 'isOutdated'>

const acceptanceOf = (row: Pick<Row, 'accepted_at' | 'accepted_name' | 'accepted_note'>): ProposalAcceptance | null =>
  row.accepted_at && row.accepted_name
    ? { name: row.accepted_name, note: row.accepted_note ?? '', at: row.accepted_at }
    : null

const proposalOf = (row: Row): SentProposal => ({
  uid: row.uid,
  number: row.number,
  title: row.title,
  state: row.state,
  sha256: row.sha256,
  ...row.terms,
  createdBy: { uid: row.maker_uid, name: row.maker_name },
  createdAt: row.created_at,
  endedAt: row.ended_at,
  endedBy: namedRefOf(row.ender_uid, row.ender_name),
  views: row.views,
  lastViewedAt: row.last_viewed_at,
  acceptance: acceptanceOf(row),
})

/** How the audit log names a proposal. */
const subjectOf = ({ program_name: program, number }: Row) => `${program}: proposal ${number}`

/** A proposal as staff see it, and how the audit log names it. */
export async function requireProposal(db: Db, uid: string): Promise<{ proposal: SentProposal; subject: string }> {
  const row = await allProposals(db).where('p.uid', '=', uid).where('t.deleted_at', 'is', null).executeTakeFirst()
  if (!row) throw new AppError('notFound')
  return { proposal: proposalOf(row), subject: subjectOf(row) }
}

/** The proposals of a program, newest first, each with the hash of what the program was then. */
export async function proposalsOf(
  db: Db,
  programUid: string,
): Promise<{ proposal: SentProposal; programSha256: string }[]> {
  const rows = await allProposals(db).where('p.program_uid', '=', programUid).orderBy('p.number', 'desc').execute()
  return rows.map((row) => ({ proposal: proposalOf(row), programSha256: row.program_sha256 }))
}

/** Revokes the page of a proposal; `isEnded` is false if it was revoked before. */
export async function endProposal(
  db: Db,
  { actor }: Scope,
  uid: string,
): Promise<{ proposal: SentProposal; isEnded: boolean; subject: string }> {
  const { numUpdatedRows } = await db
    .updateTable('sales_proposal')
    .set({ ended_at: sql`now()`, ended_by: actor.uid })
    .where('uid', '=', uid)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return { ...(await requireProposal(db, uid)), isEnded: numUpdatedRows === 1n }
}

/** A proposal with what the client reads. */
export type ReadableProposal = NonNullable<Awaited<ReturnType<typeof findReadable>>>

/** The proposal `p` for which a condition holds, unless its program is deleted. */
async function findReadable(db: Db, condition: RawBuilder<boolean>) {
  const row = await db
    .selectFrom('sales_proposal as p')
    .innerJoin('client_program as t', 't.uid', 'p.program_uid')
    .select(['p.uid', 'p.program_uid', 't.client_uid', 'p.sha256', 'p.document'])
    .select(['p.accepted_at', 'p.accepted_name', 'p.accepted_note'])
    // An accepted page stays open for another year, because it is the client's record as well.
    .select(sql<boolean>`greatest(p.expires_at, p.accepted_at + interval '1 year') <= now()`.as('is_expired'))
    .where('t.deleted_at', 'is', null)
    .where(condition)
    .executeTakeFirst()
  return (
    row && {
      uid: row.uid,
      programUid: row.program_uid,
      clientUid: row.client_uid,
      sha256: row.sha256,
      isExpired: row.is_expired,
      acceptance: acceptanceOf(row),
      document: proposalDocument.parse(JSON.parse(row.document)),
    }
  )
}

export async function requireReadable(db: Db, uid: string): Promise<ReadableProposal> {
  const found = await findReadable(db, sql`p.uid = ${uid}`)
  if (!found) throw new AppError('notFound')
  return found
}

/** A proposal by its token; undefined if it is unknown, revoked, or its program is deleted. Never read from a replica. */
export const findByToken = (db: Db, token: string): Promise<ReadableProposal | undefined> =>
  findReadable(db, sql`p.token_hash = ${hashToken(token)} and p.ended_at is null`)

export const countProposalView = (db: Db, uid: string) =>
  db
    .updateTable('sales_proposal')
    .set((eb) => ({ views: eb('views', '+', 1), last_viewed_at: sql`now()` }))
    .where('uid', '=', uid)
    .execute()
