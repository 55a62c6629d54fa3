import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { AppContext } from '../../platform/context.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { App } from '../../platform/http/app.ts'
import { html, plainPage } from '../../platform/http/html.ts'
import { readReportToken, UNSUBSCRIBE_REPORT_PATH } from './unsubscribe-token.ts'

interface Subscription {
  program: string
  isOn: boolean
}

const loadSubscription = (db: Db, uid: string): Promise<Subscription | undefined> =>
  db
    .selectFrom('report_recipient as r')
    .innerJoin('client_program as p', 'p.uid', 'r.program_uid')
    .select(['p.name as program', sql<boolean>`r.unsubscribed_at is null`.as('isOn')])
    .where('r.uid', '=', uid)
    .executeTakeFirst()

const setSubscribed = (db: Db, uid: string, isOn: boolean) =>
  db
    .updateTable('report_recipient')
    .set({ unsubscribed_at: isOn ? null : sql<string>`coalesce(unsubscribed_at, now())` })
    .where('uid', '=', uid)
    .execute()

function statePage(brand: string, token: string, { program, isOn }: Subscription): string {
  const title = isOn ? 'Unsubscribe' : 'You are unsubscribed'
  const sentence = isOn ? `You get reports of ${program} by mail.` : `You get no more reports of ${program} by mail.`
  return plainPage(
    `${title} · ${brand}`,
    html`<h1>${title}</h1>
      <p>${sentence}</p>
      <form method="post" action="${UNSUBSCRIBE_REPORT_PATH}?token=${token}">
        <input type="hidden" name="on" value="${isOn ? '0' : '1'}" />
        <button type="submit">${isOn ? 'Unsubscribe' : 'Get them again'}</button>
      </form>`,
  )
}

const unknownPage = (brand: string): string =>
  plainPage(
    `Link not found · ${brand}`,
    html`<h1>Link not found</h1>
      <p>This link is incomplete, or the address is no longer on the list.</p>`,
  )

/**
 * The page behind the link to unsubscribe from reports. Opening it changes nothing, because mail scanners open links; its
 * button does, and so does the one that mail programs show (RFC 8058).
 */
export async function unsubscribeReportRoutes(app: App, { db, env: { brandName } }: AppContext): Promise<void> {
  async function answer(request: FastifyRequest, reply: FastifyReply, change?: boolean) {
    const { token } = request.query as { token?: unknown }
    const uid = typeof token === 'string' ? readReportToken(token) : undefined
    if (uid !== undefined && change !== undefined) await setSubscribed(db, uid, change)
    const found = uid === undefined ? undefined : await loadSubscription(db, uid)
    const text = found ? statePage(brandName, String(token), found) : unknownPage(brandName)
    return reply
      .code(found ? 200 : 404)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(text)
  }

  await app.register(async (inner) => {
    inner.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    inner.get(UNSUBSCRIBE_REPORT_PATH, (request, reply) => answer(request, reply))
    inner.post(UNSUBSCRIBE_REPORT_PATH, (request, reply) =>
      answer(request, reply, (request.body as { on?: unknown } | null | undefined)?.on === '1'),
    )
  })
}
