import webPush from 'web-push'
import type { AppContext } from '../../platform/context.ts'
import { type Outbound, OutboundError, outboundRequests } from '../../platform/http/outbound.ts'
import type { Channel, Ended, OutgoingMessage, SendingRun } from '../../platform/outbox/index.ts'
import { noteAccepted, type OpenSubscription, openSubscription, removeGone } from './queries.ts'
import { endOf, type Push, pushText, topicOf, vapidSubject } from './rules.ts'

const DAY_SECONDS = 86_400
const TIMEOUT_MS = 15_000

const canceled = (answer: string): Ended => ({ outcome: 'cancelled', answer })

/** The request that a push service gets: encrypted for the browser, signed with our key. */
function requestOf({ payload, createdAt }: OutgoingMessage, opened: OpenSubscription, subject: string) {
  const push = payload as Push
  const { publicKey, privateKey, subscription } = opened
  const { endpoint, headers, body } = webPush.generateRequestDetails(subscription, pushText(push, createdAt), {
    contentEncoding: 'aes128gcm',
    vapidDetails: { subject, publicKey, privateKey },
    TTL: push.keepSeconds ?? DAY_SECONDS,
    urgency: push.urgency ?? 'normal',
    ...(push.tag !== undefined && { topic: topicOf(push.tag) }),
  })
  return { url: endpoint, headers, body }
}

const OTHER_KEY = "This node can't open the subscription: it was sealed with another SECRET_KEY."

/** Sends notifications to the push services of browsers. The address comes from the browser, so it is not trusted. */
export function pushChannel(
  { db, env }: Pick<AppContext, 'db' | 'env'>,
  outbound: Outbound = outboundRequests({ privateNetworks: env.privateNetworks, timeoutMs: TIMEOUT_MS }),
): Channel {
  const subject = vapidSubject(env.mailFrom, env.publicUrl)

  async function sendTo(target: string, message: OutgoingMessage, { log, trace }: SendingRun): Promise<Ended> {
    const opened = await openSubscription(db, target, message.userUid)
    if (opened === undefined) return canceled('Notifications were turned off in this browser.')
    if (opened === 'sealed') return { outcome: 'refused', answer: OTHER_KEY }
    const answer = await outbound.send({ ...requestOf(message, opened, subject), trace })
    const { isGone, ...ended } = endOf(answer, Date.now())
    // The answer counts, whether or not it can be noted on the subscription.
    if (isGone) await removeGone(db, target).catch((error: unknown) => log(error))
    if (ended.outcome === 'accepted') await noteAccepted(db, target).catch((error: unknown) => log(error))
    return ended
  }

  return {
    name: 'push',
    concurrency: 16,
    perTarget: 1,
    longestMs: TIMEOUT_MS + 5000,
    async send(message, run) {
      if (message.target === null) return canceled('It names no browser.')
      try {
        return await sendTo(message.target, message, run)
      } catch (error) {
        // An answer that is not taken, such as a redirect, does not get better by asking again.
        const isAnswered = error instanceof OutboundError && error.answer !== undefined
        return { outcome: isAnswered ? 'refused' : 'failed', answer: (error as Error).message }
      }
    },
  }
}
