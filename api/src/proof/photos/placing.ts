import { type BodyOf, type Point, type pops, shiftRange } from '@roadshow/contract'
import { sql } from 'kysely'
import { refuseFields } from '../../platform/runtime/app-error.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { fileRefusal } from '../../platform/files/index.ts'
import { programRecords } from '../../catalog/programs/index.ts'
import { shiftRecords } from '../../planning/shifts/index.ts'
import type { CameraData } from './camera.ts'
import { fixesAround } from '../../live/evidence/index.ts'
import {
  type LocatedCandidate,
  marketOfPlace,
  type InstantInZone,
  type PlacedMarket,
  type CandidateShift,
  chooseShift,
  shiftsNearPhoto,
} from './placing-rules.ts'

type Given = BodyOf<typeof pops.addPhotos>

/** Where a photo belongs, and when and where it was taken. */
export interface PlacedPhoto {
  programUid: string
  marketUid: string | null
  shift: CandidateShift | null
  at: number | null
  timeSource: 'exif' | 'typed' | null
  place: Point | null
  placeSource: 'exif' | 'typed' | null
}

const DAY_MS = 86_400_000

/** The instant at which clocks of a zone showed a time; null where they skipped it. */
export function instantOfClock(clock: string, zone: string): number | null {
  const [date, time, seconds] = [clock.slice(0, 10), clock.slice(11, 16), Number(clock.slice(17, 19))]
  const { startsAt } = shiftRange({ date, start: time, end: time, zone })
  return startsAt === undefined ? null : startsAt + seconds * 1000
}

const shiftColumns = sql`
  s.uid, s.program_uid as "programUid", s.market_uid as "marketUid", s.truck_uid as "truckUid", s.zone,
  (extract(epoch from coalesce(lower(driven_hours(s)), s.starts_at)) * 1000)::float8 as "from",
  (extract(epoch from coalesce(upper(driven_hours(s)), s.ends_at)) * 1000)::float8 as "to"`

export async function loadShift(db: Db, uid: string): Promise<CandidateShift | undefined> {
  const found = sql<CandidateShift>`select ${shiftColumns} from shift s where s.uid = ${uid} and s.deleted_at is null`
  return (await found.execute(db)).rows[0]
}

interface Wanted {
  programUid: string | undefined
  marketUid: string | undefined
  /** Whose shifts; everybody's when it is nobody. */
  driverUid: string | null
}

/** Shifts within a day of a moment, which is about when clocks somewhere showed a time. Those that took place, that is. */
async function shiftsNear(
  db: Db,
  near: number,
  { programUid, marketUid, driverUid }: Wanted,
): Promise<CandidateShift[]> {
  const [from, to] = [new Date(near - DAY_MS), new Date(near + DAY_MS)]
  const { rows } = await sql<CandidateShift>`
    select ${shiftColumns} from shift s
     where s.deleted_at is null
       and s.starts_at > ${from}::timestamptz - interval '3 days' and s.starts_at < ${to}::timestamptz + interval '2 days'
       and driven_hours(s) && tstzrange(${from}, ${to}, '[]')
       and (${programUid ?? null}::uuid is null or s.program_uid = ${programUid ?? null})
       and (${marketUid ?? null}::uuid is null or s.market_uid = ${marketUid ?? null})
       and (${driverUid}::uuid is null or s.driver_uid = ${driverUid})`.execute(db)
  return rows
}

/** The markets of a program in its order, or all there are. */
export async function loadMarkets(db: Db, programUid: string | undefined): Promise<PlacedMarket[]> {
  const columns = sql`m.uid, m.zone, m.latitude, m.longitude, m.radius_m as "radiusM", m.outline`
  const { rows } = await (
    programUid
      ? sql<PlacedMarket>`select ${columns} from program_market pm join market m on m.uid = pm.market_uid
                           where pm.program_uid = ${programUid} and m.deleted_at is null order by pm.position`
      : sql<PlacedMarket>`select ${columns} from market m where m.deleted_at is null`
  ).execute(db)
  return rows
}

/** Refuses a call that names what is not there, not the caller's, or does not go together; gives the shift it names. */
export async function checkUpload(db: Db, scope: Scope, given: Given): Promise<CandidateShift | undefined> {
  const { programUid, marketUid, shiftUid } = given
  const isOwn = shiftUid !== undefined && (await shiftRecords.find(db, scope, shiftUid)) !== undefined
  const shift = isOwn ? await loadShift(db, shiftUid) : undefined
  if (shiftUid && !shift) refuseFields({ shiftUid: 'There is no such shift.' })
  const { actor } = scope
  if (programUid && !(await programRecords.find(db, { rows: 'all', actor }, programUid))) {
    refuseFields({ programUid: 'There is no such program.' })
  }
  if (shift && programUid && shift.programUid !== programUid) {
    refuseFields({ programUid: 'The shift is of another program.' })
  }
  if (shift && marketUid && shift.marketUid !== marketUid) refuseFields({ marketUid: ANOTHER_MARKET })
  if (programUid && marketUid && !shift) await requireProgramMarket(db, programUid, marketUid)
  return shift
}

export const ANOTHER_MARKET = 'The shift is in another market.'

/** Refuses a market that a program does not run in. */
export async function requireProgramMarket(db: Db, programUid: string, marketUid: string): Promise<void> {
  const markets = await loadMarkets(db, programUid)
  if (markets.some(({ uid }) => uid === marketUid)) return
  refuseFields({ marketUid: 'The program does not run in this market.' })
}

const NO_SHIFT = 'You had no shift when this photo was taken. Choose the shift that it belongs to.'
const NO_PROGRAM = 'No truck was at this place then. Choose the program that the photo belongs to.'

/** Finds out where a photo belongs: as it was told, or else from who took it, when and where. */
export async function placePhoto(
  db: Db,
  scope: Scope,
  given: Given,
  named: CandidateShift | undefined,
  says: CameraData,
): Promise<PlacedPhoto> {
  const typedAt = given.takenAt === undefined ? null : Date.parse(given.takenAt)
  const typedPlace =
    given.latitude === undefined || given.longitude === undefined
      ? null
      : { latitude: given.latitude, longitude: given.longitude }
  const place = says.place ?? typedPlace
  const cameraIn: InstantInZone = (zone) => says.at ?? (says.clock === null ? null : instantOfClock(says.clock, zone))
  const momentIn: InstantInZone = (zone) => cameraIn(zone) ?? typedAt
  const near = says.at ?? (says.clock === null ? typedAt : Date.parse(`${says.clock}Z`))
  const sought = { given, place, momentIn, near }
  const shift = named ?? (await (scope.rows === 'own' ? ofDriver(db, scope, sought) : ofOffice(db, sought)))
  const programUid = given.programUid ?? shift?.programUid
  if (!programUid) throw fileRefusal(NO_PROGRAM)
  const markets = await loadMarkets(db, programUid)
  const market = markets.find(({ uid }) => uid === given.marketUid) ?? marketOfPlace(markets, place)
  const marketUid = shift?.marketUid ?? market?.uid ?? (markets.length === 1 ? markets[0]?.uid : undefined) ?? null
  const zone = shift?.zone ?? markets.find(({ uid }) => uid === marketUid)?.zone
  // Without a zone the camera's clock is no moment; a moment that it gave itself is one anywhere.
  const cameraAt = zone ? cameraIn(zone) : says.at
  const at = cameraAt ?? typedAt
  return {
    programUid,
    marketUid,
    shift: shift ?? null,
    at,
    timeSource: at === null ? null : cameraAt === null ? 'typed' : 'exif',
    place,
    placeSource: place === null ? null : says.place ? 'exif' : 'typed',
  }
}

interface Sought {
  given: Given
  place: Point | null
  momentIn: InstantInZone
  near: number | null
}

/** Drivers send what they have just taken: a photo that does not say when is of the shift they are on. */
async function ofDriver(db: Db, { actor }: Scope, { given, momentIn, near }: Sought): Promise<CandidateShift> {
  const now = await sharedNow(db)
  const { programUid, marketUid } = given
  const own = await shiftsNear(db, near ?? now, { programUid, marketUid, driverUid: actor.uid })
  const [likeliest] = shiftsNearPhoto(own, near === null ? () => now : momentIn)
  if (!likeliest) throw fileRefusal(NO_SHIFT)
  return likeliest
}

async function ofOffice(db: Db, { given, place, momentIn, near }: Sought): Promise<CandidateShift | undefined> {
  if (near === null) return undefined
  const { programUid } = given
  const marketUid = given.marketUid ?? marketOfPlace(await loadMarkets(db, programUid), place)?.uid
  const around = shiftsNearPhoto(await shiftsNear(db, near, { programUid, marketUid, driverUid: null }), momentIn)
  return chooseShift(await located(db, around, momentIn, place), place, programUid !== undefined)
}

/** Shifts with where their trucks were when the photo was taken; without a place nobody needs to know. */
async function located(
  db: Db,
  shifts: CandidateShift[],
  momentIn: InstantInZone,
  place: Point | null,
): Promise<LocatedCandidate[]> {
  const moments = shifts.map(({ truckUid, zone }) => ({ truckUid, at: momentIn(zone) ?? 0 }))
  const fixes = await fixesAround(db, place ? moments : [])
  return shifts.map((shift, index) => {
    const at = moments[index]?.at ?? 0
    const nearest = fixes[index]?.toSorted((one, other) => Math.abs(one.at - at) - Math.abs(other.at - at))[0]
    return { ...shift, truckAt: nearest ?? null }
  })
}
