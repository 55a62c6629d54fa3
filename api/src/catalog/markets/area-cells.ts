import { type Depot, METERS_PER_FOOT, METERS_PER_MILE, type Reading, readDecimal } from '@roadshow/contract'

const CORNER = /^([+-]?\d+(?:\.\d+)?)[ ,]+([+-]?\d+(?:\.\d+)?)$/

/** Reads the corners of an area: `29.76 -95.37; 29.8 -95.2; …`. */
export function readOutline(text: string): Reading<[number, number][]> {
  const corners = text
    .split(/[;\n]/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => CORNER.exec(part))
  if (corners.some((corner) => corner === null)) {
    return { problem: 'Must be corners such as 29.76 -95.37; 29.8 -95.2; 29.7 -95.1.' }
  }
  return { value: corners.map((corner) => [Number(corner?.[2]), Number(corner?.[1])]) }
}

const DEPOT = /^(.+?)\s*\(([+-]?\d+(?:\.\d+)?)[ ,]+([+-]?\d+(?:\.\d+)?)(?:,\s*(\d+(?:\.\d+)?)\s*(ft|mi))?\)$/i
const DEFAULT_DEPOT_FEET = 500

/** Reads depots: `North yard (29.8 -95.2, 500 ft); …`. */
export function readDepots(text: string): Reading<Depot[]> {
  const depots: Depot[] = []
  for (const part of text.split(/[;\n]/).map((each) => each.trim())) {
    if (part === '') continue
    const [, name, latitude, longitude, size = String(DEFAULT_DEPOT_FEET), unit = 'ft'] = DEPOT.exec(part) ?? []
    if (name === undefined) return { problem: 'Must be depots such as North yard (29.8 -95.2, 500 ft).' }
    const meters = Number(size) * (unit.toLowerCase() === 'mi' ? METERS_PER_MILE : METERS_PER_FOOT)
    depots.push({ name, latitude: Number(latitude), longitude: Number(longitude), radiusM: Math.round(meters) })
  }
  return { value: depots }
}

const MILES = /^(.+?)\s*(?:mi|miles?)?$/i

/** Reads a distance in miles as meters: `35`, `2.5 mi`. */
export function readMiles(text: string): Reading<number> {
  const read = readDecimal(MILES.exec(text.trim())?.[1] ?? text)
  return 'problem' in read
    ? { problem: 'Must be a number of miles, such as 2.5.' }
    : { value: Math.round(read.value * METERS_PER_MILE) }
}

const ZONES: Record<string, string> = {
  eastern: 'America/New_York',
  et: 'America/New_York',
  est: 'America/New_York',
  central: 'America/Chicago',
  ct: 'America/Chicago',
  cst: 'America/Chicago',
  mountain: 'America/Denver',
  mt: 'America/Denver',
  mst: 'America/Denver',
  pacific: 'America/Los_Angeles',
  pt: 'America/Los_Angeles',
  pst: 'America/Los_Angeles',
  alaska: 'America/Anchorage',
  hawaii: 'Pacific/Honolulu',
}

/** A time zone, also in the words of the country: `Central`, `US/Central time`. */
export const zoneNamed = (text: string): string =>
  ZONES[
    text
      .toLowerCase()
      .replace(/^us\/|( standard)? ?time$/g, '')
      .trim()
  ] ?? text
