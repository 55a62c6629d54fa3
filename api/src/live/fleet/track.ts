import { type fleet, localDay, type ReplyOf } from '@roadshow/contract'
import { sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { dayFacts } from './day-miles.ts'
import { type DayFacts, hoursOfDay, milesByDay, presentDay, zoneAt } from './day-rules.ts'
import { liveTrucks, visibleTrucks } from './live-trucks.ts'

// A map cannot show more.
const MOST_POINTS = 1000
const DAY_MS = 86_400_000

type Track = ReplyOf<typeof fleet.track>['data']
type TrackPoints = Track['points']

interface TrackQuery {
  /** The truck. */
  uid: string
  day: string | undefined
  now: number
}

/** The positions of a truck on a day of its market, today by default, with its distance. */
export async function trackOfDay(db: Db, scope: Scope, { uid, day, now }: TrackQuery): Promise<Track> {
  const visible = await visibleTrucks(db, scope)
  const [truck] = visible === 'all' || visible.has(uid) ? await liveTrucks(db, now, [uid]) : []
  if (!truck) throw new AppError('notFound')
  const today = new Date(now).toISOString().slice(0, 10)
  const facts = await dayFacts(db, uid, { first: day ?? today, last: day ?? today, now })
  const date = day ?? presentDay(facts, now)
  const hours = await hoursOn(db, date, facts)
  const isToday = localDay(zoneAt(now, facts), now) === date
  const own = scope.rows === 'all' ? undefined : ownShifts(facts, scope.actor.clientUid)
  const [driven] = milesByDay(own ? { ...facts, shifts: own, hours: [] } : facts, date, date)
  const points = await pointsWithin(db, uid, hours)
  const isOwn = (at: string) => own?.some((shift) => isWithin(shift, at)) ?? true
  // A truck that stands sends its state and no fixes.
  const isSeen = truck.positionAt !== null && isWithin(hours, truck.positionAt)
  const metres = driven?.metres ?? (isSeen ? 0 : null)
  return { truck, day: date, isToday, metres, points: points.filter(([, , at]) => isOwn(at)) }
}

const isWithin = ({ from, to }: { from: number; to: number }, at: string): boolean =>
  Date.parse(at) >= from && Date.parse(at) < to

/** A client sees the miles and the route of its own shifts only. */
const ownShifts = ({ shifts }: DayFacts, clientUid: string | null) =>
  shifts.filter((shift) => shift.clientUid === clientUid)

/** The hours of a truck's day, by the midnights of its zone. */
async function hoursOn(db: Db, date: string, facts: DayFacts) {
  const zone = facts.shifts.find((shift) => shift.date === date)?.zone ?? zoneAt(Date.parse(date) + DAY_MS / 2, facts)
  const { rows } = await sql<{ from: number; to: number }>`
    select (extract(epoch from ${date}::date::timestamp at time zone ${zone}) * 1000)::float8 as "from",
           (extract(epoch from (${date}::date + 1)::timestamp at time zone ${zone}) * 1000)::float8 as "to"`.execute(db)
  const [midnights] = rows
  if (!midnights) throw new AppError('notFound')
  return hoursOfDay(date, midnights, facts.shifts)
}

async function pointsWithin(db: Db, uid: string, hours: { from: number; to: number }): Promise<TrackPoints> {
  const { rows } = await sql<{ latitude: number; longitude: number; at: string }>`
    select latitude, longitude, at from (
      select latitude, longitude, at, row_number() over (order by at) as n, count(*) over () as total from position
       where truck_uid = ${uid} and at >= ${new Date(hours.from)} and at < ${new Date(hours.to)}) p
     where n = total or n % greatest(1, ceil(total / ${MOST_POINTS}::numeric))::int = 0
     order by at`.execute(db)
  return rows.map(({ latitude, longitude, at }) => [latitude, longitude, at])
}
