import type { Language } from '@roadshow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../http/app.ts'
import { acceptForms } from '../http/form-bodies.ts'
import { type Html, html, plainPage } from '../http/html.ts'

interface UnsubscribePage {
  title: string
  sentence: string
  /** Whether mails are sent now, and the button that changes it; undefined for a link that leads nowhere. */
  choice?: { isOn: boolean; button: string }
  language?: Language
}

/** What a link is for, after a change where one is asked for. */
type Answer = (token: string, isOn: boolean | undefined, request: FastifyRequest) => Promise<UnsubscribePage>

const formOf = (action: string, { isOn, button }: NonNullable<UnsubscribePage['choice']>): Html =>
  html`<form method="post" action="${action}">
    <input type="hidden" name="on" value="${isOn ? '0' : '1'}" />
    <button type="submit">${button}</button>
  </form>`

/**
 * Serves the page behind a link to unsubscribe. Opening it changes nothing, because mail scanners open links; its
 * button does, and so does the one that mail programs show (RFC 8058). Neither needs a session: the token says all.
 */
export const serveUnsubscribePage = (app: App, brand: () => string, path: string, answer: Answer) =>
  app.register(async (inner) => {
    acceptForms(inner)
    async function send(request: FastifyRequest, reply: FastifyReply, isOn?: boolean) {
      const given = (request.query as { token?: unknown }).token
      const token = typeof given === 'string' ? given : ''
      const { title, sentence, choice, language = 'en' } = await answer(token, isOn, request)
      const body = html`<h1>${title}</h1>
        <p>${sentence}</p>
        ${choice && formOf(`${path}?token=${token}`, choice)}`
      return reply
        .code(choice ? 200 : 404)
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(plainPage(`${title} · ${brand()}`, body, { language }))
    }
    inner.get(path, (request, reply) => send(request, reply))
    inner.post(path, (request, reply) =>
      send(request, reply, (request.body as { on?: unknown } | null | undefined)?.on === '1'),
    )
  })
