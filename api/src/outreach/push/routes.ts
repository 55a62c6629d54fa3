import { browserOf, push } from '@roadshow/contract'
import { recipientLanguage } from '../../accounts/sign-in/index.ts'
import type { AppContext } from '../../platform/context.ts'
import type { App } from '../../platform/http/app.ts'
import { outboundRequests } from '../../platform/http/outbound.ts'
import { serve } from '../../platform/http/serve.ts'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { enqueuePush } from './enqueue.ts'
import { findOrCreateKey } from './keys.ts'
import { confirmBrowser, listBrowsers, saveBrowser } from './queries.ts'
import { isCurvePoint } from './rules.ts'
import { pushWords } from './words.ts'

const TEST_EVERY_MS = 10_000

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
    const words = pushWords[await recipientLanguage(db, actor.uid, request)]
    const sent = await enqueuePush(db, {
      kind: 'push-test',
      userUid: actor.uid,
      browserUid: uid,
      push: {
        title: words.testTitle(env.brandName),
        body: words.testText,
        path: '/notifications/settings',
        urgency: 'high',
        tag: 'test',
        keepSeconds: 60,
      },
      key: `push-test ${Math.floor(Date.now() / TEST_EVERY_MS)}`,
    })
    if (sent.length === 0) throw new AppError('tooMany', { retryAfter: TEST_EVERY_MS / 1000 })
    return { data: { uid } }
  })
}
