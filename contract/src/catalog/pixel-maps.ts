import * as z from '../platform/zod.ts'
import { anyOf, instant, listQuery, one, page, paragraph, requiredLine, uid, version } from '../platform/common.ts'
import { dependentsEndpoint, removeEndpoint, restoreEndpoint } from '../platform/deletion.ts'
import { endpoint } from '../platform/endpoint.ts'
import { historyEndpoint } from '../platform/history.ts'

export const MAX_CANVAS = 32_768
// The database keeps the pitch in micrometers.
export const UM_PER_MM = 1000
const MIN_PITCH_UM = 100
const MAX_PITCH_UM = 100_000

export const truckSides = ['driverSide', 'passengerSide', 'rear'] as const
export type TruckSide = (typeof truckSides)[number]
export const truckSideLabel: Record<TruckSide, string> = {
  driverSide: 'Driver side',
  passengerSide: 'Passenger side',
  rear: 'Rear',
}

const pixels = (min: number, max: number) => {
  const message = `Must be a whole number of pixels from ${min} to ${max}.`
  return z.int(message).min(min, message).max(max, message)
}
const length = pixels(1, MAX_CANVAS)
const offset = pixels(0, MAX_CANVAS - 1)

/** A rectangle of the canvas, in pixels from its top left corner. */
export const pixelRectangle = z.strictObject({ x: offset, y: offset, width: length, height: length }, 'Required.')
export type PixelRectangle = z.infer<typeof pixelRectangle>

const pixelSides = z.strictObject(
  { driverSide: pixelRectangle, passengerSide: pixelRectangle, rear: pixelRectangle },
  'Required.',
)
export type PixelSides = z.infer<typeof pixelSides>

export const pixelMap = z.strictObject({
  uid,
  name: z.string(),
  /** Size of the player's output. */
  width: z.int(),
  height: z.int(),
  /** Distance between the centers of two pixels, in micrometers. */
  pitchUm: z.int(),
  sides: pixelSides,
  note: z.string(),
  /** How many trucks have it, without retired ones: the same trucks that artwork is checked against. */
  trucks: z.int(),
  retiredTrucks: z.int(),
  createdAt: instant,
  updatedAt: instant,
  version,
})
export type PixelMap = z.infer<typeof pixelMap>

export interface Canvas {
  width: number
  height: number
}

// The schema checks that offsets and lengths are not negative.
const isInside = (canvas: Canvas, { x, y, width, height }: PixelRectangle) =>
  x + width <= canvas.width && y + height <= canvas.height

const overlap = (a: PixelRectangle, b: PixelRectangle) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** What is wrong with where each side lies: beyond the canvas, or over another side. The database checks the same. */
export function sideProblems(canvas: Canvas, sides: PixelSides): Partial<Record<TruckSide, string>> {
  const problems: Partial<Record<TruckSide, string>> = {}
  for (const [index, side] of truckSides.entries()) {
    if (!isInside(canvas, sides[side])) {
      problems[side] = `The ${name(side)} reaches beyond the canvas of ${canvas.width} × ${canvas.height}.`
      continue
    }
    const other = truckSides.slice(0, index).find((before) => overlap(sides[before], sides[side]))
    if (other) problems[side] = `The ${name(side)} overlaps the ${name(other)}.`
  }
  return problems
}

const name = (side: TruckSide) => truckSideLabel[side].toLowerCase()

const pitchMessage = `Must be from ${MIN_PITCH_UM / UM_PER_MM} to ${MAX_PITCH_UM / UM_PER_MM} mm, to the thousandth.`

export const pixelMapInput = z
  .strictObject({
    name: requiredLine(80),
    width: length,
    height: length,
    pitchUm: z.int(pitchMessage).min(MIN_PITCH_UM, pitchMessage).max(MAX_PITCH_UM, pitchMessage),
    sides: pixelSides,
    note: paragraph(2000).prefault(''),
  })
  .superRefine((given, context) => {
    for (const [side, message] of Object.entries(sideProblems(given, given.sides))) {
      context.addIssue({ code: 'custom', path: ['sides', side], message })
    }
  })
export type PixelMapInput = z.input<typeof pixelMapInput>

const read = 'signedIn'
const change = { role: 'admin' } as const

export const pixel = {
  list: endpoint({
    method: 'GET',
    path: 'pixel/',
    access: read,
    ownRows: 'shared',
    summary: 'Pixel maps, searched in name and note.',
    follows: ['pixelMaps', 'trucks'],
    query: listQuery(['name', 'updatedAt'], { uid: anyOf(uid).optional() }),
    reply: page(pixelMap),
  }),
  get: endpoint({
    method: 'GET',
    path: 'pixel/{uid}',
    access: read,
    ownRows: 'shared',
    summary: 'One pixel map, as its drawer opens it from a link.',
    follows: ['pixelMaps'],
    added: true,
    params: z.strictObject({ uid }),
    reply: one(pixelMap),
  }),
  create: endpoint({
    method: 'POST',
    path: 'pixel/',
    access: change,
    summary: 'Adds a pixel map. Its sides lie inside the canvas and do not overlap.',
    body: pixelMapInput,
    reply: one(pixelMap),
  }),
  update: endpoint({
    method: 'PUT',
    path: 'pixel/',
    access: change,
    summary: 'Changes a pixel map. An old version answers 409.',
    body: pixelMapInput.safeExtend({ uid, version }),
    reply: one(pixelMap),
  }),
  remove: removeEndpoint({
    path: 'pixel',
    access: change,
    added: true,
    summary: 'Deletes a pixel map. While trucks use it, it answers 409 and names them.',
  }),
  dependents: dependentsEndpoint({ path: 'pixel', access: change }),
  restore: restoreEndpoint({ path: 'pixel', access: change }),
  // Not everyone who may read a map may see who changed it and from where.
  history: historyEndpoint('pixel', change),
}
