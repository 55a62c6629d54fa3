import {
  isOutsider,
  type Figures,
  type fleet,
  motionOf,
  type OverviewShift,
  type Page,
  type QueryOf,
  type ShiftStage,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { type ListQuery, records } from '../../platform/db/records/records.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import {
  driverMatches,
  driverSigns,
  hasMark,
  holdsTruckAt,
  NO_DRIVER_SIGNS,
  IS_NOT_STARTED,
  IS_STARTED_LATE,
  ownShifts,
  PLANNED_JOINS,
  plannedColumns,
} from '../../planning/shifts/index.ts'
import { loadFiguresDay, playsOfShifts, playTotals } from '../plays/index.ts'
import { programText } from '../../catalog/programs/index.ts'
import { truckText } from '../../catalog/trucks/index.ts'
import { shownSets } from '../../planning/rotation/index.ts'
import { trucksOfClient } from './client-view.ts'
import { liveTrucks } from './live-trucks.ts'
import { countIssues } from './queries.ts'
import { type PlayerHealth, readinessOf } from './rules.ts'
import { shiftWithoutPlays, shouldHavePlays } from './without-plays.ts'

type Row = Omit<OverviewShift, 'state' | 'ready'> & {
  hasScreen: boolean
  playerSeenAt: string | null
  needed: string[]
  health: { receivedAt: string; files: string[]; clockOffsetMs: number; gpsFix: boolean } | null
}
interface Query extends ListQuery {
  day?: string | undefined
  today?: true | undefined
  /** The day of the figures. */
  now?: string | undefined
  market?: string[] | undefined
  stage?: ShiftStage | undefined
}

/** Shifts of today in their own zone. */
const IS_TODAY = sql`t.local_date between current_date - 1 and current_date + 1
  and t.local_date = (now() at time zone t.zone)::date`

/** Shifts from the day of the figures to today in their own zone, and earlier ones that still have their truck. */
const isNow = (day: unknown) => sql`t.local_date between current_date - 2 and current_date + 1
  and (t.local_date between ${day}::date and (now() at time zone t.zone)::date or ${holdsTruckAt('t', sql`now()`)})`

const IS_STILL_OUT_AFTER_LATE_START = sql`t.status = 'out' and ${IS_STARTED_LATE}`

const dayRecords = records<'shift', Row, Query>({
  table: 'shift',
  joins: sql`${PLANNED_JOINS}
          left join shift_track k on k.shift_uid = t.uid
          left join truck_now n on n.truck_uid = t.truck_uid`,
  columns: {
    ...plannedColumns,
    status: sql`t.status`,
    startedAt: sql`t.started_at`,
    stoppedAt: sql`t.stopped_at`,
    isLate: sql`(${IS_NOT_STARTED})`,
    ...driverSigns,
    isWithoutPlays: shouldHavePlays,
    metres: sql`k.metres`,
    plays: sql`0`,
    hasScreen: sql`tr.kind = 'led'`,
    playerSeenAt: sql`n.player_seen_at`,
    needed: sql`coalesce((
      select json_agg(f.sha256) from artwork_set a
        join stored_file f on f.uid in (a.driver_side_artwork_uid, a.passenger_side_artwork_uid, a.rear_artwork_uid)
       where a.uid in ${shownSets('t')} and a.status = 'approved'), '[]')`,
    health: sql`(select json_build_object('receivedAt', h.at, 'files', h.files, 'clockOffsetMs', h.clock_offset_ms, 'gpsFix', h.gps_fix)
                from device v join device_health h on h.device_uid = v.uid
               where v.truck_uid = t.truck_uid and v.kind = 'player' and v.deleted_at is null
               order by h.at desc limit 1)`,
  },
  sorts: { startsAt: sql`t.starts_at` },
  filters: {
    day: (day) => sql`t.local_date = ${day}`,
    // A statement is kept for any value of its filters, so what depends on one is a filter of its own.
    today: () => IS_TODAY,
    now: isNow,
    market: (market) => sql`t.market_uid = any(${market})`,
    stage: (
      stage,
    ) => sql`(${stage} = any(case when ${IS_NOT_STARTED} then array['planned', 'late'] when t.status = 'completed' then array['done']
                         else array[t.status::text] end)
            or (${stage} = 'startedLate' and ${IS_STILL_OUT_AFTER_LATE_START})
            or (${stage} = 'withoutPlays' and ${shiftWithoutPlays}))`,
  },
  unstampedFilters: ['today', 'now', 'stage'],
  search: (pattern, actor) => sql`(
    t.truck_uid in (select x.uid from truck x where ${truckText(actor, 'x')} like lower(${pattern}))
    or ${driverMatches(actor, pattern)}
    or t.program_uid in (select p.uid from client_program p where ${programText(actor, 'p')} like lower(${pattern})))`,
  own: ownShifts,
  staffOnly: { driver: null, ...NO_DRIVER_SIGNS },
  complete: withPlays,
})

async function withPlays(db: Db, rows: readonly Row[]): Promise<Row[]> {
  const plays = await playsOfShifts(
    db,
    rows.map(({ uid }) => uid),
  )
  return rows.map((shift) => {
    const { count } = plays.get(shift.uid) ?? { count: 0 }
    return { ...shift, plays: count, isWithoutPlays: shift.isWithoutPlays && count === 0 }
  })
}

/** Which days are asked for: one, today in each market, or from the day of the figures. */
async function daysOf(db: Db, scope: Scope, query: QueryOf<typeof fleet.shifts>, now: number): Promise<Query> {
  const { day, ...others } = query
  if (day === 'today') return { ...others, today: true }
  return day ? query : { ...query, now: (await loadFiguresDay(db, scope, now)).day }
}

/** The shifts of a day with the live state of their trucks. */
export async function shiftsOfDay(
  db: Db,
  scope: Scope,
  query: QueryOf<typeof fleet.shifts>,
): Promise<Page<OverviewShift>> {
  const now = await sharedNow(db)
  const found = await dayRecords.page(db, scope, await daysOf(db, scope, query, now))
  const live = await liveTrucks(
    db,
    now,
    found.data.map(({ truck }) => truck.uid),
  )
  const states = new Map(live.map((truck) => [truck.shift?.uid, truck.state]))
  const data = found.data.map(({ hasScreen, playerSeenAt, needed, health, ...shift }) => ({
    ...shift,
    state: states.get(shift.uid) ?? null,
    // Printed boards have nothing to get ready. Before its shift a truck may be on a competitor's, so its player is no business
    // of a client.
    ready:
      hasScreen && !isOutsider(scope.actor) && shift.status === 'planned' && Date.parse(shift.endsAt) > now
        ? readinessOf(healthOf(health), needed, playerSeenAt === null ? null : Date.parse(playerSeenAt), now)
        : null,
  }))
  return { ...found, data }
}

const healthOf = (health: Row['health']): PlayerHealth | null =>
  health && { ...health, receivedAt: Date.parse(health.receivedAt) }

const NO_SHIFTS = { planned: 0, out: 0, late: 0, startedLate: 0, done: 0, withScreens: null }

/** Counts the shifts that a list with each mark shows. Older shifts cannot have these marks. */
async function countDriverMarks(db: Db): Promise<Figures['drivers']> {
  const { rows } = await sql<NonNullable<Figures['drivers']>>`
    select count(*) filter (where ${hasMark('declined')}) as declined,
           count(*) filter (where ${hasMark('otherTruck')}) as "otherTruck",
           count(*) filter (where ${hasMark('unanswered')}) as unanswered,
           count(*) filter (where ${hasMark('phoneOffline')}) as "phoneOffline"
      from shift t
     where t.deleted_at is null and t.starts_at > now() - interval '3 days' and t.status in ('planned', 'out')`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Today's figures, for the whole fleet or for the rows that a user may see. */
export async function overviewFigures(db: Db, access: 'all' | Scope, now: number): Promise<Omit<Figures, 'simulated'>> {
  const client = access === 'all' ? undefined : access.actor.clientUid
  const trucks = { moving: 0, parked: 0, silent: 0 }
  const live = client === undefined ? await liveTrucks(db, now) : await trucksOfClient(db, client, now)
  for (const truck of live) trucks[motionOf(truck)] += 1
  const today = await loadFiguresDay(db, access, now)
  const ofClient = client === undefined ? sql`true` : sql`p.client_uid = ${client}`
  const { rows } = await sql<Omit<Figures['shifts'], 'withoutPlays'> & { withScreens: string[] | null }>`
    select count(*) filter (where t.status = 'planned') as planned, count(*) filter (where t.status = 'out') as out,
           count(*) filter (where ${IS_NOT_STARTED}) as late,
           count(*) filter (where ${IS_STILL_OUT_AFTER_LATE_START}) as "startedLate", count(*) filter (where t.status = 'completed') as done,
           array_agg(t.uid) filter (where ${shouldHavePlays}) as "withScreens"
      from shift t left join shift_track k on k.shift_uid = t.uid join client_program p on p.uid = t.program_uid
     where t.deleted_at is null and ${isNow(today.day)} and ${ofClient}`.execute(db)
  const issues = await countIssues(db, client, now)
  const { withScreens, ...shifts } = rows[0] ?? NO_SHIFTS
  const withPlays = withScreens ? (await playsOfShifts(db, withScreens)).size : 0
  return {
    trucks,
    shifts: { ...shifts, withoutPlays: (withScreens?.length ?? 0) - withPlays },
    drivers: client === undefined ? await countDriverMarks(db) : null,
    today,
    plays: await playTotals(db, access, { by: 'oneDay', day: today.day }),
    openIssues: issues.open,
    snoozedIssues: issues.snoozed,
  }
}
