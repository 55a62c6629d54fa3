import * as z from '../platform/zod.ts'
import { anyOf, day, instant, listQuery, namedRef, NO_EXPORT, one, page, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import {
  counted,
  reportProgram,
  reportMarket,
  days,
  inOrder,
  BACKWARDS,
  programQuery,
  marketQuery,
  PROGRAM_SPAN,
} from './report-parts.ts'

/** The results of one SD address. */
const sdResult = z.strictObject({
  uid,
  label: z.string(),
  address: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  radiusM: z.int(),
  /** Visits of trucks within its radius, by their tracks. */
  approaches: counted,
  /** Approaches in which it was due, as the nearest address, and was not shown. */
  missed: counted,
  /** Plays for the address, and their duration. */
  plays: counted,
  seconds: counted,
  /** The shortest distance of a truck; null without an approach. */
  nearestM: z.number().nullable(),
  /** Trucks with an approach or a play. */
  trucks: counted,
  /** When the first truck came, and when the last one left. */
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
  /** The zone for days and times: that of the market, or of all markets of the program; UTC where these differ. */
  zone: z.string(),
  totals: sdResult
    .pick({ approaches: true, missed: true, plays: true, seconds: true, trucks: true, firstAt: true, lastAt: true })
    .extend({
      addresses: counted,
      /** Addresses with an approach. */
      reached: counted,
    }),
  /** Every address, for the map. */
  places: z.array(sdPlace),
})
export type SdSummary = z.infer<typeof sdSummary>

/** One visit of a truck within the radius of an address. */
const sdApproach = z.strictObject({
  /** Made of shift and time, because an approach has no record of its own. */
  uid: z.string(),
  truck: namedRef,
  shiftUid: uid,
  enteredAt: instant,
  leftAt: instant,
  nearestM: z.number(),
  plays: counted,
  seconds: counted,
  /** The first and the last moment of its plays: the visit with a margin. */
  since: instant,
  until: instant,
  /** Whether the address was due: of addresses close together, the nearest is. */
  isDue: z.boolean(),
  isMissed: z.boolean(),
  /** The thinned track; empty when positions are no longer kept. */
  track: z.array(z.tuple([z.number(), z.number(), instant])),
})
export type SdApproach = z.infer<typeof sdApproach>

/** What the SD addresses of a program came to on some days. */
const rankedProgram = z.strictObject({
  uid,
  name: z.string(),
  client: namedRef,
  /** Plays for its addresses, and their duration. */
  plays: counted,
  seconds: counted,
  approaches: counted,
  /** Addresses with an approach. */
  reached: counted,
  /** Trucks with an approach or a play. */
  trucks: counted,
})
export type RankedProgram = z.infer<typeof rankedProgram>

/** The days of a ranking that names none. */
export const RANKED_DAYS = 30

/** Without a market, all markets of the program count. */
const sdFilters = { program: uid, market: uid.optional(), ...days }

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
  ranking: endpoint({
    method: 'GET',
    path: 'smart-directional-report/ranking',
    follows: [],
    fromReplica: true,
    access: viewSd,
    ownRows: 'hours',
    summary:
      'Ranks programs by their plays for SD addresses, with approaches, addresses reached and trucks. Clients see their own.',
    added: true,
    query: listQuery(['plays', 'seconds', 'approaches', 'reached', 'trucks', 'name'], {
      market: anyOf(uid).optional(),
      client: anyOf(uid).optional(),
      from: day,
      to: day,
    })
      .omit(NO_EXPORT)
      .refine(inOrder, BACKWARDS),
    filledIn: { from: `${RANKED_DAYS} days before the last day`, to: 'today' },
    reply: page(rankedProgram),
  }),
  programs: endpoint({
    method: 'GET',
    path: 'smart-directional-report/client-program-lookup',
    follows: ['programs'],
    fromReplica: true,
    access: viewSd,
    ownRows: 'hours',
    summary: 'Lists programs with approaches to SD addresses, with their first and last day. Clients see their own.',
    query: programQuery,
    reply: page(reportProgram),
  }),
  markets: endpoint({
    method: 'GET',
    path: 'smart-directional-report/client-program-market-lookup',
    follows: ['programs'],
    fromReplica: true,
    access: viewSd,
    ownRows: 'hours',
    summary:
      'Lists markets in which a program has approaches to SD addresses, or any shift took place, with their first and last day.',
    query: marketQuery,
    reply: page(reportMarket),
  }),
  list: endpoint({
    method: 'GET',
    path: 'smart-directional-report/run',
    follows: [],
    fromReplica: true,
    access: viewSd,
    ownRows: 'hours',
    summary:
      'Lists the results of each SD address of a program in a market, or in all of its markets: approaches, plays, missed. Most plays first.',
    query: listQuery(sdSorts, sdFilters).refine(inOrder, BACKWARDS),
    filledIn: PROGRAM_SPAN,
    reply: page(sdResult),
  }),
  summary: endpoint({
    method: 'GET',
    path: 'smart-directional-report/summary',
    follows: [],
    fromReplica: true,
    access: viewSd,
    ownRows: 'hours',
    summary: 'Returns the totals of the SD report, and every address for its map.',
    added: true,
    query: z.strictObject(sdFilters).refine(inOrder, BACKWARDS),
    reply: one(sdSummary),
  }),
  approaches: endpoint({
    method: 'GET',
    path: 'smart-directional-report/approaches',
    follows: [],
    fromReplica: true,
    access: viewSd,
    ownRows: 'hours',
    summary: 'Lists visits to one SD address with their tracks, newest first; searchable by truck.',
    added: true,
    query: listQuery(['enteredAt'], { ...sdFilters, address: uid })
      .omit({ format: true })
      .refine(inOrder, BACKWARDS),
    reply: page(sdApproach),
  }),
}
