import {
  addDays,
  type BodyOf,
  formatClock,
  formatDay,
  localDay,
  type Market,
  type markets,
  type QueryOf,
  type ShiftStatus,
  shiftRange,
  type ZoneChange,
  zoneOn,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { marketRecords, saveMarketZones } from '../../../catalog/markets/index.ts'
import { sharedNow } from '../../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../../platform/db/connection.ts'
import type { Scope } from '../../../platform/db/records/scope.ts'
import { AppError, refuseFields } from '../../../platform/runtime/app-error.ts'
import { BookingIndex } from '../bookings.ts'
import { moveToZone } from '../bulk-write.ts'
import { withShiftEvents } from '../changes.ts'
import { applyDriverEventsOf } from '../driver-events.ts'
import { loadBookingsAround } from '../facts.ts'
import { clashProblems } from '../rules.ts'
import { checkNewZone, earliestZoneDay, type NewZone, zonesAfter } from './rules.ts'

/** The first day from which a market can get another zone. */
async function loadEarliest(db: Db, market: Market): Promise<string> {
  const now = await sharedNow(db)
  const { rows } = await sql<{ lastShift: string | null; lastLocked: string | null }>`
    select (select max(local_date) from shift
             where market_uid = ${market.uid} and deleted_at is null and status <> 'cancelled'
               and (starts_at <= ${new Date(now)} or status <> 'planned')) as "lastShift",
           (select max(ends_on) from pay_period where state = 'locked') as "lastLocked"`.execute(db)
  const { lastShift = null, lastLocked = null } = rows[0] ?? {}
  const utcDay = new Date(now).toISOString().slice(0, 10)
  return earliestZoneDay({ today: localDay(zoneOn(market, utcDay), now), lastShift, lastLocked })
}

interface ShiftOfZone {
  uid: string
  truckUid: string
  driverUid: string
  truck: string
  date: string
  start: string
  end: string
  status: ShiftStatus
  isDeleted: boolean
}

/** The shifts of a market from a day on that have another zone, deleted ones too; in a transaction they stay locked. */
async function loadShiftsFrom(db: Db, marketUid: string, { zone, from }: NewZone): Promise<ShiftOfZone[]> {
  const { rows } = await sql<ShiftOfZone>`
    select t.uid, t.truck_uid as "truckUid", t.driver_uid as "driverUid", r.number as truck, t.local_date as date,
           to_char(t.start_time, 'HH24:MI') as start, to_char(t.end_time, 'HH24:MI') as "end", t.status,
           t.deleted_at is not null as "isDeleted"
      from shift t join truck r on r.uid = t.truck_uid
     where t.market_uid = ${marketUid} and t.local_date >= ${from}::date and t.zone <> ${zone}
       and t.status not in ('out', 'completed')
     order by t.uid ${db.isTransaction ? sql`for update of t` : sql``}`.execute(db)
  return rows
}

const isPlanned = ({ status, isDeleted }: ShiftOfZone): boolean => status === 'planned' && !isDeleted

/** A shift with the instants at which clocks of another zone show its times; undefined where they skip them. */
function withInstants(shift: ShiftOfZone, zone: string) {
  const { startsAt, endsAt } = shiftRange({ ...shift, zone })
  return startsAt === undefined || endsAt === undefined ? undefined : { ...shift, zone, startsAt, endsAt }
}
type MovedShift = NonNullable<ReturnType<typeof withInstants>>

/** Names the first shift whose times the clocks of the new zone skip. */
function findSkipped(shifts: readonly ShiftOfZone[], zone: string): string | undefined {
  const skipped = shifts.find((shift) => isPlanned(shift) && !withInstants(shift, zone))
  if (!skipped) return undefined
  const { truck, date, start } = skipped
  return `Clocks in ${zone} skip a time of the shift of ${truck} on ${formatDay(date)}, ${formatClock(start)}. Change that shift first.`
}

/** Names the shifts in other markets that the moved ones would overlap. */
async function findOverlaps(db: Db, moved: readonly MovedShift[]): Promise<string | undefined> {
  const uids = new Set(moved.map(({ uid }) => uid))
  const bookings = await loadBookingsAround(db, moved)
  const index = new BookingIndex(bookings.filter(({ uid }) => !uids.has(uid)))
  const clashes = moved.flatMap((shift) => index.clashesWith(shift))
  const once = [...new Map(clashes.map((clash) => [`${clash.over} ${clash.uid}`, clash])).values()]
  return once.length === 0 ? undefined : Object.values(clashProblems(once)).join(' ')
}

/** What another zone changes, and why it cannot be if so. */
async function planZoneChange(db: Db, market: Market, { zone, from }: { zone: string; from?: string | undefined }) {
  const earliest = await loadEarliest(db, market)
  const asked = { zone, from: from ?? earliest }
  const before = zoneOn(market, addDays(asked.from, -1))
  const refusal = checkNewZone(market, asked, earliest)
  const shifts = refusal ? [] : await loadShiftsFrom(db, market.uid, asked)
  const moved = shifts.flatMap((shift) => withInstants(shift, zone) ?? [])
  const problem = refusal ?? findSkipped(shifts, zone) ?? (await findOverlaps(db, moved.filter(isPlanned)))
  return { asked, earliest, before, moved, problem }
}

/** What another time zone of a market from a day on changes. */
export async function previewZoneChange(
  db: Db,
  scope: Scope,
  uid: string,
  query: QueryOf<typeof markets.zoneChange>,
): Promise<ZoneChange> {
  const market = await marketRecords.get(db, scope, uid)
  const { asked, earliest, before, moved, problem } = await planZoneChange(db, market, query)
  return { earliest, from: asked.from, before, shifts: moved.filter(isPlanned).length, problem: problem ?? null }
}

/** Gives a market another time zone from a day on. Its shifts from then on keep the times that clocks show. */
export const changeZone = (
  db: Db,
  scope: Scope,
  uid: string,
  { version, ...given }: BodyOf<typeof markets.changeZone>,
): Promise<Market> =>
  inTransaction(db, async (db) => {
    // Writers of shifts read the zone under a lock of the market, so none of them misses the change.
    await marketRecords.lockRow(db, uid)
    const market = await marketRecords.get(db, scope, uid)
    if (market.version !== version) throw new AppError('staleVersion')
    const { asked, moved, problem } = await planZoneChange(db, market, given)
    if (problem) refuseFields({ from: problem })
    const uids = moved.map((shift) => shift.uid)
    return withShiftEvents(db, uids, async () => {
      await moveToZone(db, scope, moved)
      await applyDriverEventsOf(db, uids, { userUid: scope.actor.uid, address: scope.actor.address })
      return saveMarketZones(db, scope, { uid, version, ...zonesAfter(market, asked) })
    })
  })
