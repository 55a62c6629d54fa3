import { randomBytes } from 'node:crypto'
import { PROPOSAL_PAGE, type ProposalsOfProgram, errors } from '@roadshow/contract'
import { sql } from 'kysely'
import { programRecords } from '../../catalog/programs/index.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import type { BlobStore } from '../../platform/files/index.ts'
import { hashToken } from '../../platform/http/session.ts'
import { enqueueMail } from '../../platform/mail/channel.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { checkInput, makeDocument, type ProposalInput } from './document.ts'
import { hashFacts, hashText, loadFacts, type ProgramFacts } from './facts.ts'
import { proposalMail } from './mail.ts'
import { type DrawnArtwork, drawArtwork, storePictures } from './pictures.ts'
import { proposalsOf, requireProposal, type SentProposal } from './queries.ts'
import { proposalBlocker } from './rules.ts'

interface Sending {
  db: Db
  blobs: BlobStore
  scope: Scope
  brand: string
  /** Where the links of mails lead. */
  publicUrl: string
}

/** The proposals of a program, and whether another one can be sent. */
export async function listProposals(db: Db, scope: Scope, programUid: string): Promise<ProposalsOfProgram> {
  await programRecords.get(db, scope, programUid)
  const facts = await loadFacts(db, programUid)
  const sent = await proposalsOf(db, programUid)
  const contacts = await loadContacts(db, programUid)
  const blocker = proposalBlocker(facts)
  return {
    blocker: blocker ? errors[blocker][1] : null,
    contacts,
    proposals: sent.map(({ proposal, programSha256 }) => ({
      ...proposal,
      isOutdated: programSha256 !== hashFacts(facts, proposal.showsPrices),
    })),
  }
}

/** Contacts of a program's client who have an email address, each address once. */
async function loadContacts(db: Db, programUid: string): Promise<ProposalsOfProgram['contacts']> {
  const { rows } = await sql<{ name: string; email: string }>`
    select distinct on (lower(k ->> 'email')) k ->> 'name' as name, k ->> 'email' as email
      from client_program p join client c on c.uid = p.client_uid, jsonb_array_elements(c.contacts) k
     where p.uid = ${programUid} and k ->> 'email' <> '' order by lower(k ->> 'email'), k ->> 'name'`.execute(db)
  return rows
}

interface Prepared {
  programUid: string
  input: ProposalInput
  facts: ProgramFacts
  drawn: DrawnArtwork
}

/** What a proposal is made of. Pictures take long, so they are made before anything is locked. */
async function prepare({ db, blobs, scope }: Sending, programUid: string, input: ProposalInput): Promise<Prepared> {
  await programRecords.get(db, scope, programUid)
  const facts = await loadFacts(db, programUid)
  checkInput(facts, input, await sharedNow(db))
  return { programUid, input, facts, drawn: await drawArtwork(blobs, facts.artwork) }
}

/** The document of the next proposal of a program, as of now. */
async function nextDocument({ db, brand }: Sending, { programUid, input, facts, drawn }: Prepared) {
  const now = await sharedNow(db)
  checkInput(facts, input, now)
  const number = await nextNumber(db, programUid)
  const edition = { number, brand, sentAt: new Date(now).toISOString(), artwork: drawn.artwork }
  return makeDocument(db, facts, input, edition)
}

/** The document that a client would read, with its pictures. Nothing is kept. */
export async function draftProposal(sending: Sending, programUid: string, input: ProposalInput) {
  const prepared = await prepare(sending, programUid, input)
  return { document: await nextDocument(sending, prepared), drawn: prepared.drawn }
}

async function nextNumber(db: Db, programUid: string): Promise<number> {
  const last = await db
    .selectFrom('sales_proposal')
    .select((eb) => eb.fn.max('number').as('number'))
    .where('program_uid', '=', programUid)
    .executeTakeFirst()
  return (last?.number ?? 0) + 1
}

/** Locks a program, so that its proposals are numbered one after the other and it does not change meanwhile. */
async function lockProgram(db: Db, uid: string): Promise<void> {
  const locked = await db
    .selectFrom('client_program')
    .select('uid')
    .where('uid', '=', uid)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!locked) throw new AppError('notFound')
}

/** Freezes a program as a proposal and returns the path of its page, of which only a hash is stored. */
export async function sendProposal(
  sending: Sending,
  programUid: string,
  input: ProposalInput,
): Promise<{ path: string; proposal: SentProposal; subject: string }> {
  const prepared = await prepare(sending, programUid, input)
  await storePictures(sending.blobs, prepared.drawn)
  return inTransaction(sending.db, async (db) => {
    await lockProgram(db, programUid)
    const facts = await loadFacts(db, programUid)
    if (hashFacts(facts, true) !== hashFacts(prepared.facts, true)) throw new AppError('staleVersion')
    return insertProposal({ ...sending, db }, { ...prepared, facts })
  })
}

async function insertProposal(sending: Sending, prepared: Prepared) {
  const { db, scope } = sending
  const { programUid, input, facts } = prepared
  const content = await nextDocument(sending, prepared)
  const document = JSON.stringify(content)
  const token = randomBytes(32).toString('base64url')
  const { uid } = await db
    .insertInto('sales_proposal')
    .values({
      program_uid: programUid,
      number: content.number,
      title: input.title,
      document,
      sha256: hashText(document),
      program_sha256: hashFacts(facts, input.showsPrices),
      token_hash: hashToken(token),
      created_by: scope.actor.uid,
      expires_at: sql`(${input.validUntil}::date + 1)::timestamp at time zone ${content.zone}`,
    })
    .returning('uid')
    .executeTakeFirstOrThrow()
  const path = `${PROPOSAL_PAGE}${token}`
  const names = new Map((await loadContacts(db, programUid)).map(({ email, name }) => [email.toLowerCase(), name]))
  const words = { text: input.mailText, url: `${sending.publicUrl}${path}`, brand: sending.brand, content }
  for (const email of new Set(input.sendTo.map((each) => each.toLowerCase()))) {
    const mail = proposalMail({ ...words, email, name: names.get(email) || email })
    // Who has the link can accept, so the office's list of messages does not show it.
    await enqueueMail(db, mail, { isSecret: true, key: `proposal ${uid} ${email}` })
  }
  return { path, ...(await requireProposal(db, uid)) }
}
