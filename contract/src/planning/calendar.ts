import * as z from '../platform/zod.ts'
import { instant, one } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { shifts } from './shifts.ts'

// Who sees shifts may read them in a calendar program: those that they drive themselves.
const { access } = shifts.byDriver

/** Since when there is a link; null where there is none. */
const link = z.strictObject({ since: instant.nullable() })

export const calendar = {
  link: endpoint({
    method: 'GET',
    path: 'program-user-schedule/calendar-link',
    access,
    summary: 'Whether there is a private link to the caller’s own shifts, and since when.',
    added: true,
    reply: one(link),
  }),
  createLink: endpoint({
    method: 'POST',
    path: 'program-user-schedule/calendar-link',
    access,
    summary: 'A private link to the caller’s own shifts, shown this once. An older one stops working.',
    added: true,
    reply: one(z.strictObject({ url: z.url(), since: instant })),
    secret: true,
  }),
  removeLink: endpoint({
    method: 'DELETE',
    path: 'program-user-schedule/calendar-link',
    access,
    summary: 'Takes the private link back: from then on it answers 404.',
    added: true,
    reply: one(link),
  }),
  feed: endpoint({
    method: 'GET',
    path: 'program-user-schedule/calendar/{token}',
    access: 'public',
    summary: 'The shifts of whoever made the link, as iCalendar (RFC 5545), from 30 days ago to 180 days ahead.',
    added: true,
    params: z.strictObject({ token: z.string() }),
    // Answers with the calendar itself instead of JSON.
    reply: z.unknown(),
  }),
}
