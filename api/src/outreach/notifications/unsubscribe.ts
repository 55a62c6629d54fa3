import { notificationChannelLabel, notificationKindOf, type Role } from '@roadshow/contract'
import { sql } from 'kysely'
import type { AppContext } from '../../platform/context.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { App } from '../../platform/http/app.ts'
import { html, plainPage } from '../../platform/http/html.ts'
import { UNSUBSCRIBE_PATH } from './mails.ts'
import { loadChoices, saveChoice } from './settings.ts'
import { readUnsubscribeToken, type Subscription } from './unsubscribe-token.ts'

async function readerOf(db: Db, userUid: string): Promise<{ uid: string; role: Role } | undefined> {
  const { rows } = await sql<{ uid: string; role: Role }>`
    select uid, role from user_account where uid = ${userUid} and deleted_at is null`.execute(db)
  return rows[0]
}

const page = (brand: string, title: string, body: ReturnType<typeof html>) =>
  plainPage(
    `${title} · ${brand}`,
    html`<h1>${title}</h1>
      ${body}`,
  )

function statePage(brand: string, token: string, { kind, channel }: Subscription, isOn: boolean): string {
  const { label } = notificationKindOf(kind)
  const way = notificationChannelLabel[channel].toLowerCase()
  const sentence = isOn
    ? `You get “${label}” by ${way}.`
    : `You no longer get “${label}” by ${way}. It is still in the bell of the console.`
  return page(
    brand,
    isOn ? 'Unsubscribe' : 'Unsubscribed',
    html`<p>${sentence}</p>
      <form method="post" action="${UNSUBSCRIBE_PATH}?token=${token}">
        <input type="hidden" name="on" value="${isOn ? '0' : '1'}" />
        <button type="submit">${isOn ? 'Unsubscribe' : 'Undo'}</button>
      </form>`,
  )
}

const unknownPage = (brand: string) =>
  page(brand, 'Link not found', html`<p>This link is incomplete or its account no longer exists.</p>`)

/**
 * The page behind the link to unsubscribe. Opening it changes nothing, because mail scanners open links; a button, or the one
 * that mail programs show (RFC 8058), does. Neither needs a session: the token names one kind of one user and nothing else.
 */
export async function unsubscribeRoutes(app: App, { db, env }: AppContext): Promise<void> {
  const { brandName } = env

  async function answer(token: string, change?: boolean): Promise<{ status: number; text: string }> {
    const subscription = readUnsubscribeToken(token)
    const reader = subscription && (await readerOf(db, subscription.userUid))
    if (!subscription || !reader) return { status: 404, text: unknownPage(brandName) }
    if (change !== undefined) await saveChoice(db, subscription, change)
    const isOn = await loadChoices(db, [reader])
    return {
      status: 200,
      text: statePage(brandName, token, subscription, isOn(reader, subscription.kind, subscription.channel)),
    }
  }

  await app.register(async (inner) => {
    inner.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    const tokenOf = (query: unknown) => {
      const { token } = query as { token?: unknown }
      return typeof token === 'string' ? token : ''
    }
    inner.get(UNSUBSCRIBE_PATH, async (request, reply) => {
      const { status, text } = await answer(tokenOf(request.query))
      return reply.code(status).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(text)
    })
    inner.post(UNSUBSCRIBE_PATH, async (request, reply) => {
      const isUndone = (request.body as { on?: unknown } | null | undefined)?.on === '1'
      const { status, text } = await answer(tokenOf(request.query), isUndone)
      return reply.code(status).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(text)
    })
  })
}
