import { type QueryOf, type ReplayShift, type replays, type TruckKind } from '@roadshow/contract'
import { sql } from 'kysely'
import { readTruckDay } from '../../live/fleet/index.ts'
import type { TimeRange } from '../../live/telemetry/index.ts'
import { shiftRecords } from '../../planning/shifts/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { SqlFragment } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { AppError } from '../../platform/runtime/app-error.ts'

export type ReplayQuery = QueryOf<typeof replays.get> & { now: number }

const MINUTE = 60_000
const DAY_MS = 24 * 60 * MINUTE

/** The time that a replay is about, and what of it its reader may see. */
export interface ReplaySpan extends TimeRange {
  truck: { uid: string; name: string; kind: TruckKind }
  day: string
  zone: string
  isRunning: boolean
  /** The hours of shifts in it; for a replay of a shift its own ones. */
  shifts: ReplayShift[]
  /** Whether it is about one shift. */
  isOfShift: boolean
  /** The hours outside of which a client or driver sees nothing; undefined for staff. */
  only: TimeRange[] | undefined
}

/** Holds of clients are those of their programs, holds of drivers those of the shifts that they drive. */
const isOwnHold = ({ rows, actor }: Scope): SqlFragment => {
  if (rows === 'all') return sql`true`
  return actor.role === 'client' ? sql`h.client_uid = ${actor.clientUid}` : sql`s.driver_uid = ${actor.uid}`
}

/** The hours that a reader's shifts hold a truck, in their order. */
async function readHolds(db: Db, scope: Scope, condition: SqlFragment): Promise<ReplayShift[]> {
  const { rows } = await sql<ReplayShift>`
    select h.shift_uid as uid, json_build_object('uid', p.uid, 'name', p.name) as program, m.name as market,
           (extract(epoch from lower(h.during)) * 1000)::float8 as "from",
           (extract(epoch from upper(h.during)) * 1000)::float8 as "to"
      from truck_hold h join shift s on s.uid = h.shift_uid join client_program p on p.uid = h.program_uid
      join market m on m.uid = s.market_uid
     where ${condition} and ${isOwnHold(scope)} order by h.during`.execute(db)
  return rows
}

async function readTruck(db: Db, uid: string): Promise<ReplaySpan['truck']> {
  const truck = await db
    .selectFrom('truck')
    .select(['uid', 'number as name', 'kind'])
    .where('uid', '=', uid)
    .executeTakeFirst()
  if (!truck) throw new AppError('notFound')
  return truck as ReplaySpan['truck']
}

/** Whole minutes, and none that is still to come. */
function wholeMinutes({ from, to }: TimeRange, now: number): TimeRange {
  const first = Math.floor(from / MINUTE) * MINUTE
  return { from: first, to: Math.max(first, Math.ceil(Math.min(to, now) / MINUTE) * MINUTE) }
}

async function spanOfShift(db: Db, scope: Scope, uid: string, now: number): Promise<ReplaySpan> {
  const shift = await shiftRecords.get(db, scope, uid)
  const shifts = await readHolds(db, scope, sql`h.shift_uid = ${uid}`)
  const [first, last] = [shifts[0], shifts.at(-1)]
  const planned = { from: Date.parse(shift.startsAt), to: Date.parse(shift.endsAt) }
  const held = first && last ? { from: first.from, to: last.to } : planned
  return {
    ...wholeMinutes(held, now),
    truck: await readTruck(db, shift.truck.uid),
    day: shift.date,
    zone: shift.zone,
    isRunning: last !== undefined && last.from <= now && last.to > now,
    shifts,
    isOfShift: true,
    only: scope.rows === 'all' ? undefined : shifts,
  }
}

/** The day of a truck. Clients and drivers get the part of it from their first hour to their last one. */
async function spanOfDay(db: Db, scope: Scope, uid: string, { day, at, now }: ReplayQuery): Promise<ReplaySpan> {
  const truck = await readTruck(db, uid)
  const isAll = scope.rows === 'all'
  const moment = at === undefined ? now : Date.parse(at)
  const around = day === undefined ? moment : Date.parse(day)
  // Local days, and shifts that begin on them, lie within three days of UTC's.
  const near = { from: new Date(around - 3 * DAY_MS), to: new Date(around + 4 * DAY_MS) }
  const holds = await readHolds(
    db,
    scope,
    sql`h.truck_uid = ${uid} and h.during && tstzrange(${near.from}, ${near.to}) and lower(h.during) <= ${new Date(now)}`,
  )
  const own = new Set(holds.map((hold) => hold.uid))
  if (!isAll && own.size === 0) throw new AppError('notFound')
  const isOwn = isAll ? undefined : (shift: { uid: string }) => own.has(shift.uid)
  const { date, zone, hours } = await readTruckDay(db, uid, { day, at: moment, now, isOwn })
  const shifts = holds.filter(({ from, to }) => from < hours.to && to > hours.from)
  const [first, last] = [shifts[0], shifts.at(-1)]
  if (!isAll && !(first && last)) throw new AppError('notFound')
  const seen =
    isAll || !first || !last ? hours : { from: Math.max(hours.from, first.from), to: Math.min(hours.to, last.to) }
  return {
    ...wholeMinutes(seen, now),
    truck,
    day: date,
    zone,
    isRunning: seen.from <= now && seen.to > now,
    shifts,
    isOfShift: false,
    only: isAll ? undefined : shifts,
  }
}

/** The time that a query is about. A truck and hours that are not the reader's answer 404. */
export async function findSpan(db: Db, scope: Scope, query: ReplayQuery): Promise<ReplaySpan> {
  const { shift, truck } = query
  if (shift !== undefined) return spanOfShift(db, scope, shift, query.now)
  if (truck === undefined) throw new AppError('badRequest')
  return spanOfDay(db, scope, truck, query)
}
