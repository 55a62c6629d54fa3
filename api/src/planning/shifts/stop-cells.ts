import {
  DEFAULT_STOP_RADIUS_M,
  METERS_PER_FOOT,
  METERS_PER_MILE,
  type PlannedStop,
  readClock,
  type Reading,
  stopList,
  windowText,
} from '@roadshow/contract'

const quoteIfNeeded = (text: string) => (/[;"()]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Planned stops in words that are read again: `Stadium, 12:00–2:00 PM (32.7473 -97.0945, 1319 ft, at least 30 min: North gate)`. */
export const stopsText = (stops: readonly PlannedStop[]): string =>
  stops
    .map((stop) => {
      const place = `${stop.latitude} ${stop.longitude}, ${Math.round(stop.radiusM / METERS_PER_FOOT)} ft`
      const least = stop.minMinutes === null ? '' : `, at least ${stop.minMinutes} min`
      const note = stop.note === '' ? '' : `: ${quoteIfNeeded(stop.note)}`
      return `${quoteIfNeeded(stop.name)}, ${windowText(stop)} (${place}${least}${note})`
    })
    .join('; ')

// A semicolon in quotes belongs to a name or a note.
const PARTS = /(?:"(?:[^"]|"")*"|[^;\n"])+/g
const QUOTED = '"((?:[^"]|"")*)"'
const NUMBER = String.raw`([+-]?\d+(?:\.\d+)?(?:e-?\d+)?)`
const STOP = new RegExp(
  String.raw`^(?:${QUOTED}|(.+?)), *([^,]+?) *(?:-|–|—| to ) *([^,(]+?) *\(${NUMBER}[ ,]+${NUMBER}` +
    String.raw`(?:, *([\d.]+) *(ft|mi))?(?:, *at least (\d+) min)?(?:: *(?:${QUOTED}|(.*)))?\)$`,
  'i',
)
const MERIDIEM = /[ap]\.?m?\.?$/i
const EXAMPLE = 'Must be stops such as Stadium, 5:00–7:00 PM (32.7473 -97.0945, 1300 ft).'

const unquoted = (quoted: string | undefined, plain = '') => quoted?.replaceAll('""', '"') ?? plain

/** Reads a window: `5–7 PM` begins at 5 PM. */
function readWindow(from: string, to: string): Reading<{ from: string; to: string }> {
  const half = MERIDIEM.exec(to)?.[0] ?? ''
  const opens = readClock(MERIDIEM.test(from) ? from : `${from} ${half}`)
  const closes = readClock(to)
  if ('problem' in opens) return opens
  return 'problem' in closes ? closes : { value: { from: opens.value, to: closes.value } }
}

/** Reads planned stops as `stopsText` writes them; without a size a stop has the usual one. */
export function readStops(text: string): Reading<PlannedStop[]> {
  const stops: PlannedStop[] = []
  for (const part of text.match(PARTS)?.map((each) => each.trim()) ?? []) {
    if (part === '') continue
    const found = STOP.exec(part)
    if (!found) return { problem: EXAMPLE }
    const [, quotedName, name, from = '', to = '', latitude, longitude, size, unit = 'ft', least, quotedNote, note] =
      found
    const window = readWindow(from, to)
    if ('problem' in window) return window
    const meters = Number(size) * (unit.toLowerCase() === 'mi' ? METERS_PER_MILE : METERS_PER_FOOT)
    stops.push({
      name: unquoted(quotedName, name),
      latitude: Number(latitude),
      longitude: Number(longitude),
      radiusM: size === undefined ? DEFAULT_STOP_RADIUS_M : Math.round(meters),
      ...window.value,
      minMinutes: least === undefined ? null : Number(least),
      note: unquoted(quotedNote, note),
    })
  }
  const { data, error } = stopList.safeParse(stops)
  if (data) return { value: data }
  const [issue] = error.issues
  const name = stops[Number(issue?.path[0])]?.name
  const message = issue?.message ?? EXAMPLE
  return { problem: name ? `${name}: ${message}` : message }
}
