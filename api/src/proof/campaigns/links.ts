import { randomBytes } from 'node:crypto'
import {
  type BodyOf,
  CAMPAIGN_PAGE,
  type CampaignLink,
  type campaignLinks,
  type CampaignLinkState,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { namedRefOf } from '../../platform/db/records/named-ref.ts'
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
    .select(['l.uid', 'l.label', 'l.delay_minutes', 'l.created_at', 'l.expires_at', 'l.ended_at', 'l.views'])
    .select(['l.last_viewed_at', STATE.as('state'), 'm.uid as maker_uid', 'm.name as maker_name'])
    .select(['e.uid as ender_uid', 'e.name as ender_name', 'p.name as program_name'])

type Row = Awaited<ReturnType<ReturnType<typeof allLinks>['execute']>>[number]

const linkOf = (row: Row): CampaignLink => ({
  uid: row.uid,
  label: row.label,
  state: row.state,
  delayMinutes: row.delay_minutes,
  createdBy: { uid: row.maker_uid, name: row.maker_name },
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  endedAt: row.ended_at,
  endedBy: namedRefOf(row.ender_uid, row.ender_name),
  views: row.views,
  lastViewedAt: row.last_viewed_at,
})

/** How the audit log names a link. */
const subjectOf = ({ program_name: program, label }: Row) => (label ? `${program}: ${label}` : program)

async function requireLink(db: Db, uid: string): Promise<Row> {
  const row = await allLinks(db).where('l.uid', '=', uid).executeTakeFirst()
  if (!row) throw new AppError('notFound')
  return row
}

export async function linksOfProgram(db: Db, programUid: string): Promise<CampaignLink[]> {
  const program = await db
    .selectFrom('client_program')
    .select('uid')
    .where('uid', '=', programUid)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!program) throw new AppError('notFound')
  const rows = await allLinks(db)
    .where('l.program_uid', '=', programUid)
    .orderBy('l.created_at', 'desc')
    .orderBy('l.uid', 'desc')
    .execute()
  return rows.map(linkOf)
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
    const row = await requireLink(db, uid)
    return { path: `${CAMPAIGN_PAGE}${token}`, link: linkOf(row), subject: subjectOf(row) }
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
  const row = await requireLink(db, uid)
  return { link: linkOf(row), isEnded: numUpdatedRows === 1n, subject: subjectOf(row) }
}

/** An open link with the program that it shows. */
export interface OpenLink {
  uid: string
  programUid: string
  delayMinutes: number
}

/**
 * The link of a token; undefined if it is unknown, expired or revoked, or its program is deleted. It is read from the
 * database each time, and never from a replica, so that a revoked link ends everywhere at once.
 */
export const findOpenLink = (db: Db, token: string): Promise<OpenLink | undefined> =>
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
