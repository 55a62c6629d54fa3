import type { BodyOf, campaignMails, ReportMailing, ReportOccasion, ReportRecipient } from '@roadshow/contract'
import { sql } from 'kysely'
import { programRecords } from '../../catalog/programs/index.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { isSameMailingList } from './rules.ts'

const NEWEST = 10

/** What divides the period of a report that was sent by hand from the time of it. */
const BY_HAND = ' at '

/** The period of a report that is sent by hand: it may be sent again, and the one that is due is sent as well. */
export const periodByHand = (period: string, at: Date): string => `${period}${BY_HAND}${at.toISOString()}`

function readPeriod(stored: string): { period: string; isByHand: boolean } {
  const [period = '', at] = stored.split(BY_HAND)
  return { period, isByHand: at !== undefined }
}

const loadRecipients = (db: Db, programUid: string): Promise<ReportRecipient[]> =>
  db
    .selectFrom('report_recipient')
    .select(['email', 'occasions', 'unsubscribed_at as unsubscribedAt'])
    .$narrowType<{ occasions: ReportOccasion[] }>()
    .where('program_uid', '=', programUid)
    .where(sql<boolean>`occasions <> '{}'`)
    .orderBy('email')
    .execute()

/** Who gets the reports of a program that the caller may see, and what was sent. */
export async function loadMailing(db: Db, scope: Scope, uid: string): Promise<ReportMailing> {
  await programRecords.get(db, scope, uid)
  const recipients = await loadRecipients(db, uid)
  const sent = await db
    .selectFrom('report_sent')
    .select(['occasion', 'period', 'sent_at as sentAt', 'recipients'])
    .$narrowType<{ occasion: ReportOccasion }>()
    .where('program_uid', '=', uid)
    .orderBy('sent_at', 'desc')
    .limit(NEWEST)
    .execute()
  return { recipients, sent: sent.map(({ period, ...each }) => ({ ...each, ...readPeriod(period) })) }
}

type MailingChange = BodyOf<typeof campaignMails.save>

/**
 * Replaces the recipients of a program, unless the list changed since it was loaded. An address that unsubscribed stays
 * unsubscribed, also when it is named again.
 */
export async function saveMailing(db: Db, scope: Scope, uid: string, change: MailingChange): Promise<ReportMailing> {
  const { before, recipients } = change
  await inTransaction(db, async (db) => {
    await programRecords.get(db, scope, uid)
    await programRecords.lockRow(db, uid)
    const current = await loadRecipients(db, uid)
    // A save whose answer was lost is sent again from its old list: it is done already.
    if (isSameMailingList(current, recipients)) return
    if (!isSameMailingList(current, before)) throw new AppError('staleVersion')
    const emails = recipients.map(({ email }) => email)
    const others = sql`program_uid = ${uid} and not (email = any(${emails}::citext[]))`
    await sql`delete from report_recipient where ${others} and unsubscribed_at is null`.execute(db)
    await sql`update report_recipient set occasions = '{}', changed_at = now(), changed_by = ${scope.actor.uid}
               where ${others} and occasions <> '{}'`.execute(db)
    await sql`
      insert into report_recipient as r (program_uid, email, occasions, changed_by)
      select ${uid}, given.email, array(select jsonb_array_elements_text(given.occasions)), ${scope.actor.uid}
        from jsonb_to_recordset(${JSON.stringify(recipients)}::jsonb) given (email citext, occasions jsonb)
      on conflict (program_uid, email) do update
         set occasions = excluded.occasions, changed_at = now(), changed_by = excluded.changed_by
       where r.occasions is distinct from excluded.occasions`.execute(db)
  })
  return loadMailing(db, scope, uid)
}

/** The addresses that get a program's reports of an occasion. */
export const recipientsOf = (db: Db, programUid: string, occasion: ReportOccasion) =>
  db
    .selectFrom('report_recipient')
    .select(['uid', 'email'])
    .where('program_uid', '=', programUid)
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

export const isSent = async (
  db: Db,
  { programUid, occasion, period }: { programUid: string; occasion: ReportOccasion; period: string },
): Promise<boolean> =>
  (await db
    .selectFrom('report_sent')
    .select('period')
    .where('program_uid', '=', programUid)
    .where('occasion', '=', occasion)
    .where('period', '=', period)
    .executeTakeFirst()) !== undefined
