import { isForDrivers, type Language, type Role } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import { recipientLanguage } from '../../accounts/sign-in/index.ts'
import type { AppContext } from '../../platform/context.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { App } from '../../platform/http/app.ts'
import { html, plainPage } from '../../platform/http/html.ts'
import { requestLanguage } from '../../platform/http/request-language.ts'
import { UNSUBSCRIBE_PATH } from './mails.ts'
import { loadChoices, saveChoice } from './settings.ts'
import { readUnsubscribeToken, type Subscription } from './unsubscribe-token.ts'
import { kindLabel, notificationWords } from './words.ts'

interface Reader {
  uid: string
  role: Role
}

const readerOf = (db: Db, userUid: string): Promise<Reader | undefined> =>
  db
    .selectFrom('user_account')
    .select(['uid', 'role'])
    .$narrowType<{ role: Role }>()
    .where('uid', '=', userUid)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

interface PageFrame {
  brand: string
  language: Language
}

const page = ({ brand, language }: PageFrame, title: string, body: ReturnType<typeof html>) =>
  plainPage(
    `${title} · ${brand}`,
    html`<h1>${title}</h1>
      ${body}`,
    { language },
  )

function statePage(frame: PageFrame, token: string, { kind, channel }: Subscription, isOn: boolean): string {
  const words = notificationWords[frame.language]
  const sentence = words[isOn ? 'isOn' : 'isOff'][channel](kindLabel(kind, frame.language))
  return page(
    frame,
    isOn ? words.unsubscribe : words.unsubscribed,
    html`<p>${sentence}</p>
      <form method="post" action="${UNSUBSCRIBE_PATH}?token=${token}">
        <input type="hidden" name="on" value="${isOn ? '0' : '1'}" />
        <button type="submit">${isOn ? words.unsubscribe : words.undo}</button>
      </form>`,
  )
}

function unknownPage(frame: PageFrame): string {
  const words = notificationWords[frame.language]
  return page(frame, words.linkMissing, html`<p>${words.linkMissingText}</p>`)
}

const tokenOf = (query: unknown) => {
  const { token } = query as { token?: unknown }
  return typeof token === 'string' ? token : ''
}

/**
 * The page behind the link to unsubscribe. Opening it changes nothing, because mail scanners open links; a button, or the one
 * that mail programs show (RFC 8058), does. Neither needs a session: the token names one kind of one user and nothing else.
 */
export async function unsubscribeRoutes(app: App, { db, env }: AppContext): Promise<void> {
  const { brandName } = env

  async function answer(request: FastifyRequest, change?: boolean): Promise<{ status: number; text: string }> {
    const token = tokenOf(request.query)
    const subscription = readUnsubscribeToken(token)
    const reader = subscription && (await readerOf(db, subscription.userUid))
    if (!subscription || !reader) {
      return { status: 404, text: unknownPage({ brand: brandName, language: requestLanguage(request) ?? 'en' }) }
    }
    if (change !== undefined) await saveChoice(db, subscription, change)
    const { kind, channel } = subscription
    const isOn = await loadChoices(db, [reader])
    const language = isForDrivers(kind) ? await recipientLanguage(db, reader.uid, request) : 'en'
    const text = statePage({ brand: brandName, language }, token, subscription, isOn(reader, kind, channel))
    return { status: 200, text }
  }

  await app.register(async (inner) => {
    inner.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    inner.get(UNSUBSCRIBE_PATH, async (request, reply) => {
      const { status, text } = await answer(request)
      return reply.code(status).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(text)
    })
    inner.post(UNSUBSCRIBE_PATH, async (request, reply) => {
      const isUndone = (request.body as { on?: unknown } | null | undefined)?.on === '1'
      const { status, text } = await answer(request, isUndone)
      return reply.code(status).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(text)
    })
  })
}
