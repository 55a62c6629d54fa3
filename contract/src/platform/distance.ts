// How distances are written. This file has no schemas, so that a page can use it without loading zod.
import { METERS_PER_MILE } from './constants.ts'
import { oneDigit, upToOneDigit, upToTwoDigits, wholeNumber } from './figures.ts'

/** Distances are stored in meters and shown in miles. */
export const toMiles = (meters: number): number => meters / METERS_PER_MILE
export const toMeters = (miles: number): number => Math.round(miles * METERS_PER_MILE)

/** Measured miles without their unit: one decimal below 100, none above. */
export const mileFigure = (miles: number): string => (miles < 99.95 ? oneDigit : wholeNumber)(miles)

/** Miles that a person set, without their unit: `50`, and like measured ones otherwise. */
export const setMileFigure = (miles: number): string => (miles < 99.95 ? upToOneDigit : wholeNumber)(miles)

/** A distance in miles without their unit, for tables whose heading names it. */
export const formatMileCount = (meters: number): string => mileFigure(toMiles(meters))
/** Miles as people read them: `69.4 mi`, `1,204 mi`. */
export const formatMiles = (meters: number): string => (meters === 0 ? '0 mi' : `${formatMileCount(meters)} mi`)

export const METERS_PER_FOOT = 0.3048
/** A distance as people read it: in miles, below a tenth of one in feet. */
export const formatDistance = (meters: number): string =>
  toMiles(meters) < 0.1 ? `${Math.round(meters / METERS_PER_FOOT)} ft` : formatMiles(meters)

/** A distance that a person set: `328 ft`, as it was typed below 10 miles, `0.25 mi`, and then as any other, `37.3 mi`. */
export function formatRadius(meters: number): string {
  const miles = toMiles(meters)
  if (meters > 0 && miles < 0.1) return formatDistance(meters)
  return `${miles < 9.995 ? upToTwoDigits(miles) : setMileFigure(miles)} mi`
}

/**
 * The sum of distances as people add up what they read: each rounded as it is shown, on screens to a tenth of a mile and
 * in files to a hundredth. Null where none is known.
 */
export function sumOfShownMiles(distances: readonly (number | null)[], partsOfMile: 10 | 100 = 10): number | null {
  const known = distances.filter((meters) => meters !== null)
  const parts = known.map((meters) => Math.round(toMiles(meters) * partsOfMile))
  return known.length === 0 ? null : parts.reduce((sum, each) => sum + each, 0) / partsOfMile
}
