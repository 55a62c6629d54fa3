import { sql } from 'kysely'
import type { Db } from '../platform/db/connection.ts'
import type { Scope } from '../platform/db/records/scope.ts'
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
