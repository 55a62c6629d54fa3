import { addDays, DEFAULT_ZONE, localDay, PROPOSAL_DAYS } from '@roadshow/contract'
import { sql } from 'kysely'
import { sendProposal } from '../outreach/proposals/index.ts'
import type { Db } from '../platform/db/connection.ts'
import type { Scope } from '../platform/db/records/scope.ts'
import type { BlobStore } from '../platform/files/index.ts'
import { createCampaignLink } from '../proof/campaigns/index.ts'
import { FIRST_CLIENT } from './people.ts'

const LABEL = 'For the agency'

/** Shares the running campaign with the most shifts of the client whose login a newcomer tries; answers the path, once. */
export async function addCampaignLink(db: Db, scope: Scope): Promise<string | undefined> {
  const known = db.selectFrom('campaign_link').select('uid').limit(1)
  if (await known.executeTakeFirst()) return undefined
  const { rows } = await sql<{ uid: string }>`
    select p.uid from client_program p join client c on c.uid = p.client_uid
     where c.name = ${FIRST_CLIENT} and p.status = 'active' and p.deleted_at is null
     order by (select count(*) from shift s where s.program_uid = p.uid and s.deleted_at is null) desc, p.name
     limit 1`.execute(db)
  const programUid = rows[0]?.uid
  if (!programUid) return undefined
  const link = await createCampaignLink(db, scope, { programUid, label: LABEL, expiresInDays: 90, delayMinutes: 15 })
  return link.path
}

const INTRODUCTION = `Our trucks drive where your customers are: past the stores that you named, on the days that count.

Every play, mile and photo is recorded, and you can follow the campaign from its first hour.`

interface Options {
  db: Db
  blobs: BlobStore
  brandName: string
}

/** Sends a proposal of the draft that drives in most markets, one with addresses; answers the path of its page, once. */
export async function addSalesProposal({ db, blobs, brandName }: Options, scope: Scope): Promise<string | undefined> {
  const known = db.selectFrom('sales_proposal').select('uid').limit(1)
  if (await known.executeTakeFirst()) return undefined
  const { rows } = await sql<{ uid: string; title: string }>`
    select p.uid, p.name as title from client_program p
     where p.status = 'draft' and p.deleted_at is null
       and exists (select from booked_line b where b.program_uid = p.uid)
     order by exists (select from address_set a where a.program_uid = p.uid) desc,
              (select count(*) from program_market m where m.program_uid = p.uid) desc, p.pop_url
     limit 1`.execute(db)
  const [program] = rows
  if (!program) return undefined
  const validUntil = addDays(localDay(DEFAULT_ZONE), PROPOSAL_DAYS.standard)
  const input = { title: program.title, introduction: INTRODUCTION, validUntil, showsPrices: true, sendTo: [] }
  const sent = await sendProposal({ db, blobs, scope, brand: brandName, publicUrl: '' }, program.uid, input)
  return sent.path
}
