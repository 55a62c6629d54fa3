import { sql } from 'kysely'
import type { AppContext } from '../../platform/context.ts'
import type { Db } from '../../platform/db/connection.ts'
import { isValidSignature, sign } from '../../platform/files/signature.ts'
import type { App } from '../../platform/http/app.ts'
import { serveUnsubscribePage } from '../../platform/mail/unsubscribe-page.ts'

const PATH = '/unsubscribe-report'
const PURPOSE = 'unsubscribe-report'

/** The link that ends the reports of one program or client to one address. It works for as long as the address is kept. */
export const unsubscribeReportUrl = (publicUrl: string, recipientUid: string): string =>
  new URL(`${PATH}?token=${recipientUid}.${sign(PURPOSE, recipientUid)}`, publicUrl).href

/** The recipient that a token is for; undefined if this deployment did not sign it. */
function recipientOf(token: string): string | undefined {
  const [recipientUid = '', signature = ''] = token.split('.')
  return isValidSignature(signature, PURPOSE, recipientUid) ? recipientUid : undefined
}

const loadSubscription = (db: Db, uid: string) =>
  db
    .selectFrom('report_recipient as r')
    .leftJoin('client_program as p', 'p.uid', 'r.program_uid')
    .leftJoin('client as c', 'c.uid', 'r.client_uid')
    .select([sql<string>`coalesce(p.name, c.name)`.as('name'), sql<boolean>`r.unsubscribed_at is null`.as('isOn')])
    .where('r.uid', '=', uid)
    .executeTakeFirst()

const setSubscribed = (db: Db, uid: string, isOn: boolean) =>
  db
    .updateTable('report_recipient')
    .set({ unsubscribed_at: isOn ? null : sql<string>`coalesce(unsubscribed_at, now())` })
    .where('uid', '=', uid)
    .execute()

const UNKNOWN = {
  title: 'Link not found',
  sentence: 'This link is incomplete, or the address is no longer on the list.',
}

/** The page behind the link to unsubscribe from reports. */
export async function unsubscribeReportRoutes(app: App, { db, env }: AppContext): Promise<void> {
  await serveUnsubscribePage(
    app,
    () => env.brandName,
    PATH,
    async (token, change) => {
      const uid = recipientOf(token)
      if (uid !== undefined && change !== undefined) await setSubscribed(db, uid, change)
      const found = uid === undefined ? undefined : await loadSubscription(db, uid)
      if (!found) return UNKNOWN
      const { name, isOn } = found
      return {
        title: isOn ? 'Unsubscribe' : 'You are unsubscribed',
        sentence: `You get ${isOn ? 'reports' : 'no more reports'} of ${name} by email.`,
        choice: { isOn, button: isOn ? 'Unsubscribe' : 'Get them again' },
      }
    },
  )
}
