import { DAY_MS } from '@roadshow/contract'
import { createECDH, createHash } from 'node:crypto'
import { type OutboundAnswer, retryAfterMs } from '../../platform/http/outbound.ts'
import type { Ended } from '../../platform/outbox/index.ts'

/** A notification as browsers show it. */
export interface Push {
  title: string
  body: string
  /** The page of the console that opens with a click, such as `/trucks?record=…`. */
  path: string
  /** How soon a device should wake for it. */
  urgency?: 'normal' | 'high'
  /** A newer notification with the same tag replaces an older one, on its way and on the screen. */
  tag?: string
  /** How long the push service keeps it for a browser that is off; a day unless given. */
  keepSeconds?: number
}

// Push services take at most 4,096 bytes encrypted. A character has up to four bytes, or six escaped in JSON.
const LONGEST_TITLE = 100
const LONGEST_BODY = 300
const LONGEST_PATH = 300

const shorten = (text: string, longest: number) => {
  const characters = Array.from(text)
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : text
}

/** A path of our own pages: `//host` and `/\host` would lead elsewhere. */
export const isOwnPath = (path: string): boolean => /^\/(?![/\\])/.test(path) && path.length <= LONGEST_PATH

/** The text that is encrypted for the browser. The service worker reads it. */
export const pushText = ({ title, body, path, tag }: Push, at: string): string =>
  JSON.stringify({
    title: shorten(title, LONGEST_TITLE),
    body: shorten(body, LONGEST_BODY),
    path: isOwnPath(path) ? path : '/notifications',
    ...(tag !== undefined && { tag: shorten(tag, LONGEST_TITLE) }),
    at,
  })

const TOPIC_LENGTH = 32

/** A tag as push services want it: up to 32 characters of base64url. */
export const topicOf = (tag: string): string =>
  createHash('sha256').update(tag).digest('base64url').slice(0, TOPIC_LENGTH)

/** Whether a key of a browser is a point on the curve: nothing could be encrypted for any other. */
export function isCurvePoint(p256dh: string): boolean {
  const own = createECDH('prime256v1')
  own.generateKeys()
  try {
    own.computeSecret(Buffer.from(p256dh, 'base64url'))
    return true
  } catch {
    return false
  }
}

/** Who push services turn to if messages cause them trouble. They take a mail address or a page with HTTPS. */
export function vapidSubject(mailFrom: string | undefined, publicUrl: string): string {
  const [, address] = /<?([^\s<>]+@[^\s<>]+)>?\s*$/.exec(mailFrom ?? '') ?? []
  if (address !== undefined) return `mailto:${address}`
  return publicUrl.startsWith('https:') ? publicUrl : `mailto:no-reply@${new URL(publicUrl).hostname}`
}

const SHOWN_ANSWER = 200

/** How an attempt ended, and whether the browser has ended its subscription. */
export function endOf(reply: OutboundAnswer, now: number): Ended & { isGone: boolean } {
  const { status } = reply
  const isGone = status === 404 || status === 410
  const said = reply.body.toString().trim().slice(0, SHOWN_ANSWER)
  if (status >= 200 && status < 300)
    return { outcome: 'accepted', answer: `The push service took it (${status}).`, isGone }
  if (isGone) return { outcome: 'refused', answer: `This browser no longer takes notifications (${status}).`, isGone }
  const answer = `The push service answered ${status}${said && `: ${said}`}`
  const isTransient = status === 429 || status === 408 || status >= 500
  if (!isTransient) return { outcome: 'refused', answer, isGone }
  return { outcome: 'failed', answer, retryAfterMs: retryAfterMs(reply, now, DAY_MS), isGone }
}
