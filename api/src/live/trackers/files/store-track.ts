import { createHash } from 'node:crypto'
import { MAX_TRACK_FIXES, METERS_PER_MILE, type TrackFileResult } from '@roadshow/contract'
import { sql } from 'kysely'
import { readSettings } from '../../../catalog/settings/index.ts'
import { decoderTasks } from '../../../platform/decoding/decoder.ts'
import { sourceOf } from '../../../platform/decoding/task-file.ts'
import { sharedNow } from '../../../platform/db/clock.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { keptSince } from '../../../platform/db/partitions.ts'
import type { ReceivedFile } from '../../../platform/http/multipart.ts'
import { AppError, refuseFields } from '../../../platform/runtime/app-error.ts'
import { isZone } from '../../../platform/spreadsheet/local-time.ts'
import { timeProblem } from '../../device-batches/index.ts'
import { FILE_SOURCE, normalizeFix, storeTelemetry, type TrackerFix, trackOf } from '../../telemetry/index.ts'
import { fileTimeOf } from './file-time.ts'
import type * as tasks from './track-tasks.js'

const task = decoderTasks<typeof tasks>(new URL('./track-tasks.js', import.meta.url), { goesFirst: true })

interface FileTrack {
  format: TrackFileResult['format']
  positions: Record<'time' | 'latitude' | 'longitude' | 'speed' | 'unit' | 'heading' | 'accuracy', unknown>[]
  notes: string[]
}

interface TrackUpload {
  truckUid: string
  file: ReceivedFile | undefined
  save: boolean
  digest: string | undefined
  zone: string | undefined
}

/** Fixes that are stored in one transaction: others wait for it no longer than for a page of a feed. */
const STORED_TOGETHER = 5000
const MOST_REASONS = 10

/** Says what the file of a truck would bring, and stores it when asked to. */
export async function uploadTrack(db: Db, upload: TrackUpload): Promise<TrackFileResult> {
  const { truckUid, file, save, digest: sentDigest, zone = 'UTC' } = upload
  if (!isZone(zone)) refuseFields({ zone: 'Not a time zone.' })
  await requireTruck(db, truckUid)
  if (!file) throw new AppError('badInput', { fields: { file: 'Choose a file.' } })
  const digest = createHash('sha256').update(`${truckUid} ${zone}\n`).update(file.content).digest('hex')
  if (save && sentDigest !== digest)
    throw new AppError('badInput', { text: 'This is not the file that was checked. Check it again.' })
  const read = await task('readTrackFile', { mostPositions: MAX_TRACK_FIXES }, sourceOf(file.content))
  const track = JSON.parse(read) as FileTrack
  const now = await sharedNow(db)
  const oldest = keptSince((await readSettings(db)).keepPositionsDays, now)
  const { fixes, leftOut } = usableFixes(track, { truckUid, zone, now, oldest })
  const known = await countKnown(db, truckUid, fixes)
  if (save) await storeFixes(db, fixes, now)
  const times = fixes.map(({ at }) => at)
  return {
    saved: save,
    digest,
    format: track.format,
    fixes: fixes.length,
    from: instantOf(times.reduce<number | undefined>((a, b) => Math.min(a ?? b, b), undefined)),
    to: instantOf(times.reduce<number | undefined>((a, b) => Math.max(a ?? b, b), undefined)),
    miles: trackOf(fixes).meters / METERS_PER_MILE,
    known,
    leftOut,
    notes: track.notes,
  }
}

const instantOf = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString())

async function requireTruck(db: Db, uid: string): Promise<void> {
  const truck = await db
    .selectFrom('truck')
    .select('uid')
    .where('uid', '=', uid)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!truck) throw new AppError('notFound')
}

/** The positions that can be stored, once each, and why the others can't. */
function usableFixes(
  { positions }: FileTrack,
  { truckUid, zone, now, oldest }: { truckUid: string; zone: string; now: number; oldest: number },
): { fixes: TrackerFix[]; leftOut: TrackFileResult['leftOut'] } {
  const fixes = new Map<number, TrackerFix>()
  const reasons = new Map<string, number>()
  const leaveOut = (reason: string) => reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  for (const { time, unit, ...sent } of positions) {
    const read = normalizeFix({
      ...sent,
      id: truckUid,
      time: fileTimeOf(time, zone),
      unit: unit === 'mph' || unit === 'ms' || unit === 'knots' ? unit : 'kmh',
    })
    const problem = 'problem' in read ? read.problem : timeProblem(read.fix.at, oldest, now)?.reason
    if ('problem' in read || problem !== undefined) leaveOut(problem ?? '')
    else if (fixes.has(read.fix.at)) leaveOut('The file has another position of the same moment.')
    else fixes.set(read.fix.at, read.fix)
  }
  const sorted = [...reasons].toSorted(([, one], [, other]) => other - one).slice(0, MOST_REASONS)
  return { fixes: [...fixes.values()], leftOut: sorted.map(([reason, count]) => ({ reason, count })) }
}

/** How many of the moments the truck has a position of. */
async function countKnown(db: Db, truckUid: string, fixes: readonly TrackerFix[]): Promise<number> {
  if (fixes.length === 0) return 0
  const times = fixes.map(({ at }) => new Date(at).toISOString()).toSorted()
  const [from, to] = [times[0], times.at(-1)]
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from unnest(${times}::timestamptz[]) given (at)
     where given.at in (select at from position
                         where truck_uid = ${truckUid} and at between ${from}::timestamptz and ${to}::timestamptz
                        union all
                        select at from position_spare
                         where truck_uid = ${truckUid} and source_uid = ${FILE_SOURCE}
                           and at between ${from}::timestamptz and ${to}::timestamptz)`.execute(db)
  return rows[0]?.count ?? 0
}

/** Stores in parts. One that fails leaves those before it, which count once when the file is sent again. */
async function storeFixes(db: Db, fixes: TrackerFix[], now: number): Promise<void> {
  const sorted = fixes.toSorted((one, other) => one.at - other.at)
  for (let start = 0; start < sorted.length; start += STORED_TOGETHER) {
    const part = sorted.slice(start, start + STORED_TOGETHER)
    await storeTelemetry(db, { source: FILE_SOURCE, areUids: true, now, fixes: part, statuses: [], readings: [] })
  }
}
