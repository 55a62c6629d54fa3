import fastifyHelmet from '@fastify/helmet'
import { API_BASE } from '@roadshow/contract'
import fastify from 'fastify'
import { sql } from 'kysely'
import { AppError } from './app-error.ts'
import { authRoutes } from './auth/index.ts'
import type { Db } from './db/connection.ts'
import { isMigrated } from './db/migrate.ts'
import type { Env } from './env.ts'
import type { App } from './http/app.ts'
import { docsPage } from './http/docs.ts'
import { replyError } from './http/error-reply.ts'
import { openapi } from './http/openapi.ts'
import { servePages } from './http/pages.ts'
import { sessionReader } from './http/session.ts'
import type { Mailer } from './mail.ts'
import { marketRoutes } from './markets/index.ts'
import { truckRoutes } from './trucks/index.ts'
import { weblogRoutes } from './weblog/index.ts'

export interface Deps {
  db: Db
  mailer: Mailer
  env: Pick<Env, 'brandName' | 'publicUrl' | 'logLevel' | 'trustProxy' | 'checkReplies'>
  /** The built web app; tests of the API do without. */
  pages?: string
}

/** The whole API, ready to listen or to be injected into. */
export async function buildApp({ db, mailer, env, pages }: Deps): Promise<App> {
  const app = fastify({
    logger: { level: env.logLevel, redact: ['req.headers.authorization'] },
    trustProxy: env.trustProxy,
    bodyLimit: 1024 * 1024,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    // A path that is not valid percent-encoding is the caller's mistake like any other.
    frameworkErrors: replyError,
  })
  decorate(app, db, env.checkReplies)
  app.setErrorHandler(replyError)
  acceptJson(app)
  await protect(app, env.publicUrl)

  authRoutes(app, { mailer, ...env })
  marketRoutes(app)
  truckRoutes(app)
  weblogRoutes(app)

  describeItself(app, env.brandName)
  reportHealth(app, db)
  if (pages) await servePages(app, pages, env.brandName)
  else app.setNotFoundHandler(refuse)
  return app
}

function decorate(app: App, db: Db, checkReplies: boolean): void {
  const underWay = new Set<Promise<unknown>>()
  const inBackground = (work: Promise<unknown>) => {
    const watched = work.catch((error: unknown) => app.log.error(error)).finally(() => underWay.delete(watched))
    underWay.add(watched)
  }
  app.decorate('kernel', { db, readSession: sessionReader(db), checkReplies, served: [], inBackground })
  app.decorateRequest('scope', undefined)
  app.addHook('onClose', async () => void (await Promise.all(underWay)))
}

function refuse(): never {
  throw new AppError('noSuchCall')
}

/** Bodies are JSON. Many clients send its content type without a body, with a DELETE for one. */
function acceptJson(app: App): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : void parseJson(request, body, done),
  )
}

async function protect(app: App, publicUrl: string): Promise<void> {
  const secure = publicUrl.startsWith('https:')
  await app.register(fastifyHelmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // Ant Design writes its styles into the page.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        connectSrc: ["'self'", 'ws:', 'wss:'],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: secure,
    frameguard: { action: 'deny' },
  })
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith(API_BASE)) reply.header('cache-control', 'no-store')
  })
}

function describeItself(app: App, brandName: string): void {
  const { served } = app.kernel
  app.get(`${API_BASE}/openapi.json`, async () => openapi(served, brandName))
  app.get(`${API_BASE}/docs`, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(docsPage(served, brandName)),
  )
}

function reportHealth(app: App, db: Db): void {
  app.get('/healthz', async () => ({ alive: true }))
  app.get('/readyz', async () => {
    await sql`select 1`.execute(db)
    if (!(await isMigrated(db))) throw new AppError('unavailable', { text: 'The database is not migrated yet.' })
    return { ready: true }
  })
}
