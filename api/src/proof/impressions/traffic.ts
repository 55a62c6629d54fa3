import { metersBetween, metersToBorder, type Point, type TrafficSegment } from '@roadshow/contract'

const MOST_SEGMENTS = 5000
const MOST_PLACES = 50_000
const MOST_DAILY = 1_000_000
const LONGEST_LEG_M = 16_094
const NAME_LENGTH = 120

/** The names under which counts are published. */
const COUNT_NAMES = ['dailyVehicles', 'daily_vehicles', 'aadt', 'AADT', 'count']
const NAME_NAMES = ['name', 'NAME', 'road', 'ROUTE']

/** A sentence about the first thing that is wrong with a file. */
class Refusal extends Error {}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The counted roads of a GeoJSON file, or a sentence that says what is wrong with it. */
export function parseTraffic(text: string): TrafficSegment[] | string {
  try {
    return segmentsOf(text)
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

function segmentsOf(text: string): TrafficSegment[] {
  const given = readJson(text)
  const features = isObject(given) && given['type'] === 'FeatureCollection' ? given['features'] : undefined
  if (!Array.isArray(features)) throw new Refusal('Must be a GeoJSON file with a FeatureCollection.')
  if (features.length === 0) throw new Refusal('The file has no roads.')
  const segments = features.flatMap((feature: unknown, index) => segmentsOfFeature(feature, `Feature ${index + 1}`))
  if (segments.length > MOST_SEGMENTS) throw new Refusal('At most 5,000 lines.')
  if (segments.reduce((sum, { line }) => sum + line.length, 0) > MOST_PLACES)
    throw new Refusal('At most 50,000 points in all lines. Simplify the lines first.')
  return segments
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('The file is not JSON.')
  }
}

function segmentsOfFeature(feature: unknown, which: string): TrafficSegment[] {
  const { geometry, properties } = isObject(feature) ? feature : {}
  if (!isObject(geometry)) throw new Refusal(`${which} has no line.`)
  const { type, coordinates } = geometry
  const lines = type === 'LineString' ? [coordinates] : type === 'MultiLineString' ? coordinates : undefined
  if (!Array.isArray(lines)) throw new Refusal(`${which} must be a LineString or a MultiLineString.`)
  const known = isObject(properties) ? properties : {}
  const dailyVehicles = countOf(known, which)
  const name = NAME_NAMES.map((key) => known[key]).find((value) => typeof value === 'string') ?? ''
  return lines.map((line: unknown) => ({
    name: printable(name).slice(0, NAME_LENGTH),
    dailyVehicles,
    line: lineOf(line, which),
  }))
}

// PostgreSQL cannot store some of these.
// oxlint-disable-next-line no-control-regex
const printable = (text: string) => text.replace(/[\u0000-\u001f\u007f\ud800-\udfff]/gu, ' ').trim()

function countOf(properties: Record<string, unknown>, which: string): number {
  const given = COUNT_NAMES.map((key) => properties[key]).find((value) => value !== undefined && value !== null)
  if (given === undefined) throw new Refusal(`${which} has no daily count. Name it dailyVehicles or aadt.`)
  const count = typeof given === 'number' || (typeof given === 'string' && given.trim()) ? Number(given) : NaN
  if (!(count >= 0 && count <= MOST_DAILY))
    throw new Refusal(`${which} has a daily count that is not a number from 0 to 1,000,000.`)
  return Math.round(count)
}

function lineOf(line: unknown, which: string): TrafficSegment['line'] {
  if (!Array.isArray(line) || line.length < 2) throw new Refusal(`${which} has a line without two points.`)
  const places = line.map((place: unknown) => placeOf(place, which))
  places.slice(1).forEach((place, index) => {
    if (metersBetween(toPoint(places[index] ?? place), toPoint(place)) > LONGEST_LEG_M)
      throw new Refusal(`${which} has two neighboring points more than 10 miles apart.`)
  })
  return places
}

type Place = TrafficSegment['line'][number]

const toPoint = ([longitude, latitude]: Place): Point => ({ latitude, longitude })

// Five digits are precise to about three feet.
const rounded = (degrees: number) => Math.round(degrees * 100_000) / 100_000

function placeOf(place: unknown, which: string): Place {
  const [longitude, latitude] = Array.isArray(place) ? (place as unknown[]) : []
  if (typeof longitude !== 'number' || typeof latitude !== 'number')
    throw new Refusal(`${which} has a point without longitude and latitude.`)
  if (!(Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90))
    throw new Refusal(`${which} has a point outside the earth. Points must be longitude and latitude in degrees.`)
  return [rounded(longitude), rounded(latitude)]
}

const NEAR_M = 30
// A cell is wider than the reach at any latitude with roads, so the cells around a place hold all roads near it.
const CELL = 0.01

const cellKey = (x: number, y: number) => `${x} ${y}`
const cellOf = (degrees: number) => Math.floor(degrees / CELL)

interface Leg {
  line: [Place, Place]
  dailyVehicles: number
}

/** Finds the daily count of the nearest counted road within 100 feet of a place. */
export function trafficIndex(segments: readonly TrafficSegment[]): (place: Point) => number | undefined {
  const cells = new Map<string, Set<Leg>>()
  for (const { line, dailyVehicles } of segments) {
    line.slice(1).forEach((end, index) => addLeg(cells, { line: [line[index] ?? end, end], dailyVehicles }))
  }
  return (place) => nearestCount(legsAround(cells, place), place)
}

function addLeg(cells: Map<string, Set<Leg>>, leg: Leg): void {
  const [[x1, y1], [x2, y2]] = leg.line
  const parts = Math.ceil(Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1)) / (CELL / 2)) || 1
  for (let part = 0; part <= parts; part++) {
    const key = cellKey(cellOf(x1 + ((x2 - x1) * part) / parts), cellOf(y1 + ((y2 - y1) * part) / parts))
    const known = cells.get(key)
    if (known) known.add(leg)
    else cells.set(key, new Set([leg]))
  }
}

function legsAround(cells: ReadonlyMap<string, Set<Leg>>, { longitude, latitude }: Point): Leg[] {
  const around = [-1, 0, 1]
  const [x, y] = [cellOf(longitude), cellOf(latitude)]
  return around.flatMap((dx) => around.flatMap((dy) => [...(cells.get(cellKey(x + dx, y + dy)) ?? [])]))
}

/** Of two roads at the same distance the busier one counts, whatever their order in the file. */
function nearestCount(legs: readonly Leg[], place: Point): number | undefined {
  const near = legs
    .map(({ line, dailyVehicles }) => ({ meters: metersToBorder(line, place), dailyVehicles }))
    .filter(({ meters }) => meters <= NEAR_M)
  return near.toSorted((one, other) => one.meters - other.meters || other.dailyVehicles - one.dailyVehicles)[0]
    ?.dailyVehicles
}
