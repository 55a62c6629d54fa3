import { DAY_MS, type Point } from '@roadshow/contract'
import type { inspectPhoto } from './photo-tasks.js'

/** When and where a photo was taken, as its camera recorded it. */
export interface CameraData {
  /** The instant, where the camera recorded its zone or GPS time. */
  at: number | null
  /** The local time without a zone: 2026-07-01T14:03:22. */
  clock: string | null
  place: Point | null
}

/** What the file of a photo says about its camera's time and place. */
type Exif = Awaited<ReturnType<typeof inspectPhoto>>

/** Reads the camera data. Damaged or missing data makes a photo unverified, not unusable. */
export function cameraDataOf(exif: Exif): CameraData {
  const clock = clockOf(exif.dateTimeOriginal)
  return { at: zonedOf(clock, exif.offsetTimeOriginal) ?? satelliteOf(exif), clock, place: placeOf(exif) }
}

/** Cameras whose clock was never set show zeros or a year that no one means. */
const isMoment = (at: number) => at > 0 && at < Date.UTC(2200, 0)

/** Converts `2026:07:01 14:03:22` to ISO; null for a clock that was never set and shows zeros. */
function clockOf(written = ''): string | null {
  const found = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(written)
  if (!found) return null
  const clock = `${found[1]}-${found[2]}-${found[3]}T${found[4]}`
  const at = Date.parse(`${clock}Z`)
  return isMoment(at) && new Date(at).toISOString().startsWith(clock) ? clock : null
}

function zonedOf(clock: string | null, offset = ''): number | null {
  const found = /^[+-]\d\d:\d\d/.exec(offset)
  if (!clock || !found) return null
  const at = Date.parse(`${clock}${found[0]}`)
  return isMoment(at) ? at : null
}

function satelliteOf({ gpsDateStamp = '', gpsTimeStamp }: Exif): number | null {
  const day = /^(\d{4}):(\d\d):(\d\d)/.exec(gpsDateStamp)
  if (!day || !gpsTimeStamp) return null
  const [hours, minutes, seconds] = gpsTimeStamp
  const at = Date.parse(`${day[1]}-${day[2]}-${day[3]}T00:00:00Z`)
  const into = ((hours ?? NaN) * 3600 + (minutes ?? NaN) * 60 + (seconds ?? NaN)) * 1000
  return isMoment(at) && into >= 0 && into < DAY_MS ? at + Math.round(into) : null
}

function placeOf({ latitude, longitude }: Exif): Point | null {
  if (latitude === undefined || longitude === undefined) return null
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return null
  // A receiver without a fix writes zeros, which is a point in the Gulf of Guinea.
  return latitude === 0 && longitude === 0 ? null : { latitude, longitude }
}
