import * as z from '../platform/zod.ts'
import { anyOf, day, namedRef, page, queryNumber, timeZone, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { recordChange } from '../platform/history.ts'
import { daysBetween } from '../planning/shift-time.ts'
import { readChanges } from './changes-access.ts'

/** The kinds of records in the feed of changes: the word of each, its table, and where its records open. */
export const changeKinds = {
  shift: { label: 'Shift', table: 'shift', path: '/schedule/program-schedule' },
  truck: { label: 'Truck', table: 'truck', path: '/trucks' },
  client: { label: 'Client', table: 'client', path: '/clients' },
  program: { label: 'Client program', table: 'client_program', path: '/client-programs' },
  artworkSet: { label: 'Artwork set', table: 'artwork_set', path: '/artworks' },
  addressSet: { label: 'Address set', table: 'address_set', path: '/gps-addresses' },
  pop: { label: 'POP', table: 'pop', path: '/client-pop' },
  photo: { label: 'POP photo', table: 'pop_photo', path: undefined },
  user: { label: 'User', table: 'user_account', path: '/users' },
  device: { label: 'Device', table: 'device', path: undefined },
  market: { label: 'Market', table: 'market', path: undefined },
  pixelMap: { label: 'Pixel map', table: 'pixel_map', path: '/pixel' },
  payPeriod: { label: 'Pay period', table: 'pay_period', path: undefined },
  issue: { label: 'Truck issue', table: 'truck_issue', path: undefined },
} as const satisfies Record<string, { label: string; table: string; path: `/${string}` | undefined }>
export type ChangeKind = keyof typeof changeKinds
export const changeKindNames = Object.keys(changeKinds) as [ChangeKind, ...ChangeKind[]]
const changeKind = z.enum(changeKindNames, `Choose ${changeKindNames.join(', ')}.`)

const feedChange = recordChange.extend({
  kind: changeKind,
  /** The user who made it, or whose key did. */
  byUid: uid.nullable(),
  /** The record, by its name as it is now. */
  record: namedRef,
})
export type FeedChange = z.infer<typeof feedChange>

/** The most days of one question. */
export const MAX_CHANGE_DAYS = 92

export const changes = {
  list: endpoint({
    method: 'GET',
    path: 'changes/run',
    access: readChanges,
    // Which kinds a key may read follows from the calls of its user.
    keys: false,
    summary:
      'Who changed which record when, newest first, on some days (today unless named), of those kinds of records whose history the user may read.',
    follows: ['shifts', 'trucks', 'clients', 'programs', 'pops', 'users'],
    added: true,
    query: z
      .strictObject({
        page: queryNumber(1, 1_000_000).prefault('1'),
        pageSize: queryNumber(1, 200).prefault('50'),
        kind: anyOf(changeKind).optional(),
        /** Who changed them. */
        by: anyOf(uid).optional(),
        /** Changes of these records. */
        record: anyOf(uid).optional(),
        /** Days of the zone. */
        from: day.optional(),
        to: day.optional(),
        timeZone: timeZone.optional(),
      })
      .refine(({ from, to }) => !from || !to || (from <= to && daysBetween(from, to) < MAX_CHANGE_DAYS), {
        path: ['to'],
        error: `Must be at most ${MAX_CHANGE_DAYS - 1} days after the first day, and not before it.`,
      }),
    reply: page(feedChange),
  }),
}
