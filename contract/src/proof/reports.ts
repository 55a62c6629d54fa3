import * as z from '../platform/zod.ts'
import { anyOf, day, instant, listQuery, namedRef, one, page, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { truckSides } from '../catalog/pixel-maps.ts'
import { popGrade } from './pop-document.ts'

const counted = z.int().min(0)
const side = z.enum(truckSides, `Choose ${truckSides.join(', ')}.`)

/** From when to when there is something to report, in local days of the market. */
const withData = { firstDay: day, lastDay: day }

const reportProgram = z.strictObject({ uid, name: z.string(), client: namedRef, ...withData })
export type ReportProgram = z.infer<typeof reportProgram>

const reportMarket = z.strictObject({ uid, name: z.string(), zone: z.string(), ...withData })
export type ReportMarket = z.infer<typeof reportMarket>

/** Both days count whole, in the zone of the market. */
const days = { from: day, to: day }
const inOrder = ({ from, to }: { from: string; to: string }) => from <= to
const BACKWARDS = { path: ['to'], message: 'Must not be before the first day.' }

const programQuery = listQuery(['name'], { uid: anyOf(uid).optional() }).omit({ format: true })
const marketQuery = listQuery(['name'], { program: uid, uid: anyOf(uid).optional() }).omit({ format: true })

/** What came of one SD address. */
const sdResult = z.strictObject({
  uid,
  label: z.string(),
  address: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  radiusM: z.int(),
  /** Visits of trucks to its surroundings, by their tracks. */
  approaches: counted,
  /** Of those, the ones in which it should have been shown, as no other address was nearer, and was not. */
  missed: counted,
  /** Plays shown for it, and how long they lasted. */
  plays: counted,
  seconds: counted,
  /** How near a truck came; null where none did. */
  nearestM: z.number().nullable(),
  /** How many trucks came, or showed something for it. */
  trucks: counted,
  /** When a truck first came, and when one last left. */
  firstAt: instant.nullable(),
  lastAt: instant.nullable(),
})
export type SdResult = z.infer<typeof sdResult>

const sdPlace = sdResult.pick({
  uid: true,
  label: true,
  latitude: true,
  longitude: true,
  radiusM: true,
  approaches: true,
  missed: true,
  plays: true,
})
export type SdPlaceResult = z.infer<typeof sdPlace>

const sdSummary = z.strictObject({
  /** The zone of the market, in which the days are and times are to be shown. */
  zone: z.string(),
  totals: sdResult
    .pick({ approaches: true, missed: true, plays: true, seconds: true, trucks: true, firstAt: true, lastAt: true })
    .extend({
      addresses: counted,
      /** Addresses that a truck came to. */
      reached: counted,
    }),
  /** Every address, for the map. */
  places: z.array(sdPlace),
})
export type SdSummary = z.infer<typeof sdSummary>

/** One visit of a truck to the surroundings of an address. */
const sdApproach = z.strictObject({
  /** Of the shift and the moment: an approach has no record of its own. */
  uid: z.string(),
  truck: namedRef,
  shiftUid: uid,
  enteredAt: instant,
  leftAt: instant,
  nearestM: z.number(),
  plays: counted,
  seconds: counted,
  /** Whether it should have been shown: where addresses lie close, the nearer one is. */
  isDue: z.boolean(),
  isMissed: z.boolean(),
  /** Where the truck drove, thinned; empty when its positions are no longer kept. */
  track: z.array(z.tuple([z.number(), z.number(), instant])),
})
export type SdApproach = z.infer<typeof sdApproach>

const sdFilters = { program: uid, market: uid, ...days }
const sdSorts = [
  'plays',
  'approaches',
  'missed',
  'seconds',
  'trucks',
  'nearestM',
  'firstAt',
  'lastAt',
  'label',
] as const

const viewSd = { module: 'clients', needs: 'view' } as const

export const sdReport = {
  programs: endpoint({
    method: 'GET',
    path: 'smart-directional-report/client-program-lookup',
    access: viewSd,
    summary: 'Programs whose trucks came to SD addresses, with the first and last day. Clients find their own.',
    query: programQuery,
    reply: page(reportProgram),
  }),
  markets: endpoint({
    method: 'GET',
    path: 'smart-directional-report/client-program-market-lookup',
    access: viewSd,
    summary: 'Markets of a program in which its trucks came to SD addresses, with the first and last day.',
    query: marketQuery,
    reply: page(reportMarket),
  }),
  list: endpoint({
    method: 'GET',
    path: 'smart-directional-report/run',
    access: viewSd,
    summary: 'What came of each SD address of a program in a market: approaches, plays, missed. Most plays first.',
    query: listQuery(sdSorts, sdFilters).refine(inOrder, BACKWARDS),
    reply: page(sdResult),
  }),
  summary: endpoint({
    method: 'GET',
    path: 'smart-directional-report/summary',
    access: viewSd,
    summary: 'The totals of the SD report, and every address as its map shows it.',
    added: true,
    query: z.strictObject(sdFilters).refine(inOrder, BACKWARDS),
    reply: one(sdSummary),
  }),
  approaches: endpoint({
    method: 'GET',
    path: 'smart-directional-report/approaches',
    access: viewSd,
    summary: 'Each visit to one SD address with the piece of track, newest first; searched by truck.',
    added: true,
    query: listQuery(['enteredAt'], { ...sdFilters, address: uid })
      .omit({ format: true })
      .refine(inOrder, BACKWARDS),
    reply: page(sdApproach),
  }),
}

/** One ad on one side of one truck, as the log shows it. */
const loggedPlay = z.strictObject({
  uid: z.string(),
  startedAt: instant,
  /** The zone of its market, in which the time is to be shown. */
  zone: z.string(),
  market: namedRef,
  truck: namedRef,
  side,
  artwork: namedRef,
  durationMs: counted,
  /** The SD address it was shown for. */
  address: namedRef.nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  grade: popGrade,
  /** The player's own number of it. */
  sequence: z.int(),
  receivedAt: instant,
  /** Came in long after it was played, as from a truck that was offline. */
  isLate: z.boolean(),
})
export type LoggedPlay = z.infer<typeof loggedPlay>

/** A play that comes in longer after it was played is late. */
export const LATE_PLAY_MINUTES = 60

const playFigures = z.strictObject({
  plays: counted,
  seconds: counted,
  verified: counted,
  unverified: counted,
  conflict: counted,
})
export type PlayFigures = z.infer<typeof playFigures>
/** Holes in the numbering of players. On which side a play that never came would have been, nobody knows. */
const withMissing = playFigures.extend({ missing: counted })

const adLogSummary = z.strictObject({
  /** The zones of the markets whose days these are; one, where one market is asked for. */
  zones: z.array(z.string()),
  total: withMissing,
  /** Each local day with a play or a hole, in order. */
  days: z.array(withMissing.extend({ day })),
  sides: z.array(playFigures.extend({ side })),
  /** By number. */
  trucks: z.array(withMissing.extend({ truck: namedRef })),
  /** Since when plays are kept one by one; those before are only counted. Null before there are any. */
  keptSince: instant.nullable(),
})
export type AdLogSummary = z.infer<typeof adLogSummary>

const logFilters = {
  market: uid.optional(),
  ...days,
  truck: anyOf(uid).optional(),
  side: anyOf(side).optional(),
}

const viewLog = { module: 'overview', needs: 'view' } as const

export const adLog = {
  programs: endpoint({
    method: 'GET',
    path: 'ad-log-report/client-program-lookup',
    access: viewLog,
    summary: 'Programs that were played, with the first and last day. Clients find their own.',
    query: programQuery,
    reply: page(reportProgram),
  }),
  markets: endpoint({
    method: 'GET',
    path: 'ad-log-report/client-program-market-lookup',
    access: viewLog,
    summary: 'Markets in which a program was played, with the first and last day.',
    query: marketQuery,
    reply: page(reportMarket),
  }),
  list: endpoint({
    method: 'GET',
    path: 'ad-log-report/run',
    access: viewLog,
    summary: 'The plays of a program, newest first, searched by truck; as a file, all of them.',
    query: listQuery(['startedAt'], { program: uid, ...logFilters, grade: anyOf(popGrade).optional() }).refine(
      inOrder,
      BACKWARDS,
    ),
    reply: page(loggedPlay),
  }),
  summary: endpoint({
    method: 'GET',
    path: 'ad-log-report/summary',
    access: viewLog,
    summary: 'Plays by day, side and truck with their grades, and how many are missing; without a program, of all.',
    added: true,
    query: z.strictObject({ program: uid.optional(), ...logFilters }).refine(inOrder, BACKWARDS),
    reply: one(adLogSummary),
  }),
}
