import { randomBytes } from 'node:crypto'
import {
  type BodyOf,
  CAMPAIGN_PAGE,
  type CampaignLink,
  type campaignLinks,
  type CampaignLinkState,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { programRecords } from '../../catalog/programs/index.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { uidAndName } from '../../platform/db/records/fragments.ts'
import { noOwnRows } from '../../platform/db/records/records.ts'
import { references } from '../../platform/db/records/references.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { hashToken } from '../../platform/http/session.ts'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'

const STATE = sql<CampaignLinkState>`case when l.ended_at is not null then 'ended' when l.expires_at <= now() then 'expired' else 'open' end`

const allLinks = (db: Db) =>
  db
    .selectFrom('campaign_link as l')
    .innerJoin('user_account as m', 'm.uid', 'l.created_by')
    .leftJoin('user_account as e', 'e.uid', 'l.ended_by')
    .innerJoin('client_program as p', 'p.uid', 'l.program_uid')
    .select(['l.uid', 'l.label', STATE.as('state'), 'l.delay_minutes as delayMinutes', 'l.created_at as createdAt'])
    .select(uidAndName('m').$castTo<CampaignLink['createdBy']>().as('createdBy'))
    .select(['l.expires_at as expiresAt', 'l.ended_at as endedAt', 'l.views', 'l.last_viewed_at as lastViewedAt'])
    .select(uidAndName('e').$castTo<CampaignLink['endedBy']>().as('endedBy'))

/** A link, and how the audit log names it. */
async function requireLink(db: Db, uid: string): Promise<{ link: CampaignLink; subject: string }> {
  const row = await allLinks(db).select('p.name as program').where('l.uid', '=', uid).executeTakeFirst()
  if (!row) throw new AppError('notFound')
  const { program, ...link } = row
  return { link, subject: link.label ? `${program}: ${link.label}` : program }
}

export async function linksOfProgram(db: Db, scope: Scope, programUid: string): Promise<CampaignLink[]> {
  await programRecords.get(db, scope, programUid)
  return allLinks(db)
    .where('l.program_uid', '=', programUid)
    .orderBy('l.created_at', 'desc')
    .orderBy('l.uid', 'desc')
    .execute()
}

const programReferences = references({ table: 'client_program', noun: 'program', own: noOwnRows })

/** Makes a link and returns its path, of which only a hash is stored. */
export const createCampaignLink = (
  db: Db,
  scope: Scope,
  { programUid, label, expiresInDays, delayMinutes }: BodyOf<typeof campaignLinks.create>,
): Promise<{ path: string; link: CampaignLink; subject: string }> =>
  inTransaction(db, async (db) => {
    refuseFields(await programReferences.missingRefs(db, scope, { programUid }))
    const token = randomBytes(32).toString('base64url')
    const { uid } = await db
      .insertInto('campaign_link')
      .values({
        program_uid: programUid,
        label,
        token_hash: hashToken(token),
        delay_minutes: delayMinutes,
        created_by: scope.actor.uid,
        expires_at: sql`now() + ${expiresInDays} * interval '1 day'`,
      })
      .returning('uid')
      .executeTakeFirstOrThrow()
    return { path: `${CAMPAIGN_PAGE}${token}`, ...(await requireLink(db, uid)) }
  })

/** Ends a link; `isEnded` is false if it was ended before. */
export async function endCampaignLink(
  db: Db,
  { actor }: Scope,
  uid: string,
): Promise<{ link: CampaignLink; isEnded: boolean; subject: string }> {
  const { numUpdatedRows } = await db
    .updateTable('campaign_link')
    .set({ ended_at: sql`now()`, ended_by: actor.uid })
    .where('uid', '=', uid)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return { ...(await requireLink(db, uid)), isEnded: numUpdatedRows === 1n }
}

/** An open link with the program that it shows. */
export type OpenLink = NonNullable<Awaited<ReturnType<typeof findOpenLink>>>

/**
 * The link of a token; undefined if it is unknown, expired or revoked, or its program is deleted. It is read from the
 * database each time, and never from a replica, so that a revoked link ends everywhere at once.
 */
export const findOpenLink = (db: Db, token: string) =>
  db
    .selectFrom('campaign_link as l')
    .innerJoin('client_program as p', 'p.uid', 'l.program_uid')
    .select(['l.uid', 'l.program_uid as programUid', 'l.delay_minutes as delayMinutes'])
    .where('l.token_hash', '=', hashToken(token))
    .where('l.ended_at', 'is', null)
    .where('l.expires_at', '>', sql<string>`now()`)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()

export const countLinkView = (db: Db, uid: string) =>
  db
    .updateTable('campaign_link')
    .set((eb) => ({ views: eb('views', '+', 1), last_viewed_at: sql`now()` }))
    .where('uid', '=', uid)
    .execute()
