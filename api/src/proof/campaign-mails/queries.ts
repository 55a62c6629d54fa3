import type { ReportMailing, ReportOccasion, ReportRecipient, ReportRecipientInput } from '@roadshow/contract'
import { sql } from 'kysely'
import { clientRecords } from '../../catalog/clients/index.ts'
import { programRecords } from '../../catalog/programs/index.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { OFFICE_ZONE } from '../../platform/db/office-zone.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { isSameMailingList } from './rules.ts'

const NEWEST = 10

/** A list of recipients is that of a program or of a client. */
export interface ReportOwner {
  of: 'program' | 'client'
  uid: string
}

const ownerColumn = { program: 'program_uid', client: 'client_uid' } as const
const recordsOf = { program: programRecords, client: clientRecords }

/** What divides the period of a report that was sent by hand from the time of it. */
const BY_HAND = ' at '

/** The period of a report that is sent by hand: it may be sent again, and the one that is due is sent as well. */
export const periodByHand = (period: string, at: Date): string => `${period}${BY_HAND}${at.toISOString()}`

function readPeriod(stored: string): { period: string; isByHand: boolean } {
  const [period = '', at] = stored.split(BY_HAND)
  return { period, isByHand: at !== undefined }
}

const loadRecipients = (db: Db, { of, uid }: ReportOwner): Promise<ReportRecipient[]> =>
  db
    .selectFrom('report_recipient')
    .select(['email', 'occasions', 'unsubscribed_at as unsubscribedAt'])
    .$narrowType<{ occasions: ReportOccasion[] }>()
    .where(ownerColumn[of], '=', uid)
    .where(sql<boolean>`occasions <> '{}'`)
    .orderBy('email')
    .execute()

/** Who gets the reports of a program or client that the caller may see, and what was sent. */
export async function loadMailing(db: Db, scope: Scope, owner: ReportOwner): Promise<ReportMailing> {
  await recordsOf[owner.of].get(db, scope, owner.uid)
  const recipients = await loadRecipients(db, owner)
  const sent = await db
    .selectFrom('report_sent')
    .select(['occasion', 'period', 'sent_at as sentAt', 'recipients'])
    .$narrowType<{ occasion: ReportOccasion }>()
    .where(ownerColumn[owner.of], '=', owner.uid)
    .orderBy('sent_at', 'desc')
    .limit(NEWEST)
    .execute()
  return { recipients, sent: sent.map(({ period, ...each }) => ({ ...each, ...readPeriod(period) })) }
}

interface MailingChange {
  before: ReportRecipientInput[]
  recipients: ReportRecipientInput[]
}

/**
 * Replaces the recipients of a program or client, unless the list changed since it was loaded. An address that unsubscribed stays
 * unsubscribed, also when it is named again.
 */
export async function saveMailing(
  db: Db,
  scope: Scope,
  owner: ReportOwner,
  { before, recipients }: MailingChange,
): Promise<ReportMailing> {
  const { of, uid } = owner
  const column = sql.ref(ownerColumn[of])
  await inTransaction(db, async (db) => {
    await recordsOf[of].get(db, scope, uid)
    await recordsOf[of].lockRow(db, uid)
    const current = await loadRecipients(db, owner)
    // A save whose answer was lost is sent again from its old list: it is done already.
    if (isSameMailingList(current, recipients)) return
    if (!isSameMailingList(current, before)) throw new AppError('staleVersion')
    const emails = recipients.map(({ email }) => email)
    const others = sql`${column} = ${uid} and not (email = any(${emails}::citext[]))`
    await sql`delete from report_recipient where ${others} and unsubscribed_at is null`.execute(db)
    await sql`update report_recipient set occasions = '{}', changed_at = now(), changed_by = ${scope.actor.uid}
               where ${others} and occasions <> '{}'`.execute(db)
    await sql`
      insert into report_recipient as r (${column}, email, occasions, changed_by)
      select ${uid}, given.email, array(select jsonb_array_elements_text(given.occasions)), ${scope.actor.uid}
        from jsonb_to_recordset(${JSON.stringify(recipients)}::jsonb) given (email citext, occasions jsonb)
      on conflict (${column}, email) do update
         set occasions = excluded.occasions, changed_at = now(), changed_by = excluded.changed_by
       where r.occasions is distinct from excluded.occasions`.execute(db)
  })
  return loadMailing(db, scope, owner)
}

/** The addresses that get the reports of an occasion. */
export const recipientsOf = (db: Db, { of, uid }: ReportOwner, occasion: ReportOccasion) =>
  db
    .selectFrom('report_recipient')
    .select(['uid', 'email'])
    .where(ownerColumn[of], '=', uid)
    .where('unsubscribed_at', 'is', null)
    .where(sql<boolean>`${occasion} = any(occasions)`)
    .orderBy('email')
    .execute()

/** Programs whose reports someone gets, which run or ended in the last weeks. */
export async function mailedPrograms(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ uid: string }>`
    select p.uid from client_program p
     where p.deleted_at is null and p.starts_on <= ${now}::date + 1 and p.ends_on >= ${now}::date - 21
       and exists (select from report_recipient r
                    where r.program_uid = p.uid and r.unsubscribed_at is null and r.occasions && array['weekly', 'end'])
     order by p.uid`.execute(db)
  return rows.map(({ uid }) => uid)
}

/** Clients whose monthly report someone gets, with the zones of their markets. */
export async function mailedClients(db: Db): Promise<{ uid: string; zones: string[] }[]> {
  const { rows } = await sql<{ uid: string; zones: string[] }>`
    select c.uid, coalesce((
             select json_agg(distinct zone_at(m.zone, m.earlier_zones, now()))
               from client_program p join program_market k on k.program_uid = p.uid join market m on m.uid = k.market_uid
              where p.client_uid = c.uid and p.deleted_at is null), json_build_array(${OFFICE_ZONE})) as zones
      from client c
     where c.deleted_at is null
       and exists (select from report_recipient r
                    where r.client_uid = c.uid and r.unsubscribed_at is null and 'monthly' = any(r.occasions))
     order by c.uid`.execute(db)
  return rows
}

/** A report among those of its program or client: each is sent once. */
export interface ReportSent {
  owner: ReportOwner
  occasion: ReportOccasion
  period: string
}

export const isSent = async (db: Db, { owner, occasion, period }: ReportSent): Promise<boolean> =>
  (await db
    .selectFrom('report_sent')
    .select('period')
    .where(ownerColumn[owner.of], '=', owner.uid)
    .where('occasion', '=', occasion)
    .where('period', '=', period)
    .executeTakeFirst()) !== undefined

/** Notes a report that goes to so many addresses; false if it was noted before. */
export async function noteSent(db: Db, { owner, ...report }: ReportSent, recipients: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('report_sent')
    .values({ [ownerColumn[owner.of]]: owner.uid, ...report, recipients })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows !== 0n
}
