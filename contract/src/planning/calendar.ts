import * as z from '../platform/zod.ts'
import { instant, one } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { shifts } from './shifts.ts'

// Users who can see shifts can subscribe to the shifts they drive in a calendar app. Clients drive none.
const access = { ...shifts.byDriver.access, except: ['client'] } as const

/** When the link was created; null without a link. */
const link = z.strictObject({ since: instant.nullable() })

export const calendar = {
  link: endpoint({
    method: 'GET',
    path: 'program-user-schedule/calendar-link',
    access,
    follows: ['shifts'],
    keys: false,
    ownRows: 'account',
    summary: 'Whether there is a private link to the caller’s own shifts, and since when.',
    added: true,
    reply: one(link),
  }),
  createLink: endpoint({
    method: 'POST',
    path: 'program-user-schedule/calendar-link',
    access,
    keys: false,
    ownRows: 'account',
    summary: 'A private link to the caller’s own shifts, shown this once. An older one stops working.',
    added: true,
    reply: one(z.strictObject({ url: z.url(), since: instant })),
    secret: true,
  }),
  removeLink: endpoint({
    method: 'DELETE',
    path: 'program-user-schedule/calendar-link',
    access,
    keys: false,
    ownRows: 'account',
    summary: 'Revokes the private link: from then on it answers 404.',
    added: true,
    reply: one(link),
  }),
  feed: endpoint({
    method: 'GET',
    path: 'program-user-schedule/calendar/{token}',
    access: 'public',
    summary:
      'The shifts of the user who created the link, as iCalendar (RFC 5545), from 30 days ago to 180 days ahead.',
    added: true,
    params: z.strictObject({ token: z.string() }),
    // Answers with the calendar itself instead of JSON.
    reply: z.unknown(),
  }),
}
