import type { FastifyReply, FastifyRequest } from 'fastify'
import { countAttempt, recordSuccess, verifyPassword } from '../../../accounts/sign-in/index.ts'
import type { AppContext } from '../../../platform/context.ts'
import type { App } from '../../../platform/http/app.ts'
import { acceptForms } from '../../../platform/http/form-bodies.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { type Company, passwordPage } from './notices.ts'
import { passCookie } from './page-pass.ts'
import { protectedPage } from './queries.ts'

const WRONG = 'Wrong password. Please try again.'

const passwordOf = (body: unknown): string => {
  const { password } = (body ?? {}) as { password?: unknown }
  return typeof password === 'string' ? password.slice(0, 200) : ''
}

const openPage = (reply: FastifyReply, popUrl: string) =>
  reply
    .code(303)
    .header('cache-control', 'private, no-store')
    .header('location', `/programs/${encodeURIComponent(popUrl)}`)
    .send()

/**
 * Takes the password of a page from its form, which works without a script. A right one is answered with a pass and the page
 * itself; wrong ones are counted, for each network and for the page.
 */
export async function passwordRoutes(app: App, { db, env, entryHtml }: AppContext): Promise<void> {
  const shell = (await entryHtml('pop.html')) ?? ''
  const company: Company = {
    shell,
    contactEmail: env.contactEmail,
    get brand() {
      return env.brandName
    },
  }
  const isSecure = env.isHttps ?? env.publicUrl.startsWith('https:')

  const ask = (reply: FastifyReply, status: number, problem: string) =>
    reply
      .code(status)
      .header('cache-control', 'private, no-store')
      .type('text/html; charset=utf-8')
      .send(passwordPage(company, problem))

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    const { popUrl = '' } = request.params as { popUrl?: string }
    // A password that was changed a moment ago counts at once, so no replica is asked.
    const page = await protectedPage(db, popUrl)
    if (!page) return openPage(reply, popUrl)
    const target = { what: 'popPage', subject: page.programUid, ownerUid: undefined, address: request.ip } as const
    const limits = await countAttempt(db, target).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'tooMany') return error
      throw error
    })
    if (limits instanceof AppError) return ask(reply, 429, limits.message)
    if (!(await verifyPassword(page.passwordHash, passwordOf(request.body)))) return ask(reply, 403, WRONG)
    await recordSuccess(db, limits)
    return openPage(reply.header('set-cookie', passCookie(page, isSecure)), popUrl)
  }

  await app.register(async (inner) => {
    acceptForms(inner)
    for (const path of ['/programs/:popUrl', '/pop/:popUrl']) inner.post(path, { bodyLimit: 4096 }, answer)
  })
}
