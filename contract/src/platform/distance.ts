// How distances are written. This file has no schemas, so that a page can use it without loading zod.
import { METERS_PER_MILE } from './constants.ts'

/** Distances are stored in meters and shown in miles. */
export const toMiles = (meters: number): number => meters / METERS_PER_MILE
export const toMeters = (miles: number): number => Math.round(miles * METERS_PER_MILE)

// Two digits are precise to half a city block.
const mileDigits = { maximumFractionDigits: 2 }
export const formatMiles = (meters: number): string => `${toMiles(meters).toLocaleString('en-US', mileDigits)} mi`

export const METERS_PER_FOOT = 0.3048
/** A distance as people read it: in miles, below a tenth of one in feet. */
export const formatDistance = (meters: number): string =>
  toMiles(meters) < 0.1 ? `${Math.round(meters / METERS_PER_FOOT)} ft` : formatMiles(meters)

/**
 * The sum of distances as people add up what they read: each rounded to a hundredth of a mile, as it is shown. Null
 * where none is known.
 */
export function sumOfShownMiles(distances: readonly (number | null)[]): number | null {
  const known = distances.filter((meters) => meters !== null)
  const hundredths = known.map((meters) => Math.round(toMiles(meters) * 100))
  return known.length === 0 ? null : hundredths.reduce((sum, each) => sum + each, 0) / 100
}
