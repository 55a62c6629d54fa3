import {
  calendar,
  driverApp,
  type DriverAppShift,
  type DriverDay,
  type DriverMay,
  type Endpoint,
  files,
  payroll,
  photoCalls,
  rowAccessFor,
  rowAccessOf,
  startWindowOpens,
  uploadRules,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { preferencesOf } from '../../accounts/sign-in/index.ts'
import { languageOf } from '../../catalog/users/index.ts'
import {
  driverSigns,
  IS_OF_PRESENT_PLAN,
  newestAnswer,
  PLANNED_JOINS,
  timeSetter,
} from '../../planning/shifts/index.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { utcText } from '../../platform/db/records/fragments.ts'
import type { Actor, Scope } from '../../platform/db/records/scope.ts'
import { longLivedFileUrl, longLivedUrl } from '../../platform/files/index.ts'
import { shownSets } from '../../planning/rotation/index.ts'
import { activeInspectionItems, inspectionsOfShifts } from '../inspections/index.ts'
import { loadApprovedSets } from '../players/index.ts'
import { loadTimeQuestions } from '../shift-times/index.ts'
import { loadStopVisits } from '../telemetry/index.ts'
import { noteContact } from './phones.ts'

/** A phone keeps at most so many shifts: two weeks with several a day. */
const MAX_SHIFTS = 60

const ANSWER = newestAnswer(sql`case when ${IS_OF_PRESENT_PLAN}
    then json_build_object('answer', n.answer, 'reason', n.reason, 'at', ${utcText('n.at')}) end`)

const MESSAGES = sql`coalesce((
  select json_agg(json_build_object('uid', g.uid, 'text', g.text, 'at', ${utcText('g.at')}, 'isOwn', g.act_id is not null,
                                    'by', w.name) order by g.at, g.uid)
    from (select * from shift_message where shift_uid = t.uid and driver_uid = t.driver_uid order by at desc limit 100) g
    join user_account w on w.uid = g.changed_by), '[]')`

const ISSUES = sql`coalesce((
  select json_agg(json_build_object('uid', i.uid, 'kind', i.kind, 'text', i.text, 'status', i.status,
                                    'openedAt', ${utcText('i.opened_at')}) order by i.opened_at, i.uid)
    from truck_issue i where i.shift_uid = t.uid and i.reported_by = t.driver_uid and i.deleted_at is null), '[]')`

const CONTACTS = sql`(
  select coalesce(json_agg(json_build_object('name', k ->> 'name', 'role', k ->> 'title', 'phone', k ->> 'phone')), '[]')
    from jsonb_array_elements(c.contacts) k where k ->> 'phone' <> '')`

const PHOTOS = sql`(
  select count(*)::int from pop_photo f where f.shift_uid = t.uid and f.taken_by = t.driver_uid and f.deleted_at is null)`

const YARD = sql`case when jsonb_array_length(m.depots) > 0 then json_build_object(
  'name', m.depots -> 0 -> 'name', 'latitude', m.depots -> 0 -> 'latitude', 'longitude', m.depots -> 0 -> 'longitude') end`

type ShiftRow = Omit<DriverAppShift, 'opensAt' | 'artwork' | 'inspection' | 'stops' | 'timeQuestions'> & {
  artworkSetUids: string[]
}

/** The shifts that a driver's phone keeps: running ones, those of the next two weeks and of the last two days. */
async function loadShifts(db: Db, driverUid: string): Promise<ShiftRow[]> {
  const { rows } = await sql<ShiftRow>`
    select t.uid, t.version, t.status, t.local_date as date, to_char(t.start_time, 'HH24:MI') as start,
           to_char(t.end_time, 'HH24:MI') as "end", t.zone, t.starts_at as "startsAt", t.ends_at as "endsAt",
           t.started_at as "startedAt", t.stopped_at as "stoppedAt",
           (select s.source from (${timeSetter('start')}) s) as "startSetBy",
           (select s.source from (${timeSetter('stop')}) s) as "stopSetBy",
           json_build_object('uid', tr.uid, 'number', tr.number, 'plate', tr.plate, 'kind', tr.kind) as truck,
           p.name as program, c.name as client, m.name as market, ${YARD} as yard, t.note,
           array ${shownSets('t')} as "artworkSetUids",
           ${CONTACTS} as contacts, ${ANSWER} as answer, ${ISSUES} as issues, ${MESSAGES} as messages,
           ${driverSigns.requestedTruck} as "askedTruck", k.metres, ${PHOTOS} as photos
      from shift t ${PLANNED_JOINS}
      left join shift_track k on k.shift_uid = t.uid
     where t.driver_uid = ${driverUid} and t.deleted_at is null and t.starts_at < now() + interval '14 days'
       and t.starts_at > now() - interval '30 days' and (t.ends_at > now() - interval '2 days' or t.status = 'out')
     order by t.starts_at, t.uid limit ${sql.lit(MAX_SHIFTS)}`.execute(db)
  return rows
}

/** The pictures of approved artwork sets, by the uid of the set. Of a video, a phone shows its thumbnail if there is one. */
async function loadArtwork(db: Db, uids: readonly string[]) {
  const sets = uids.length > 0 ? await loadApprovedSets(db, uids) : []
  const artwork = sets.map(({ uid, name, files }) => {
    const pictures = files.map(({ uid, hasThumbnail, file: { side, contentType } }) => ({
      side,
      url: hasThumbnail ? longLivedUrl(`files/${uid}/thumbnail`) : longLivedFileUrl(uid),
      isVideo: !hasThumbnail && contentType.startsWith('video/'),
    }))
    return [uid, { name, pictures }] as const
  })
  return new Map(artwork)
}

type Artwork = NonNullable<DriverAppShift['artwork']>

/** The sets of a rotation as one with all of their pictures, by name. */
function mergeSets(sets: readonly Artwork[]): Artwork | null {
  if (sets.length === 0) return null
  const ordered = sets.toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
  return { name: ordered.map(({ name }) => name).join(', '), pictures: ordered.flatMap(({ pictures }) => pictures) }
}

/** What the phone may offer: what the calls behind it allow. */
function offersTo(actor: Actor): DriverMay {
  const isAllowed = ({ access }: Endpoint) => rowAccessFor(actor, access) !== undefined
  return {
    act: isAllowed(driverApp.acts),
    photos: isAllowed(photoCalls.addPhotos),
    pictures: isAllowed(files.getUploadSas) && rowAccessOf(actor, uploadRules.issue.modules, 'edit') !== undefined,
    pay: isAllowed(payroll.statement),
    calendar: isAllowed(calendar.link),
  }
}

/** What a driver's phone shows and keeps. */
const loadDaysOff = (db: Db, driverUid: string) =>
  db
    .selectFrom('out_of_service')
    .select(['uid', 'starts_on as from', 'ends_on as to'])
    .where('driver_uid', '=', driverUid)
    .where('deleted_at', 'is', null)
    .where('starts_at', '<', sql<string>`now() + interval '60 days'`)
    .where(sql<boolean>`(ends_at is null or ends_at > now())`)
    .orderBy('starts_at')
    .limit(20)
    .execute()

export async function loadDay(db: Db, { actor }: Scope): Promise<DriverDay> {
  await noteContact(db, actor.uid)
  const rows = await loadShifts(db, actor.uid)
  const sets = rows.flatMap(({ artworkSetUids }) => artworkSetUids)
  const artwork = await loadArtwork(db, [...new Set(sets)])
  const uids = rows.map(({ uid }) => uid)
  const inspections = await inspectionsOfShifts(db, actor.uid, uids)
  const visits = await loadStopVisits(db, uids)
  const questions = await loadTimeQuestions(db, uids)
  const { clock, companyClock } = await preferencesOf(db, actor.uid)
  return {
    serverTime: new Date(await sharedNow(db)).toISOString(),
    driver: {
      uid: actor.uid,
      name: actor.name,
      language: await languageOf(db, actor.uid),
      clock: clock ?? companyClock,
    },
    shifts: rows.map(({ artworkSetUids, ...row }) => ({
      ...row,
      opensAt: new Date(startWindowOpens(Date.parse(row.startsAt))).toISOString(),
      artwork: mergeSets(artworkSetUids.flatMap((uid) => artwork.get(uid) ?? [])),
      inspection: inspections.get(row.uid) ?? null,
      stops: visits.get(row.uid) ?? [],
      timeQuestions: questions.get(row.uid) ?? [],
    })),
    daysOff: await loadDaysOff(db, actor.uid),
    inspectionItems: await activeInspectionItems(db),
    may: offersTo(actor),
  }
}
