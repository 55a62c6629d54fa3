import {
  type Campaign,
  type CampaignWeek,
  formatMoment,
  formatFullDay,
  type LinkTruck,
  type ProgramDelivery,
  type PublicPhoto,
  type UpcomingShift,
  formatClocks,
  zoneName,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { sharedNow } from '../../../platform/db/clock.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { formatLocalTime } from '../../../platform/spreadsheet/local-time.ts'
import { deliveriesOf } from '../../delivery/index.ts'
import { type ApprovedPhoto, newestApproved, toPublicPhoto } from '../../photos/index.ts'
import { loadProgramDays } from '../../pop/index.ts'
import type { OpenLink } from '../links.ts'
import { MARKETS, nextShifts, TODAY } from '../queries.ts'
import { daysOfWeek, weekOf } from '../week.ts'
import { type PastTruck, trucksAt } from './past-trucks.ts'

const PHOTOS = 50
const SHIFTS = 8

/** What the public sees of a photo. */
interface LinkPhoto extends PublicPhoto {
  market: string
}

/** The figures of a campaign and where its trucks were a set time ago: what an open page asks for again. */
export interface LiveContent {
  week: CampaignWeek
  delivery: ProgramDelivery | undefined
  /** The moment of the positions. */
  asOf: number
  trucks: PastTruck[]
  /** The next planned shifts. */
  upcoming: UpcomingShift[]
}

export interface LinkContent extends LiveContent {
  program: string
  client: string
  startsOn: string
  endsOn: string
  markets: Campaign['markets']
  photos: LinkPhoto[]
  photosTotal: number
}

interface ProgramRow extends Pick<LinkContent, 'program' | 'client' | 'startsOn' | 'endsOn' | 'markets'> {
  today: string
}

/** Names and dates of the program of a link. */
async function readProgram(db: Db, uid: string): Promise<ProgramRow | undefined> {
  const { rows } = await sql<ProgramRow>`
    select t.name as program, c.name as client, t.starts_on as "startsOn", t.ends_on as "endsOn",
           (${TODAY}) as today, ${MARKETS} as markets
      from client_program t join client c on c.uid = t.client_uid where t.uid = ${uid}`.execute(db)
  return rows[0]
}

async function readLive(db: Db, { programUid, delayMinutes }: OpenLink, today: string): Promise<LiveContent> {
  const now = await sharedNow(db)
  const asOf = now - delayMinutes * 60_000
  const days = await loadProgramDays(db, [programUid], daysOfWeek(today))
  const deliveries = await deliveriesOf(db, 'all', [programUid], now)
  return {
    week: weekOf(days.get(programUid) ?? [], today),
    delivery: deliveries.get(programUid),
    asOf,
    trucks: await trucksAt(db, programUid, asOf, now),
    upcoming: await nextShifts(db, [programUid], SHIFTS),
  }
}

/** What an open page asks for again. */
export async function loadLive(db: Db, link: OpenLink): Promise<LiveContent | undefined> {
  const program = await readProgram(db, link.programUid)
  return program && readLive(db, link, program.today)
}

/** All that the page of a link shows. */
export async function loadContent(db: Db, link: OpenLink): Promise<LinkContent | undefined> {
  const program = await readProgram(db, link.programUid)
  if (!program) return undefined
  const photos = await newestApproved(db, [link.programUid], PHOTOS)
  return {
    ...program,
    ...(await readLive(db, link, program.today)),
    photos: photos.map(toLinkPhoto),
    photosTotal: photos[0]?.total ?? 0,
  }
}

const toLinkPhoto = ({ market, zone, ...photo }: ApprovedPhoto): LinkPhoto => ({
  ...toPublicPhoto({ ...photo, takenAt: photo.takenAt && formatLocalTime(photo.takenAt, zone ?? 'UTC') }),
  market: market ?? '',
})

/** A planned shift in words: `Mon, Nov 16, 2026, 8:00 AM–4:00 PM CST`. */
export const shiftText = (shift: Pick<UpcomingShift, 'date' | 'start' | 'end' | 'zone'>): string =>
  `${formatFullDay(shift.date)}, ${formatClocks(shift)} ${zoneName(shift.zone, `${shift.date}T12:00:00Z`)}`

/** The trucks that the public sees. */
export const linkTrucks = ({ trucks }: Pick<LiveContent, 'trucks'>): LinkTruck[] =>
  trucks.flatMap(({ market, zone, place }) => (place ? [{ market, ...place, at: formatMoment(place.at, zone) }] : []))
