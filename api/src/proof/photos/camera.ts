import { DAY_MS, type Point } from '@roadshow/contract'
import exifr from 'exifr'
import { readExifBlock } from '../../platform/files/index.ts'

/** When and where a photo was taken, as its camera recorded it. */
export interface CameraData {
  /** The instant, where the camera recorded its zone or GPS time. */
  at: number | null
  /** The local time without a zone: 2026-07-01T14:03:22. */
  clock: string | null
  place: Point | null
}

const NO_CAMERA_DATA: CameraData = { at: null, clock: null, place: null }

interface Exif {
  DateTimeOriginal?: unknown
  OffsetTimeOriginal?: unknown
  GPSDateStamp?: unknown
  GPSTimeStamp?: unknown
  latitude?: unknown
  longitude?: unknown
}

/** Reads the camera data. Damaged or missing data makes a photo unverified, not unusable. */
export async function readCameraData(content: Buffer): Promise<CameraData> {
  const tiff = await readExifBlock(content).catch(() => undefined)
  if (!tiff) return NO_CAMERA_DATA
  const options = { ifd0: {}, exif: true, gps: true, reviveValues: false, translateValues: false }
  const exif = (await exifr.parse(tiff, options).catch(() => undefined)) as Exif | undefined
  if (!exif) return NO_CAMERA_DATA
  const clock = clockOf(exif.DateTimeOriginal)
  return { at: zonedOf(clock, exif.OffsetTimeOriginal) ?? satelliteOf(exif), clock, place: placeOf(exif) }
}

const isMoment = (at: number) => !Number.isNaN(at)

/** Converts `2026:07:01 14:03:22` to ISO; null for a clock that was never set and shows zeros. */
function clockOf(written: unknown): string | null {
  const found = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(String(written))
  if (!found) return null
  const clock = `${found[1]}-${found[2]}-${found[3]}T${found[4]}`
  const at = Date.parse(`${clock}Z`)
  return isMoment(at) && at > 0 && new Date(at).toISOString().startsWith(clock) ? clock : null
}

function zonedOf(clock: string | null, offset: unknown): number | null {
  const found = /^[+-]\d\d:\d\d/.exec(String(offset))
  if (!clock || !found) return null
  const at = Date.parse(`${clock}${found[0]}`)
  return isMoment(at) ? at : null
}

function satelliteOf({ GPSDateStamp, GPSTimeStamp }: Exif): number | null {
  const day = /^(\d{4}):(\d\d):(\d\d)/.exec(String(GPSDateStamp))
  if (!day || !Array.isArray(GPSTimeStamp)) return null
  const [hours, minutes, seconds] = GPSTimeStamp.map(Number)
  const at = Date.parse(`${day[1]}-${day[2]}-${day[3]}T00:00:00Z`)
  const into = ((hours ?? NaN) * 3600 + (minutes ?? NaN) * 60 + (seconds ?? NaN)) * 1000
  return isMoment(at) && into >= 0 && into < DAY_MS ? at + Math.round(into) : null
}

function placeOf({ latitude, longitude }: Exif): Point | null {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return null
  // A receiver without a fix writes zeros, which is a point in the Gulf of Guinea.
  return latitude === 0 && longitude === 0 ? null : { latitude, longitude }
}
