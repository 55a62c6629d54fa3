import * as z from '../platform/zod.ts'
import { instant, requiredLine, textLine } from '../platform/common.ts'
import { latitude, longitude, radius } from '../platform/geo.ts'
import { clock } from './clock.ts'
import { isInsideShift } from './stop-time.ts'
import { stopStates } from './stop-words.ts'

export { type StopState, stopStateLabel } from './stop-words.ts'

/** The most stops of a shift. */
export const MAX_STOPS = 12
/** A stadium with its parking lots. */
export const DEFAULT_STOP_RADIUS_M = 402

/** A place that the truck of a shift should be at within a window of time. */
export const plannedStop = z.strictObject({
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  /** Within this distance of the place, the truck is there. */
  radiusM: z.int(),
  /** The window, by the clocks of the market and inside the hours of the shift. */
  from: clock,
  to: clock,
  /** How long the truck should stay; null: any visit counts. */
  minMinutes: z.int().nullable(),
  /** For the driver. */
  note: z.string(),
})
export type PlannedStop = z.infer<typeof plannedStop>

const minutes = { error: 'Must be whole minutes from 1 to 720.' }

const stopInput = z.strictObject({
  name: requiredLine(80),
  latitude,
  longitude,
  radiusM: radius(50, 8047),
  from: clock,
  to: clock,
  minMinutes: z.int(minutes).min(1, minutes).max(720, minutes).nullable().prefault(null),
  note: textLine(300).prefault(''),
})

/** The stops of a shift in the order of the plan. */
export const stopList = z.array(stopInput).max(MAX_STOPS, `At most ${MAX_STOPS} planned stops.`)

interface HoursWithStops {
  start: string
  end: string
  stops?: PlannedStop[] | undefined
}

export const OUTSIDE_SHIFT = 'Must lie inside the hours of the shift, and end after it begins.'

/** Refuses windows outside of the shift. */
export const withStopsInside = <T extends z.ZodType<HoursWithStops>>(input: T) =>
  input.superRefine(({ start, end, stops = [] }, context) => {
    for (const [index, stop] of stops.entries()) {
      if (isInsideShift({ start, end }, stop)) continue
      context.addIssue({ code: 'custom', path: ['stops', index, 'to'], message: OUTSIDE_SHIFT })
    }
  })

/** A planned stop with what the track of the truck says about it. */
export const stopVisit = plannedStop.extend({
  /** The window as instants. */
  opensAt: instant,
  closesAt: instant,
  /** Null for a shift that does not take place. */
  state: z.enum(stopStates).nullable(),
  /** When the truck came, and when it was there last; null while it is there. */
  arrivedAt: instant.nullable(),
  leftAt: instant.nullable(),
  /** The time that the truck was there; null without a visit. */
  dwellMinutes: z.int().nullable(),
  /** Whether the truck was there, within the window, for less than the plan asks for. */
  isShort: z.boolean(),
})
export type StopVisit = z.infer<typeof stopVisit>
