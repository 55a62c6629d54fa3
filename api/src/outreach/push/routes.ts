import { browserOf, push } from '@roadshow/contract'
import { recipientLanguage } from '../../accounts/sign-in/index.ts'
import type { AppContext } from '../../platform/context.ts'
import type { App } from '../../platform/http/app.ts'
import { outboundRequests } from '../../platform/http/outbound.ts'
import { serve } from '../../platform/http/serve.ts'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { findOrCreateKey } from './keys.ts'
import { confirmBrowser, listBrowsers, saveBrowser } from './queries.ts'
import { isCurvePoint } from './rules.ts'
import { enqueueTest, TEST_EVERY_MS } from './try-out.ts'

export function pushRoutes(app: App, { env }: AppContext): void {
  const outbound = outboundRequests({ privateNetworks: env.privateNetworks })

  serve(app, push.browsers, async ({ db, scope: { actor } }) => {
    const { publicKey } = await findOrCreateKey(db)
    return { data: { publicKey, browsers: await listBrowsers(db, actor.uid, actor.sessionUid) } }
  })

  serve(app, push.subscribe, async ({ db, scope: { actor }, body, request }) => {
    const problem = outbound.problemOf(body.endpoint)
    refuseFields({
      ...(problem !== undefined && { endpoint: problem }),
      ...(!isCurvePoint(body.keys.p256dh) && { 'keys.p256dh': "The browser's public key is malformed." }),
    })
    const uid = await saveBrowser(db, {
      userUid: actor.uid,
      sessionUid: actor.sessionUid,
      browser: browserOf(request.headers['user-agent'] ?? ''),
      address: request.ip,
      subscription: body,
    })
    const browsers = await listBrowsers(db, actor.uid, actor.sessionUid)
    const data = browsers.find((each) => each.uid === uid)
    if (!data) throw new AppError('notFound')
    return { data }
  })

  serve(app, push.confirm, async ({ db, scope: { actor }, body: { endpoint } }) => ({
    data: { isOn: await confirmBrowser(db, { userUid: actor.uid, sessionUid: actor.sessionUid, endpoint }) },
  }))

  serve(app, push.test, async ({ db, scope: { actor }, params: { uid }, request }) => {
    const browsers = await listBrowsers(db, actor.uid, actor.sessionUid)
    if (!browsers.some((browser) => browser.uid === uid)) throw new AppError('notFound')
    const language = await recipientLanguage(db, actor.uid, request)
    const sent = await enqueueTest(db, { userUid: actor.uid, browserUid: uid, language, brandName: env.brandName })
    if (sent.length === 0) throw new AppError('tooMany', { retryAfter: TEST_EVERY_MS / 1000 })
    return { data: { uid } }
  })
}
