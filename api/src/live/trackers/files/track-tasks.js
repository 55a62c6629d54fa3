import { Refusal } from '../../../platform/decoding/refusal.js'
import { parseCsv } from '../../../platform/spreadsheet/csv.js'

/**
 * A position as it stands in a file; nothing of it is checked.
 * @typedef {{ time: unknown, latitude: unknown, longitude: unknown, speed?: unknown, unit?: 'kmh' | 'mph' | 'ms' | 'knots', heading?: unknown, accuracy?: unknown }} FilePosition
 */
/** @typedef {{ format: 'GPX' | 'GeoJSON' | 'CSV', positions: FilePosition[], notes: string[] }} FileTrack */

const refuse = (/** @type {string} */ text) => new Refusal(text, 'badInput')
const unreadable = () => refuse('This file is neither GPX, GeoJSON nor CSV. Export the track in one of these forms.')

/**
 * Reads the positions of a GPX, GeoJSON or CSV file. It answers JSON, which the node reads faster than objects.
 * @param {{ mostPositions: number }} input
 * @param {import('../../../platform/decoding/task-file.ts').TaskFile} file
 */
export async function readTrackFile({ mostPositions }, file) {
  const text = textOf(await file.whole())
  const start = text.slice(0, 1000).trimStart()
  const track = start.startsWith('<')
    ? gpxOf(text, mostPositions)
    : start.startsWith('{') || start.startsWith('[')
      ? geoJsonOf(text)
      : csvOf(text, mostPositions)
  if (track.positions.length > mostPositions) throw tooMany(mostPositions)
  if (track.positions.length === 0) throw refuse('The file has no positions.')
  return JSON.stringify(track)
}

const tooMany = (/** @type {number} */ most) =>
  new Refusal(
    `The file has more than ${most.toLocaleString('en-US')} positions. Please split it up by days.`,
    'tooLarge',
  )

/** @param {Buffer} bytes */
function textOf(bytes) {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  if (isUtf16) return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes)
  const text = new TextDecoder().decode(bytes)
  if (text.includes('\0')) throw unreadable()
  return text
}

const DEEPEST = 64
const LONGEST_TAG = 4000
const LONGEST_VALUE = 40

const localName = (/** @type {string} */ tag) => (/^[^\s/>]*/.exec(tag)?.[0] ?? '').replace(/^.*:/, '')
const brokenOff = () => refuse('The GPX file breaks off, or its tags do not match.')

/**
 * Reads the track points of a GPX file in one pass, by hand: a parser of all XML would expand entities, and a GPX file needs
 * none. A document type is refused.
 * @param {string} text
 * @param {number} most
 * @returns {FileTrack}
 */
function gpxOf(text, most) {
  /** @type {FilePosition[]} */
  const positions = []
  /** @type {string[]} */
  const open = []
  /** @type {FilePosition | undefined} */
  let point
  let isGpx = false
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    if (text.startsWith('<!--', at)) {
      at = endOf(text, '-->', at)
      continue
    }
    if (text.startsWith('<![CDATA[', at)) {
      at = endOf(text, ']]>', at)
      continue
    }
    if (text.startsWith('<!', at)) throw refuse('The GPX file has a document type, which is not accepted.')
    if (text.startsWith('<?', at)) {
      at = endOf(text, '?>', at)
      continue
    }
    const end = text.indexOf('>', at)
    if (end < 0 || end - at > LONGEST_TAG) throw brokenOff()
    const tag = text.slice(at + 1, end)
    at = end + 1
    if (tag.startsWith('/')) {
      const name = localName(tag.slice(1))
      if (open.pop() !== name) throw brokenOff()
      if (name === 'trkpt' && point) {
        positions.push(point)
        point = undefined
        if (positions.length > most) throw tooMany(most)
      }
      continue
    }
    const name = localName(tag)
    if (open.length === 0 && name !== 'gpx') throw unreadable()
    isGpx ||= name === 'gpx'
    if (name === 'trkpt') point = { time: undefined, latitude: attribute(tag, 'lat'), longitude: attribute(tag, 'lon') }
    const isEmpty = tag.endsWith('/')
    if (point && name !== 'trkpt' && !isEmpty) takeValue(point, name, valueAt(text, at))
    if (isEmpty && name === 'trkpt' && point) {
      positions.push(point)
      point = undefined
    }
    if (!isEmpty && open.push(name) > DEEPEST) throw refuse('The GPX file is nested too deeply.')
  }
  if (!isGpx) throw unreadable()
  if (open.length > 0) throw brokenOff()
  return { format: 'GPX', positions, notes: [] }
}

/**
 * @param {string} text
 * @param {string} mark
 * @param {number} from
 */
function endOf(text, mark, from) {
  const at = text.indexOf(mark, from)
  if (at < 0) throw brokenOff()
  return at + mark.length
}

const attribute = (/** @type {string} */ tag, /** @type {'lat' | 'lon'} */ name) =>
  new RegExp(`\\s${name}\\s*=\\s*["']([^"']{1,40})["']`).exec(tag)?.[1]

/**
 * @param {string} text
 * @param {number} at
 */
function valueAt(text, at) {
  const end = text.indexOf('<', at)
  return end < 0 || end - at > LONGEST_VALUE ? undefined : text.slice(at, end).trim()
}

/**
 * GPX 1.0 has speed and course beside the time, 1.1 in extensions; both in meters a second and degrees.
 * @param {FilePosition} point
 * @param {string} name
 * @param {string | undefined} value
 */
function takeValue(point, name, value) {
  if (value === undefined || value === '') return
  if (name === 'time') point.time ??= value
  else if (name === 'speed') Object.assign(point, { speed: value, unit: 'ms' })
  else if (name === 'course' || name === 'heading') point.heading ??= value
  else if (name === 'accuracy') point.accuracy ??= value
}

/** @param {string} text */
function refuseDeepJson(text) {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (inString) {
      if (sign === 92) at++
      else if (sign === 34) inString = false
    } else if (sign === 34) inString = true
    else if (sign === 91 || sign === 123) {
      if (++depth > DEEPEST) throw refuse('The GeoJSON file is nested too deeply.')
    } else if (sign === 93 || sign === 125) depth--
  }
}

/** @typedef {Record<string, unknown>} Fields */
const fieldsOf = (/** @type {unknown} */ value) =>
  /** @type {Fields} */ (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {})
const listOf = (/** @type {unknown} */ value) => (/** @type {unknown[]} */ (Array.isArray(value) ? value : []))

/** The first of several names that is there. @param {Fields} fields @param {readonly string[]} names */
const firstOf = (fields, names) =>
  names.map((name) => fields[name]).find((value) => value !== undefined && value !== null)

const TIMES = ['coordTimes', 'times', 'time', 'timestamp', 'datetime', 'at']
/** Names of speeds, which say their unit. @type {readonly (readonly [string, FilePosition['unit']])[]} */
const SPEEDS = [
  ['speedKmh', 'kmh'],
  ['speed_kmh', 'kmh'],
  ['speedMph', 'mph'],
  ['speed_mph', 'mph'],
  ['speedMs', 'ms'],
  ['speed_ms', 'ms'],
]

/**
 * @param {string} text
 * @returns {FileTrack}
 */
function geoJsonOf(text) {
  refuseDeepJson(text)
  /** @type {unknown} */
  let root
  try {
    root = JSON.parse(text)
  } catch {
    throw refuse('The GeoJSON file breaks off, or is not JSON.')
  }
  const { type, features } = fieldsOf(root)
  const all = type === 'FeatureCollection' ? listOf(features) : type === 'Feature' ? [root] : undefined
  if (!all) throw refuse('The JSON file is not GeoJSON with features: lines with times, or points with a time.')
  const positions = all.flatMap((feature) => featurePositions(fieldsOf(feature)))
  return { format: 'GeoJSON', positions, notes: [] }
}

/** @param {Fields} feature @returns {FilePosition[]} */
function featurePositions(feature) {
  const properties = fieldsOf(feature['properties'])
  const given = { ...properties, ...fieldsOf(properties['coordinateProperties']) }
  const { type, coordinates } = fieldsOf(feature['geometry'])
  const times = firstOf(given, TIMES)
  const [speedName, unit] = SPEEDS.find(([name]) => given[name] !== undefined) ?? []
  const speeds = speedName === undefined ? undefined : given[speedName]
  /** @type {(places: unknown, times: unknown, speeds: unknown) => FilePosition[]} */
  const along = (places, of, fast) =>
    listOf(places).map((place, index) => positionOf(place, listOf(of)[index], listOf(fast)[index], unit))
  if (type === 'LineString') return along(coordinates, times, speeds)
  if (type === 'MultiLineString')
    return listOf(coordinates).flatMap((line, index) => along(line, listOf(times)[index], listOf(speeds)[index]))
  // A line of one position is a point, with lists of one.
  if (type === 'Point') return [positionOf(coordinates, [times].flat()[0], [speeds].flat()[0], unit)]
  return []
}

/**
 * @param {unknown} place
 * @param {unknown} time
 * @param {unknown} speed
 * @param {FilePosition['unit']} unit
 * @returns {FilePosition}
 */
function positionOf(place, time, speed, unit) {
  const [longitude, latitude] = listOf(place)
  return { time, latitude, longitude, ...(unit && { speed, unit }) }
}

/** The titles of each column, as letters and digits. @type {Record<string, readonly string[]>} */
const COLUMNS = {
  time: ['time', 'timestamp', 'datetime', 'dateandtime', 'gpstime', 'fixtime', 'recordedat', 'at', 'utc', 'timeutc'],
  date: ['date', 'day', 'localdate'],
  latitude: ['latitude', 'lat', 'y'],
  longitude: ['longitude', 'lon', 'lng', 'long', 'x'],
  kmh: ['speedkmh', 'speedkph', 'kmh', 'kph'],
  mph: ['speedmph', 'mph', 'speedmilesperhour'],
  ms: ['speedms', 'speedmps'],
  knots: ['speedknots', 'knots', 'speedkn', 'speedkts'],
  speed: ['speed', 'velocity'],
  heading: ['heading', 'course', 'bearing', 'direction'],
  accuracy: ['accuracy', 'accuracym', 'horizontalaccuracy'],
}
const SPEED_UNITS = /** @type {const} */ (['kmh', 'mph', 'ms', 'knots'])

const spelling = (/** @type {string} */ title) => title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/**
 * @param {string} text
 * @param {number} most
 * @returns {FileTrack}
 */
function csvOf(text, most) {
  const [first = ''] = text.split('\n', 1)
  const delimiter = [',', ';', '\t'].toSorted((a, b) => first.split(b).length - first.split(a).length)[0] ?? ','
  const rows = parseCsv(text, delimiter, most + 2)
  if (!rows) throw refuse('A quoted cell of the CSV file does not end.')
  const [titles = [], ...below] = rows
  const names = titles.map(spelling)
  const columnOf = (/** @type {string} */ column) => names.findIndex((name) => COLUMNS[column]?.includes(name))
  const [time, date, latitude, longitude] = ['time', 'date', 'latitude', 'longitude'].map(columnOf)
  const missing = [
    ...((time ?? -1) < 0 && (date ?? -1) < 0 ? ['Time'] : []),
    ...((latitude ?? -1) < 0 ? ['Latitude'] : []),
    ...((longitude ?? -1) < 0 ? ['Longitude'] : []),
  ]
  if (missing.length === 3) throw unreadable()
  if (missing.length > 0) throw refuse(`The CSV file has no column ${missing.join(' and no column ')}.`)
  const unit = SPEED_UNITS.find((each) => columnOf(each) >= 0)
  const speed = unit === undefined ? -1 : columnOf(unit)
  const [heading, accuracy] = [columnOf('heading'), columnOf('accuracy')]
  const cell = (/** @type {string[]} */ row, /** @type {number | undefined} */ index) =>
    index === undefined || index < 0 ? undefined : row[index]?.trim()
  const positions = below
    .filter((row) => row.some((each) => each.trim() !== ''))
    .map((row) => ({
      time: [cell(row, date), cell(row, time)].filter(Boolean).join(' '),
      latitude: cell(row, latitude),
      longitude: cell(row, longitude),
      ...(unit && { speed: cell(row, speed), unit }),
      heading: cell(row, heading),
      accuracy: cell(row, accuracy),
    }))
  const isUnitless = unit === undefined && columnOf('speed') >= 0
  const notes = isUnitless
    ? ['Speeds are left out: the heading does not name their unit. Write “Speed (mph)” or “Speed (km/h)”.']
    : []
  return { format: 'CSV', positions, notes }
}
