import * as z from '../platform/zod.ts'
import { instant, one, requiredLine, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { pathNumber } from '../platform/path-number.ts'
import { editSettings } from '../catalog/settings-access.ts'
import { truckSides } from '../catalog/pixel-maps.ts'
import { popImpressions } from './pop-document.ts'

/** From the least to the most traffic. A step of a track is given one of them by its speed. */
export const roadClasses = ['other', 'principalArterial', 'interstate'] as const
export type RoadClass = (typeof roadClasses)[number]
export const roadClassLabel: Record<RoadClass, string> = {
  other: 'Other roads',
  principalArterial: 'Principal arterials',
  interstate: 'Interstates',
}

const between = (min: number, max: number) => {
  const message = `Must be a number from ${min} to ${max}.`
  return z.number(message).min(min, message).max(max, message)
}
const share = between(0, 1)
const dailyVehicles = between(0, 1_000_000)
const yesOrNo = z.boolean('Must be true or false.')
const source = requiredLine(300)

/** Daily traffic by road class, for the shifts of one market or of all others. */
const impressionArea = z.strictObject({
  name: requiredLine(120),
  /** Null: every market that has no area of its own. */
  marketUid: uid.nullable(),
  dailyVehicles: z.strictObject({ interstate: dailyVehicles, principalArterial: dailyVehicles, other: dailyVehicles }),
})
export type ImpressionArea = z.infer<typeof impressionArea>

/** The parts of the traffic in both directions that look at a side of the truck. */
const sideWeights = z.strictObject({ opposite: share, same: share })

const HOURS_OF_DAY = 24
// Shares are typed with two digits in percent.
const ROUNDING = 0.0005

/** Everything that the method multiplies. Each table names its source, and says where it is an assumption. */
export const impressionInputs = z
  .strictObject({
    areas: z.array(impressionArea).min(1, 'Add at least one area.').max(100, 'At most 100 areas.'),
    /** The part of a day's traffic that falls into each hour by local time, from midnight on, and whether it is dark. */
    hours: z.array(z.strictObject({ share, isNight: yesOrNo })).length(HOURS_OF_DAY, 'Must be 24 hours.'),
    /** A step is at least this fast on an interstate, and on a principal arterial. */
    speeds: z.strictObject({ interstateFromMph: between(1, 100), principalArterialFromMph: between(1, 100) }),
    sides: z.strictObject({ driverSide: sideWeights, passengerSide: sideWeights, rear: sideWeights }),
    /** People in a vehicle. */
    occupancy: between(1, 10),
    /** Whether trucks of a kind are lit, so that their nights count. */
    isLit: z.strictObject({ led: yesOrNo, printed: yesOrNo }),
    sources: z.strictObject({
      areas: source,
      hours: source,
      speeds: source,
      sides: source,
      occupancy: source,
      isLit: source,
    }),
  })
  .superRefine(({ areas, hours, speeds, sides }, context) => {
    const refuse = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message })
    if (areas.filter(({ marketUid }) => marketUid === null).length !== 1)
      refuse(['areas'], 'Exactly one area must be for every other market.')
    if (new Set(areas.map(({ marketUid }) => marketUid)).size < areas.length)
      refuse(['areas'], 'Each market can have one area.')
    const day = hours.reduce((sum, hour) => sum + hour.share, 0)
    if (Math.abs(day - 1) > ROUNDING) refuse(['hours'], `The hours must add up to 100%, not ${percentText(day)}.`)
    if (speeds.principalArterialFromMph >= speeds.interstateFromMph)
      refuse(['speeds', 'interstateFromMph'], 'Must be faster than a principal arterial.')
    for (const direction of ['opposite', 'same'] as const) {
      const all = truckSides.reduce((sum, side) => sum + sides[side][direction], 0)
      if (all > 1 + ROUNDING) refuse(['sides'], `The sides must add up to at most 100% of the ${direction} direction.`)
    }
  })
export type ImpressionInputs = z.infer<typeof impressionInputs>

/** A share as people read it: `6.25%`. */
export const percentText = (part: number): string => `${Math.round(part * 10_000) / 100}%`

/** A piece of road with its own daily count. Places in the order of GeoJSON: longitude first. */
const trafficSegment = z.strictObject({
  name: z.string(),
  dailyVehicles,
  line: z.array(z.tuple([z.number(), z.number()])),
})
export type TrafficSegment = z.infer<typeof trafficSegment>

/** A version of the method as it is stored, hashed and downloaded. It never changes. */
export const impressionMethod = z.strictObject({
  version: z.int(),
  note: z.string(),
  inputs: impressionInputs,
  traffic: z.array(trafficSegment),
})
export type ImpressionMethod = z.infer<typeof impressionMethod>

const methodSummary = z.strictObject({
  version: z.int(),
  note: z.string(),
  sha256: z.string(),
  /** Pieces of road with their own counts. */
  segments: z.int(),
  createdAt: instant,
  /** Null for the version that comes with the product. */
  createdBy: z.string().nullable(),
})
export type ImpressionMethodSummary = z.infer<typeof methodSummary>

export const TRAFFIC_FILE_BYTES = 8_000_000
const MOST_BYTES = 'Must not be larger than 8 MB.'

export const impressionMethodInput = z.strictObject({
  /** The newest version, on which this one is based. */
  basedOn: z.int32('Must be a whole number.').min(1, 'Must be at least 1.'),
  note: requiredLine(300),
  inputs: impressionInputs,
  /** The pieces of road with their own counts: those of the version before, none, or those of a GeoJSON file. */
  traffic: z.enum(['keep', 'none', 'replace'], 'Choose keep, none or replace.'),
  /** The text of the file; empty unless it replaces. */
  trafficFile: z.string('Must be text.').max(TRAFFIC_FILE_BYTES, MOST_BYTES).prefault(''),
})

/** What the track of a shift amounts to. Times in seconds. */
export const shiftImpressions = z.strictObject({
  ...popImpressions.pick({ low: true, likely: true, high: true }).shape,
  /** Driven time that counts. */
  countedSeconds: z.int(),
  /** Time that does not: parked over two minutes, and at night on a truck that is not lit. */
  parkedSeconds: z.int(),
  unlitSeconds: z.int(),
  /** An LED truck without a single play: the shift earned nothing. */
  isWithoutPlays: z.boolean(),
  method: z.int(),
  computedAt: instant,
})
export type ShiftImpressions = z.infer<typeof shiftImpressions>

const viewMethods = { module: 'users', needs: 'view' } as const
// Figures are for staff and clients.
const viewFigures = { module: 'pop', needs: 'view', except: ['driver'] } as const
const ofOne = z.strictObject({ uid })

export const impressions = {
  methods: endpoint({
    method: 'GET',
    path: 'impressions/methods',
    access: viewMethods,
    summary: 'Lists the versions of the method for estimated impressions, newest first, with the inputs of the newest.',
    follows: ['impressions'],
    added: true,
    reply: one(z.strictObject({ isOn: z.boolean(), versions: z.array(methodSummary), inputs: impressionInputs })),
  }),
  addMethod: endpoint({
    method: 'POST',
    path: 'impressions/methods',
    access: editSettings,
    keys: false,
    summary: 'Adds a version of the method. Earlier versions never change. An old base answers 409.',
    added: true,
    body: impressionMethodInput,
    // The file travels as text within JSON, where quotes take two characters.
    maxBytes: 2 * TRAFFIC_FILE_BYTES,
    reply: one(methodSummary),
  }),
  methodFile: endpoint({
    method: 'GET',
    path: 'impressions/methods/{version}/{format}',
    access: viewFigures,
    ownRows: 'shared',
    summary:
      'Returns a version of the method as a file: all inputs (json), whose SHA-256 is its hash, or its tables (csv).',
    added: true,
    params: z.strictObject({ version: pathNumber, format: z.enum(['json', 'csv'], 'Must be json or csv.') }),
    // The reply is a file, not JSON.
    reply: z.unknown(),
  }),
  shift: endpoint({
    method: 'GET',
    path: 'impressions/shifts/{uid}',
    access: { module: ['schedule', 'clients', 'pop'], needs: 'view', except: ['driver'] },
    ownRows: 'records',
    summary: 'Returns the estimated impressions of a shift; null without an estimate, and where they are turned off.',
    follows: ['impressions'],
    added: true,
    params: ofOne,
    reply: one(z.strictObject({ isOn: z.boolean(), impressions: shiftImpressions.nullable() })),
  }),
  program: endpoint({
    method: 'GET',
    path: 'impressions/programs/{uid}',
    access: viewFigures,
    ownRows: 'records',
    summary: 'Returns the estimated impressions of a program up to now, in total and by market; null where turned off.',
    follows: ['impressions', 'pops'],
    added: true,
    params: ofOne,
    reply: one(
      z
        .strictObject({
          total: popImpressions,
          markets: z.array(popImpressions.extend({ marketUid: uid, market: z.string() })),
        })
        .nullable(),
    ),
  }),
}
