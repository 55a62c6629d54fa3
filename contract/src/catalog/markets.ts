import * as z from '../platform/zod.ts'
import { instant, textLine, listQuery, one, page, requiredLine, uid, version } from '../platform/common.ts'
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
function isZone(name: string): boolean {
  try {
    return name.includes('/') && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** A metro area in which programs run. Its zone is the zone of every time shown for it. */
export const market = z.strictObject({
  uid,
  name: requiredLine(80),
  /** Two letters, such as TX. */
  state: textLine(2),
  /** IANA zone, such as America/Chicago. */
  zone: z.string(),
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

export const marketInput = z
  .strictObject({
    name: requiredLine(80),
    state: textLine(2)
      .toUpperCase()
      .regex(/^([A-Z]{2})?$/, 'Two letters, such as TX.')
      .prefault(''),
    zone: textLine(60).refine(isZone, 'Choose a time zone such as America/Chicago.'),
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
    summary: 'Changes a market. An old version answers 409.',
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
  history: historyEndpoint('markets', view, 'shared'),
}
