import * as z from '../platform/zod.ts'
import { anyOf, chosenInstant, instant, one, page, queryNumber, timeZone, uid } from '../platform/common.ts'
import { MAX_PAGE_SIZE } from '../platform/constants.ts'
import { endpoint } from '../platform/endpoint.ts'
import { notificationKinds } from './notification-kinds.ts'

export const notificationKind = z.enum(notificationKinds, 'Not a kind of notification.')

const notification = z.strictObject({
  uid,
  kind: notificationKind,
  /** One line. */
  subject: z.string(),
  /** The sentences of the message, one a line. */
  text: z.string(),
  /** The address in the console that opens the thing itself. */
  path: z.string(),
  at: instant,
  readAt: instant.nullable(),
  /** Unread, and what it tells of still needs this person. */
  needsYou: z.boolean(),
})
export type Notification = z.infer<typeof notification>

const clock = z
  .string('Must be a time such as 22:00.')
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time such as 22:00.')

const channelChoice = z.strictObject({ kind: notificationKind, mail: z.boolean(), push: z.boolean() })
export type ChannelChoice = z.infer<typeof channelChoice>

/** How notifications reach a user outside the console. */
const notificationSettings = z.strictObject({
  /** The zone of the hours below. */
  zone: timeZone,
  /** Local hours without messages, which may span midnight; null for none. */
  quietHours: z
    .strictObject({ from: clock, to: clock })
    .refine(({ from, to }) => from !== to, { path: ['to'], error: 'Must differ from the start.' })
    .nullable(),
  /** Whether urgent ones are sent during quiet hours too. */
  urgentPasses: z.boolean(),
  /** When the unread, not urgent ones of a day are sent as one mail; null where each is sent at once. */
  digestAt: clock.nullable(),
  /** One for each kind that the user's role and modules allow. */
  choices: z.array(channelChoice).max(notificationKinds.length, 'Each kind once.'),
})
export type NotificationSettings = z.infer<typeof notificationSettings>

/** How many notifications need their reader. */
const unread = one(z.strictObject({ unread: z.int() }))

const mine = { access: 'signedIn', ownRows: 'account', added: true } as const

export const notifications = {
  list: endpoint({
    ...mine,
    method: 'GET',
    path: 'notifications/run',
    summary: 'One’s own notifications, newest first. Those that one’s role and modules no longer open are left out.',
    follows: ['notifications', 'issues', 'shifts', 'photos'],
    atMostEvery: 5,
    query: z.strictObject({
      page: queryNumber(1, 1_000_000).prefault('1'),
      pageSize: queryNumber(1, MAX_PAGE_SIZE).prefault('20'),
      /** Only those that need the reader. */
      unread: z.literal('only', 'Must be only.').optional(),
      kind: anyOf(notificationKind).optional(),
    }),
    reply: page(notification),
  }),
  unread: endpoint({
    ...mine,
    method: 'GET',
    path: 'notifications/unread',
    summary:
      'How many of one’s own notifications are unread and still need one: their issue is open and not a colleague’s, their shift has not started, their photos wait.',
    follows: ['notifications', 'issues', 'shifts', 'photos'],
    atMostEvery: 5,
    reply: unread,
  }),
  markRead: endpoint({
    ...mine,
    method: 'PUT',
    path: 'notifications/read',
    summary: 'Marks some of one’s own notifications as read; answers how many are left unread.',
    repeatable: true,
    body: z.strictObject({ uids: z.array(uid).min(1, 'Choose at least one.').max(200, 'At most 200 at once.') }),
    reply: unread,
  }),
  markAllRead: endpoint({
    ...mine,
    method: 'PUT',
    path: 'notifications/all-read',
    summary:
      'Marks all of one’s own notifications up to a moment as read; answers how many are left unread. Later ones stay unread.',
    repeatable: true,
    body: z.strictObject({ until: chosenInstant }),
    reply: unread,
  }),
  settings: endpoint({
    ...mine,
    method: 'GET',
    path: 'notifications/settings',
    summary: 'Which of one’s own notifications are sent by mail or push, one’s quiet hours and one’s digest.',
    follows: [],
    reply: one(notificationSettings),
  }),
  saveSettings: endpoint({
    ...mine,
    method: 'PUT',
    path: 'notifications/settings',
    summary: 'Changes which of one’s own notifications are sent, and when. Kinds that are left out stay as they are.',
    repeatable: true,
    body: notificationSettings,
    reply: one(notificationSettings),
  }),
}
