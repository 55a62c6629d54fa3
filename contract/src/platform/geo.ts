import { toMiles } from './distance.ts'
import { upToTwoDigits } from './figures.ts'
import * as z from './zod.ts'

export * from './distance.ts'

/** A place on the earth, in degrees. */
export interface Point {
  latitude: number
  longitude: number
}

/** A place that a GPS receiver reported, with its moment in milliseconds since 1970. */
export interface GpsFix extends Point {
  at: number
}

/** A fix of a track, with the speed that the receiver reported. */
export interface TrackPoint extends GpsFix {
  speedKmh: number | null
}

const between = (min: number, max: number) => {
  const message = `Must be a number from ${min} to ${max}.`
  return z.number(message).min(min, message).max(max, message)
}

export const latitude = between(-90, 90)
export const longitude = between(-180, 180)

// Forms take miles, so that even a short limit is one.
const typedMiles = (meters: number) => `${upToTwoDigits(toMiles(meters))} mi`

/** A radius in whole meters. Its limits are shown in miles. */
export const radius = (min: number, max: number) => {
  // Worded when it is needed: formatting the first number takes a browser longer than all of a page's schemas.
  const error = () => `Must be from ${typedMiles(min)} to ${typedMiles(max)}.`
  return z.int({ error }).min(min, { error }).max(max, { error })
}

const EARTH_RADIUS_M = 6_371_008.8
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** The distance between two places along the earth's surface (haversine). */
export function metersBetween(one: Point, other: Point): number {
  const halfLatitude = radians(other.latitude - one.latitude) / 2
  const halfLongitude = radians(other.longitude - one.longitude) / 2
  const share =
    Math.sin(halfLatitude) ** 2 +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * Math.sin(halfLongitude) ** 2
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(share)))
}

/** Corners of an area in the order of GeoJSON: longitude first. The last corner is connected to the first. */
export type Outline = readonly (readonly [longitude: number, latitude: number])[]

/** Whether a place is in an area: a ray to the east crosses the border an odd number of times. */
export function isInsideOutline(outline: Outline, { latitude: y, longitude: x }: Point): boolean {
  let inside = false
  outline.forEach(([x1, y1], index) => {
    const [x2, y2] = outline.at(index - 1) ?? [x1, y1]
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside
  })
  return inside
}

/** The distance of a place from the border of an area, on a flat projection: correct to 0.1 % over a metro area. */
export function metersToBorder(outline: Outline, place: Point): number {
  const eastM = Math.cos(radians(place.latitude)) * radians(1) * EARTH_RADIUS_M
  const northM = radians(1) * EARTH_RADIUS_M
  const flat = outline.map(([x, y]) => [(x - place.longitude) * eastM, (y - place.latitude) * northM] as const)
  const distances = flat.map(([x1, y1], index) => {
    const [x2, y2] = flat.at(index - 1) ?? [x1, y1]
    const [dx, dy] = [x2 - x1, y2 - y1]
    const length = dx * dx + dy * dy
    const along = length === 0 ? 0 : Math.max(0, Math.min(1, -(x1 * dx + y1 * dy) / length))
    return Math.hypot(x1 + along * dx, y1 + along * dy)
  })
  return Math.min(...distances)
}
