import { sql } from 'kysely'
import type { Mail } from '../../platform/mail/mailer.ts'
import { enqueueMail } from '../../platform/mail/channel.ts'
import type { EventHandler } from '../../platform/outbox/index.ts'
import { WEBHOOK_PAUSED } from './health.ts'

interface PausedWebhook {
  url: string
  sentence: string
  link: string
  brand: string
}

const pausedMail = (to: { email: string; name: string }, { url, sentence, link, brand }: PausedWebhook): Mail => ({
  kind: 'webhook-paused',
  to: to.email,
  subject: `${brand}: a webhook was paused`,
  text: [
    `Hello ${to.name},`,
    `The webhook to ${url} was paused. ${sentence}.`,
    'Events are kept for it, each for two days. Look at the answers, send a test and resume it here:',
    link,
  ].join('\n\n'),
})

/** Tells the admins who can resume an endpoint that the system paused it. */
export const tellAdmins: EventHandler = {
  types: [WEBHOOK_PAUSED],
  async handle(db, { uid, data }, { env }) {
    const { webhookUid, url, sentence } = data as Record<string, string>
    const { rows: admins } = await sql<{ uid: string; email: string; name: string }>`
      select uid, email, name from user_account
       where role = 'admin' and modules @> array['users'] and deleted_at is null order by uid limit 20`.execute(db)
    const link = `${env.publicUrl}/users?view=webhooks&open=${webhookUid}`
    for (const admin of admins) {
      const mail = pausedMail(admin, { url: url ?? '', sentence: sentence ?? '', link, brand: env.brandName })
      await enqueueMail(db, mail, { userUid: admin.uid, key: `webhook paused ${uid} ${admin.uid}` })
    }
  },
}
