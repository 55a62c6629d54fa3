import {
  type NotificationChannel,
  notificationChannels,
  type NotificationKind,
  notificationKinds,
} from '@roadshow/contract'
import { isValidSignature, sign } from '../../platform/files/signature.ts'

/** One channel of one kind of a user: what settings switch, and all that a link to unsubscribe can change. */
export interface Subscription {
  userUid: string
  kind: NotificationKind
  channel: NotificationChannel
}

const PURPOSE = 'unsubscribe'

/** The token of a link to unsubscribe. It works for as long as the account exists: mails are kept for years. */
export const unsubscribeToken = ({ userUid, kind, channel }: Subscription): string =>
  [userUid, kind, channel, sign(PURPOSE, userUid, kind, channel)].join('.')

/** What a token is for; undefined if this deployment did not sign it. */
export function readUnsubscribeToken(token: string): Subscription | undefined {
  const [userUid = '', kind = '', channel = '', signature = ''] = token.split('.')
  if (!isValidSignature(signature, PURPOSE, userUid, kind, channel)) return undefined
  const known = notificationKinds.find((each) => each === kind)
  const knownChannel = notificationChannels.find((each) => each === channel)
  return known && knownChannel && { userUid, kind: known, channel: knownChannel }
}
