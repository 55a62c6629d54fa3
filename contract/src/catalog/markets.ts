import * as z from '../platform/zod.ts'
import { day, instant, textLine, listQuery, one, page, requiredLine, uid, version } from '../platform/common.ts'
import { dependentsEndpoint, removeEndpoint, restoreEndpoint } from '../platform/deletion.ts'
import { endpoint } from '../platform/endpoint.ts'
import { isInsideOutline, latitude, longitude, metersBetween, metersToBorder, radius } from '../platform/geo.ts'
import type { Point } from '../platform/geo.ts'
import { historyEndpoint } from '../platform/history.ts'

/** A yard where trucks stand at night: the ends of a route near it are left out of public pages. */
const depot = z.strictObject({ name: requiredLine(80), latitude, longitude, radiusM: radius(50, 10_000) })
export type Depot = z.infer<typeof depot>

const corner = z.tuple([longitude, latitude])
const outline = z
  .array(corner, 'Draw an area of at least three corners.')
  .min(3, 'An area has at least three corners.')
  .max(500, 'At most 500 corners.')

const area = {
  latitude: latitude.nullable().prefault(null),
  longitude: longitude.nullable().prefault(null),
  radiusM: radius(1_000, 500_000).nullable().prefault(null),
  /** Goes before center and radius. */
  outline: outline.nullable().prefault(null),
}

// Intl knows every zone that a clock can be set to; the list of canonical names leaves out UTC and old spellings.
export function isZone(name: string): boolean {
  try {
    return name.includes('/') && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Time zones that a market had, each with the day from which the next one holds, in the order of these days. */
export const earlierZones = z.array(z.strictObject({ zone: z.string(), until: day }))

/** A metro area in which programs run. Its zone is the zone of every time shown for it. */
export const market = z.strictObject({
  uid,
  name: requiredLine(80),
  /** Two letters, such as TX. */
  state: textLine(2),
  /** IANA zone, such as America/Chicago; the newest one, which may hold only from a later day on. */
  zone: z.string(),
  earlierZones,
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  radiusM: z.int().nullable(),
  outline: z.array(corner).nullable(),
  /** Empty for clients. */
  depots: z.array(depot),
  updatedAt: instant,
  version,
})
export type Market = z.infer<typeof market>

/** A time zone, the day from which it holds and the day from which the next one does. */
export interface ZoneSpan {
  zone: string
  from: string | undefined
  until: string | undefined
}

/** The time zones that a market had and has, in order. */
export const zoneSpans = ({ zone, earlierZones }: Pick<Market, 'zone' | 'earlierZones'>): ZoneSpan[] =>
  [...earlierZones, { zone, until: undefined }].map((span, index) => ({
    ...span,
    from: earlierZones[index - 1]?.until,
  }))

/** The time zone of a market on a day. */
export const zoneOn = (market: Pick<Market, 'zone' | 'earlierZones'>, on: string): string =>
  market.earlierZones.find(({ until }) => on < until)?.zone ?? market.zone

const marketZone = textLine(60).refine(isZone, 'Choose a time zone such as America/Chicago.')

export const marketInput = z
  .strictObject({
    name: requiredLine(80),
    state: textLine(2)
      .toUpperCase()
      .regex(/^([A-Z]{2})?$/, 'Two letters, such as TX.')
      .prefault(''),
    zone: marketZone,
    ...area,
    depots: z.array(depot).max(50, 'At most 50 depots.').prefault([]),
  })
  // Half a center would be no place at all.
  .refine(
    ({ latitude: north, longitude: east, radiusM }) =>
      new Set([north, east, radiusM].map((part) => part === null)).size === 1,
    {
      path: ['radiusM'],
      error: 'Give latitude, longitude and radius, or none of them.',
    },
  )
export type MarketInput = z.input<typeof marketInput>

/** The fields of a market that define its area. */
export type MarketArea = Pick<Market, 'latitude' | 'longitude' | 'radiusM' | 'outline'>

/** Whether a place lies in a market: by its outline where one is drawn, else by its circle. Undefined without either. */
export function isInsideMarket(
  { latitude: north, longitude: east, radiusM, outline: drawn }: MarketArea,
  place: Point,
) {
  if (drawn) return isInsideOutline(drawn, place)
  if (north === null || east === null || radiusM === null) return undefined
  return metersBetween({ latitude: north, longitude: east }, place) <= radiusM
}

/** The distance of a place from the market's border. It is 0 inside the market and for a market without an area. */
export function metersOutside(area: MarketArea, place: Point): number {
  if (isInsideMarket(area, place) !== false) return 0
  const { latitude: north, longitude: east, radiusM, outline: drawn } = area
  if (drawn) return metersToBorder(drawn, place)
  return metersBetween({ latitude: north ?? 0, longitude: east ?? 0 }, place) - (radiusM ?? 0)
}

const view = { module: ['clients', 'schedule', 'trucks', 'programByClient'], needs: 'view' } as const
// Sales keep markets through the module clients; with trucks alone they only look.
const edit = { module: ['clients', 'trucks'], needs: 'edit' } as const

/** What another time zone does to the shifts of a market. */
export const zoneChange = z.strictObject({
  /** The first day from which it can hold: past shifts keep their times. */
  earliest: day,
  from: day,
  /** The zone that the market has until then. */
  before: z.string(),
  /** Planned shifts from that day on: they keep the times that clocks show. */
  shifts: z.int(),
  /** Why it cannot be changed so. */
  problem: z.string().nullable(),
})
export type ZoneChange = z.infer<typeof zoneChange>

export const markets = {
  list: endpoint({
    method: 'GET',
    path: 'markets/run',
    access: view,
    ownRows: 'shared',
    summary: 'Markets by name: the lookup of every form that asks for one.',
    follows: ['markets'],
    added: true,
    query: listQuery(['name', 'state'], {}),
    reply: page(market),
  }),
  get: endpoint({
    method: 'GET',
    path: 'markets/{uid}',
    access: view,
    ownRows: 'shared',
    summary: 'One market, as its drawer opens it.',
    follows: ['markets'],
    added: true,
    params: z.strictObject({ uid }),
    reply: one(market),
  }),
  create: endpoint({
    method: 'POST',
    path: 'markets/',
    access: edit,
    summary: 'Adds a market.',
    added: true,
    body: marketInput,
    reply: one(market),
  }),
  update: endpoint({
    method: 'PUT',
    path: 'markets/',
    access: edit,
    summary:
      'Changes a market. An old version answers 409. The time zone of a market with shifts is changed by a call of its own.',
    added: true,
    body: marketInput.safeExtend({ uid, version }),
    reply: one(market),
  }),
  remove: removeEndpoint({
    path: 'markets',
    access: edit,
    added: true,
    summary: 'Deletes a market. Trucks and programs that still need it answer 409, named.',
  }),
  dependents: dependentsEndpoint({ path: 'markets', access: edit }),
  restore: restoreEndpoint({ path: 'markets', access: edit }),
  zone: endpoint({
    method: 'GET',
    path: 'markets/zone',
    access: edit,
    summary: 'The time zone at a place, as a proposal for a market.',
    added: true,
    query: z.strictObject({
      latitude: z.coerce.number('Must be a number.').pipe(latitude),
      longitude: z.coerce.number('Must be a number.').pipe(longitude),
    }),
    reply: one(z.strictObject({ zone: z.string() })),
  }),
  zoneChange: endpoint({
    method: 'GET',
    path: 'markets/{uid}/zone',
    access: edit,
    summary: 'What another time zone from a day on changes; without a day, from the earliest one possible.',
    follows: ['markets', 'shifts'],
    added: true,
    params: z.strictObject({ uid }),
    query: z.strictObject({ zone: marketZone, from: day.optional() }),
    reply: one(zoneChange),
  }),
  changeZone: endpoint({
    method: 'PUT',
    path: 'markets/{uid}/zone',
    access: edit,
    summary:
      'Changes the time zone of a market from a day on. Past shifts keep theirs; planned ones from that day on keep the times that clocks show.',
    added: true,
    params: z.strictObject({ uid }),
    body: z.strictObject({ version, zone: marketZone, from: day }),
    reply: one(market),
  }),
  history: historyEndpoint('markets', view, { ownRows: 'shared' }),
}
