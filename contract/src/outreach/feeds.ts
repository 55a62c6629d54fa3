import * as z from '../platform/zod.ts'
import { day, instant, namedRef, queryNumber, uid, zonedInstant } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { truckSides } from '../catalog/pixel-maps.ts'
import { popGrade } from '../proof/pop-document.ts'
import { playReasons } from '../proof/ad-log.ts'

/**
 * A play is in the feeds so many minutes after it arrived. Most grades are final by then; a later change of a grade is
 * delivered as a correction.
 */
export const FEED_DELAY_MINUTES = 5

export const MAX_FEED_PLAYS = 5000
export const MAX_AD_PLAYS = 1000
export const MAX_FEED_SHIFTS = 20

/** The header that says where the next page begins, and the one that says whether it has rows already. */
export const NEXT_CURSOR_HEADER = 'x-next-cursor'
export const HAS_MORE_HEADER = 'x-has-more'

const cursor = z
  .string()
  .regex(/^[\w-]{20,400}$/, 'Must be the cursor of the last answer. Leave it out to start from the beginning.')

const BOTH_STARTS = { path: ['since'], message: 'Send either a cursor or a time to start from, not both.' }
const hasOneStart = (query: { cursor?: string | undefined; since?: string | undefined }) =>
  query.cursor === undefined || query.since === undefined

const playFields = (most: number, usual: number) => ({
  /** Where the last answer ended; without it the feed starts with the oldest play that is kept. */
  cursor: cursor.optional(),
  /** Instead of a cursor: starts with plays that arrived or were corrected at this time or later. */
  since: zonedInstant.optional(),
  limit: queryNumber(1, most).prefault(String(usual)),
})

/** A play that counts for the program, as it is now. */
const countedPlay = z.strictObject({
  /** The same as in the ad log. It stays the same when a play is corrected. */
  id: z.string(),
  state: z.literal('counted'),
  /** When it arrived or was corrected last. */
  changedAt: instant,
  startedAt: instant,
  endedAt: instant,
  /** The start on the clocks of the market, with the offset from UTC. */
  localTime: z.string(),
  zone: z.string(),
  /** The local day on which its shift started. */
  day,
  shiftUid: uid,
  market: namedRef,
  truck: namedRef,
  side: z.enum(truckSides),
  artwork: namedRef,
  /** The SHA-256 of the file that was shown. */
  sha256: z.string(),
  seconds: z.number(),
  /** The SD address that it was shown for. */
  address: namedRef.nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  grade: popGrade,
  /** Why it is not verified; null if it is. */
  reason: z.enum(playReasons).nullable(),
  /** The player's own number of the play. */
  sequence: z.int(),
  receivedAt: instant,
  isLate: z.boolean(),
  /** Where to go on after this line. */
  cursor: z.string(),
})
export type CountedFeedPlay = z.infer<typeof countedPlay>

/** A play that was delivered before and no longer counts, such as after a correction of the shift. */
const withdrawnPlay = z.strictObject({
  id: z.string(),
  state: z.literal('withdrawn'),
  changedAt: instant,
  cursor: z.string(),
})
export type FeedPlay = CountedFeedPlay | z.infer<typeof withdrawnPlay>

/** Body of `sellers.adPlays:batchCreate` in version 1 of Google's Out-of-Home Seller API. */
const adPlayBatch = z.strictObject({
  requests: z.array(
    z.strictObject({
      parent: z.string(),
      adPlay: z.strictObject({
        startTime: instant,
        endTime: instant,
        impressionCount: z.number(),
        lineExternalId: z.string(),
        adUnitExternalId: z.string(),
        creativeAssetExternalId: z.string(),
      }),
    }),
  ),
})
export type AdPlayBatch = z.infer<typeof adPlayBatch>

const position = z.tuple([z.number(), z.number()])

/** The track of one shift. Positions are longitude and latitude, as GeoJSON has them. */
const shiftTrack = z.strictObject({
  type: z.literal('Feature'),
  id: uid,
  geometry: z
    .union([
      z.strictObject({ type: z.literal('LineString'), coordinates: z.array(position).min(2) }),
      z.strictObject({ type: z.literal('Point'), coordinates: position }),
    ])
    .nullable(),
  properties: z.strictObject({
    shiftUid: uid,
    truck: namedRef,
    market: namedRef,
    zone: z.string(),
    day,
    /** The hours of the shift as they were driven; null while it has not ended. */
    from: instant,
    to: instant.nullable(),
    /** The time of each position. */
    times: z.array(instant),
    /** The speed at each position in miles an hour; null where the tracker sent none. */
    mph: z.array(z.number().nullable()),
  }),
})
const trackCollection = z.strictObject({
  type: z.literal('FeatureCollection'),
  features: z.array(shiftTrack),
  /** Where the next page begins; null after the last shift. */
  nextCursor: z.string().nullable(),
})
export type TrackCollection = z.infer<typeof trackCollection>

const shared = {
  method: 'GET',
  access: { module: 'overview', needs: 'view' },
  ownRows: 'hours',
  added: true,
  params: z.strictObject({ uid }),
} as const

const ORDER =
  'in the order in which they arrived or were corrected. The header x-next-cursor says where the next page begins, x-has-more whether to read it at once.'

export const feeds = {
  playsCsv: endpoint({
    ...shared,
    path: 'feeds/{uid}/plays.csv',
    summary: `The plays of a program as CSV, ${ORDER}`,
    query: z.strictObject(playFields(MAX_FEED_PLAYS, 1000)).refine(hasOneStart, BOTH_STARTS),
    // Answers with the file itself instead of JSON.
    reply: z.unknown(),
  }),
  playLines: endpoint({
    ...shared,
    path: 'feeds/{uid}/plays.jsonl',
    summary: `The plays of a program as JSON lines, one play a line, ${ORDER}`,
    query: z.strictObject(playFields(MAX_FEED_PLAYS, 1000)).refine(hasOneStart, BOTH_STARTS),
    // One line.
    reply: z.union([countedPlay, withdrawnPlay]),
  }),
  adPlays: endpoint({
    ...shared,
    path: 'feeds/{uid}/google-ad-plays.json',
    summary:
      'Plays of the last three days as a batch of ad plays for Google’s Out-of-Home Seller API, each once; the cursor is in the header x-next-cursor.',
    query: z
      .strictObject({
        ...playFields(MAX_AD_PLAYS, MAX_AD_PLAYS),
        /** The number of the seller's account at Google. */
        seller: z
          .string('Enter the number of the seller at Google.')
          .regex(/^\d{1,20}$/, 'Enter the number of the seller at Google, digits only.'),
        /** What to report for each play; plays are counted here, impressions are not. */
        impressionsPerPlay: z
          .string('Enter the impressions to report for each play, such as 12.5.')
          .regex(/^\d{1,6}(\.\d{1,4})?$/, 'Enter the impressions to report for each play, such as 12.5.')
          .transform(Number),
      })
      .refine(hasOneStart, BOTH_STARTS),
    reply: adPlayBatch,
  }),
  positions: endpoint({
    ...shared,
    path: 'feeds/{uid}/positions.geojson',
    fromReplica: true,
    summary:
      'The tracks of a program’s trucks within its shifts as GeoJSON, one feature for each shift, oldest first. Positions outside the hours of the shifts are not part of it.',
    query: z
      .strictObject({
        cursor: cursor.optional(),
        /** Local days on which the shifts start, both included. */
        from: day.optional(),
        to: day.optional(),
        limit: queryNumber(1, MAX_FEED_SHIFTS).prefault('10'),
      })
      .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
        path: ['to'],
        message: 'Must not be before the first day.',
      }),
    reply: trackCollection,
  }),
}
