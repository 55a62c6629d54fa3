import type { Delivery, Webhook } from '@roadshow/contract/outreach/webhooks'
import type { Tone } from '../../ui/text/StateTag.tsx'

export const webhookTone: Record<Webhook['state'], Tone> = { active: 'driving', paused: 'warn', ended: 'parked' }

export const deliveryTone: Record<Delivery['state'], Tone> = {
  waiting: 'warn',
  sent: 'driving',
  dead: 'bad',
  cancelled: 'parked',
}

/** The host of an endpoint, by which people recognize it; its address is long. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

/** A body formatted for reading; unchanged unless it is JSON. */
export function formatBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

/** Whether messages to an endpoint fail at present. */
export const isFailing = ({ state, failures }: Webhook): boolean => state === 'active' && failures > 0

/** How an endpoint is doing; undefined if there is nothing to report. */
export function healthWord(webhook: Webhook): string | undefined {
  if (!isFailing(webhook)) return undefined
  const { failures, lastAcceptedAt } = webhook
  const times = failures === 1 ? '1 failed attempt' : `${failures} failed attempts`
  return lastAcceptedAt === null ? `${times}, none accepted yet` : `${times} since the last accepted one`
}
