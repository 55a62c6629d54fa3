import { notificationKindOf } from '@roadshow/contract'
import type { Push } from '../push/index.ts'
import type { NoticeWords } from './mails.ts'

/** What browsers show of a notification. A newer one with the same tag takes its place. */
export const noticePush = ({ kind, subject, text, path }: NoticeWords, tag: string): Push => ({
  title: subject,
  body: text,
  path,
  urgency: notificationKindOf(kind).isUrgent ? 'high' : 'normal',
  tag,
})
