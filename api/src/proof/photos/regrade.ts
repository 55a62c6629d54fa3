import type { PhotoSource } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { jobsWaiting } from '../../platform/observability/metrics.ts'
import { heldHours } from '../../planning/shifts/index.ts'
import { fixesAround, PARKED_SILENCE_MS } from '../../live/evidence/index.ts'
import { gradePhoto, type PhotoClaim, type PhotoGrade } from './grading.ts'

/** What a person typed proves nothing. */
const isRecorded = (source: PhotoSource | null) => source !== null && source !== 'typed'

/** Grades photos by the tracks of their trucks as they are known now. */
export async function gradePhotos(db: Db, photos: readonly PhotoClaim[]): Promise<PhotoGrade[]> {
  // A photo without a time and place of its own needs no track.
  const comparable = photos.flatMap((photo) =>
    photo.truckUid && isRecorded(photo.timeSource) && isRecorded(photo.placeSource) && photo.at !== null
      ? [{ photo, truckUid: photo.truckUid, at: photo.at }]
      : [],
  )
  const fixes = await fixesAround(db, comparable)
  const fixesOf = new Map(comparable.map(({ photo }, index) => [photo, fixes[index] ?? []]))
  return photos.map((photo) => gradePhoto(photo, fixesOf.get(photo) ?? []))
}

const AT_ONCE = 500

/** Photo `t` is of a driver who had shift `s` before: truck and hours of the shift are no longer those of the photo. */
const IS_OF_FORMER_DRIVER = sql`(t.taken_by is distinct from s.driver_uid and exists (
  select from history h where h.table_name = 'shift' and h.record_uid = s.uid
     and h.changes -> 'driver_uid' ->> 0 = t.taken_by::text))`

/** Grades photos again and returns how many changed. Only grades are written, so no open form becomes stale. */
export async function regradePhotos(db: Db, uids: readonly string[]): Promise<number> {
  let changed = 0
  for (let first = 0; first < uids.length; first += AT_ONCE)
    changed += await regradeSome(db, uids.slice(first, first + AT_ONCE))
  return changed
}

/** Grades the approved photos of a program by all that is known now, before they are published. */
export async function regradePhotosOfProgram(db: Db, programUid: string): Promise<void> {
  const photos = await db
    .selectFrom('pop_photo')
    .select('uid')
    .where('program_uid', '=', programUid)
    .where('status', '=', 'approved')
    .where('deleted_at', 'is', null)
    .orderBy('uid')
    .execute()
  const uids = photos.map(({ uid }) => uid)
  await regradePhotos(db, uids)
}

async function regradeSome(db: Db, uids: readonly string[]): Promise<number> {
  const { rows } = await sql<PhotoClaim & { uid: string }>`
    select t.uid, t.truck_uid as "truckUid", (extract(epoch from t.taken_at) * 1000)::float8 as at,
           t.time_source as "timeSource", t.place_source as "placeSource", t.accuracy_m as "accuracyM",
           coalesce(t.taken_by = s.driver_uid, false) or ${IS_OF_FORMER_DRIVER} as "isOfDriver",
           case when t.latitude is not null and t.longitude is not null
                then json_build_object('latitude', t.latitude, 'longitude', t.longitude) end as place,
           case when lower(h.held) is not null and upper(h.held) is not null
                then json_build_object('from', extract(epoch from lower(h.held)) * 1000,
                                       'to', extract(epoch from upper(h.held)) * 1000) end as hours
      from pop_photo t left join shift s on s.uid = t.shift_uid
      cross join lateral (select case when not ${IS_OF_FORMER_DRIVER} then ${heldHours('s')} end as held) h
     where t.uid = any(${uids}) and t.deleted_at is null
     order by t.uid`.execute(db)
  const grades = await gradePhotos(db, rows)
  const each = <T>(give: (grade: PhotoGrade) => T) => grades.map(give)
  // A photo that got another truck or time meanwhile was graded by that change.
  const { numAffectedRows } = await sql`
    update pop_photo t set grade = g.grade, reason = g.reason, distance_m = g.distance_m, seconds_apart = g.seconds_apart
      from unnest(${rows.map(({ uid }) => uid)}::uuid[], ${rows.map(({ truckUid }) => truckUid)}::uuid[],
                  ${rows.map(({ at }) => at)}::float8[], ${each(({ grade }) => grade)}::text[],
                  ${each(({ reason }) => reason)}::text[], ${each(({ distanceM }) => distanceM)}::float8[],
                  ${each(({ secondsApart }) => secondsApart)}::float8[])
           g (uid, truck_uid, at, grade, reason, distance_m, seconds_apart)
     where t.uid = g.uid and t.truck_uid is not distinct from g.truck_uid
       and (extract(epoch from t.taken_at) * 1000)::float8 is not distinct from g.at
       and (t.grade, t.reason) is distinct from (g.grade, g.reason)`.execute(db)
  return Number(numAffectedRows ?? 0)
}

const SILENT = `interval '${PARKED_SILENCE_MS} milliseconds'`

/** After `since`, and not after `until`. */
interface Period {
  since: string
  until: string
}

/** Photos around whose time the evidence about their truck has changed in a period. */
const withNewTrack = ({ since, until }: Period) => sql<{ uid: string }>`
  select distinct t.uid from evidence_change e
    join pop_photo t on t.truck_uid = e.truck_uid and t.deleted_at is null
     and t.taken_at between e.first_at - ${sql.raw(SILENT)} and e.last_at + ${sql.raw(SILENT)}
   where e.changed_at > ${since} and e.changed_at <= ${until} and t.time_source <> 'typed' and t.place_source <> 'typed'
   order by 1`

/** Gives photos the truck that their shift has by now; recorded as a change by the system. */
const followTrucks = (since: string) => sql`
  update pop_photo t set truck_uid = s.truck_uid, changed_by = null, changed_from = null
    from shift s
   where s.updated_at > ${since} and s.deleted_at is null and t.shift_uid = s.uid and t.deleted_at is null
     and t.truck_uid is distinct from s.truck_uid and not ${IS_OF_FORMER_DRIVER}`

/** Photos of shifts that were changed in a period: their truck or their hours may be others. */
const ofChangedShifts = (db: Db, { since, until }: Period) =>
  db
    .selectFrom('shift as s')
    .innerJoin('pop_photo as t', 't.shift_uid', 's.uid')
    .select('t.uid')
    .where('s.updated_at', '>', since)
    .where('s.updated_at', '<=', until)
    .where('s.deleted_at', 'is', null)
    .where('t.deleted_at', 'is', null)
    .orderBy('t.uid')
    .execute()

const JOB = 'photo-grades'
const NOTES_AT_ONCE = 1000

/** The end of a period with some hundred notes of changed evidence; it has no end where there are fewer. */
async function endOfPeriod(db: Db, since: string): Promise<string> {
  const notes = db.selectFrom('evidence_change').select('changed_at').where('changed_at', '>', since)
  const next = await notes.orderBy('changed_at').offset(NOTES_AT_ONCE).limit(1).executeTakeFirst()
  return next?.changed_at ?? 'infinity'
}

/**
 * Grades the photos again that new tracks and changed shifts since a moment concern. Answers until when it is done if its
 * time was up before the end.
 */
export async function regradePhotosSince(
  db: Db,
  since: string,
  timeUp?: AbortSignal,
): Promise<{ doneUntil: string } | undefined> {
  await followTrucks(since).execute(db)
  for (let period = { since, until: since }; period.until !== 'infinity';) {
    if (timeUp?.aborted) return { doneUntil: period.until }
    period = { since: period.until, until: await endOfPeriod(db, period.until) }
    const { rows: tracked } = await withNewTrack(period).execute(db)
    const moved = await ofChangedShifts(db, period)
    const due = [...new Set([...tracked, ...moved].map(({ uid }) => uid))]
    jobsWaiting.set({ job: JOB }, due.length)
    await regradePhotos(db, due)
  }
  jobsWaiting.set({ job: JOB }, 0)
  return undefined
}

/** Grades photos again when tracks or shifts that they depend on have changed. */
export const regradePhotosJob = defineJob(JOB, ({ db, since, timeUp }) => regradePhotosSince(db, since, timeUp))
