import { formatDateTime, type OvertimeWeek, type PayLine, type PayPeriodRef, type PayRate } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { selectList, utcText } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import { minuteColumns, PLANNED_JOINS, plannedColumns } from '../../planning/shifts/index.ts'
import type { DriverLine, PayShiftFacts } from './rules.ts'

/** Local days, the last one included. */
export interface DayRange {
  from: string
  to: string
}

/** The drivers in a scope, or those of them that are named. */
export interface DriverFilter {
  scope: Scope
  drivers?: string[] | undefined
}

/** The condition on a column that holds the driver. */
export function ofDrivers(column: string, { scope, drivers }: DriverFilter) {
  const own = scope.rows === 'own' ? sql` and ${sql.ref(column)} = ${scope.actor.uid}` : sql``
  const named = drivers ? sql` and ${sql.ref(column)} = any(${drivers})` : sql``
  return sql`true${own}${named}`
}

const { driver: _driver, client: _client, ...planned } = plannedColumns
const selected = selectList({
  ...planned,
  driverUid: sql`t.driver_uid`,
  truck: sql`tr.number`,
  program: sql`p.name`,
  market: sql`m.name`,
  status: sql`t.status`,
  statusReason: sql`t.reason`,
  startedAt: sql`t.started_at`,
  stoppedAt: sql`t.stopped_at`,
  ...minuteColumns,
  metres: sql`k.metres`,
  coverage: sql`k.coverage`,
  planned: sql`t.pay_option`,
  override: sql`case when o.version is not null then json_build_object('option', o.pay_option, 'decision', o.decision,
    'note', o.note, 'by', coalesce(w.name, ''), 'at', ${utcText('o.updated_at')}, 'version', o.version) end`,
  frozenIn: sql`case when f.uid is not null then json_build_object('from', f.starts_on, 'to', f.ends_on) end`,
})

/** A shift, with the days of the period that froze its pay. */
export type PayShift = PayShiftFacts & { frozenIn: DayRange | null }

/** The shifts that start on some days, as they are now. */
export async function loadShifts(db: Db, days: DayRange, filter: DriverFilter): Promise<PayShift[]> {
  const { rows } = await sql<PayShift>`
    select ${selected} from shift t ${PLANNED_JOINS}
      left join shift_track k on k.shift_uid = t.uid
      left join pay_override o on o.shift_uid = t.uid
      left join user_account w on w.uid = o.changed_by
      left join pay_line l on l.shift_uid = t.uid
      left join pay_period f on f.uid = l.period_uid
     where t.deleted_at is null and t.local_date between ${days.from} and ${days.to}
       and ${ofDrivers('t.driver_uid', filter)}
     order by t.local_date, t.starts_at, t.uid`.execute(db)
  return rows
}

/** The pay for a shift as an approved or locked period froze it. */
export interface FrozenLine extends DriverLine {
  shiftUid: string
  period: PayPeriodRef
  /** What the driver reported after the lock: `start at Jul 1, 2026, 1:00 PM CDT`. */
  late: string | null
}

/**
 * Whether an event of the line's driver, or of the truck, arrived after the lock. An event carries the time at which its
 * transaction began: one that came to the lock within the next minute is known by its time, which the shift does not have.
 */
const IS_LATE = sql`(e.user_uid is null or e.user_uid = l.driver_uid)
  and (e.received_at > f.locked_at or e.received_at > f.locked_at - interval '1 minute'
  and e.at is distinct from case e.kind when 'start' then s.started_at else s.stopped_at end)`

/** The lines of some days that approved and locked periods froze. */
export async function loadFrozenLines(db: Db, days: DayRange, filter: DriverFilter): Promise<FrozenLine[]> {
  const { rows } = await sql<Omit<FrozenLine, 'late'> & { late: LateEvent[] | null }>`
    select l.shift_uid as "shiftUid", l.driver_uid as "driverUid", l.line,
           json_build_object('uid', f.uid, 'from', f.starts_on, 'to', f.ends_on, 'state', f.state, 'version', f.version) as period,
           (select json_agg(json_build_object('kind', e.kind, 'at', e.at) order by e.at)
              from driver_event e join shift s on s.uid = e.shift_uid where e.shift_uid = l.shift_uid and ${IS_LATE}) as late
      from pay_line l join pay_period f on f.uid = l.period_uid
     where l.local_date between ${days.from} and ${days.to} and ${ofDrivers('l.driver_uid', filter)}`.execute(db)
  return rows.map((row) => ({ ...row, line: withLaterFields(row.line), late: lateText(row.late, row.line.zone) }))
}

interface LateEvent {
  kind: string
  at: string
}

const lateText = (events: LateEvent[] | null, zone: string) =>
  events && events.map(({ kind, at }) => `${kind} at ${formatDateTime(at, zone)}`).join('; ')

/** Adds the fields that lines of earlier versions were frozen without. */
function withLaterFields(line: PayLine): PayLine {
  const { override } = line
  return { ...line, needsDecision: false, override: override && { ...override, decision: override.decision ?? null } }
}

/** A period, with the weekly hours after which overtime began when it was approved, and whether its total has overtime. */
export type PeriodFacts = PayPeriodRef & { overtimeAfterHours: number; paysOvertime: boolean }

/** The approved and locked periods that overlap some days, and the open period of exactly these days. */
export async function loadPeriods(db: Db, { from, to }: DayRange): Promise<PeriodFacts[]> {
  const { rows } = await sql<PeriodFacts>`
    select uid, starts_on as "from", ends_on as "to", state, version, overtime_after_hours as "overtimeAfterHours",
           exists (select from pay_overtime o where o.period_uid = p.uid) as "paysOvertime"
      from pay_period p
     where daterange(starts_on, ends_on, '[]') && daterange(${from}::date, ${to}::date, '[]')
       and (state <> 'open' or starts_on = ${from} and ends_on = ${to})
     order by starts_on`.execute(db)
  return rows
}

/** The overtime that periods froze as part of their totals, of the weeks that end on some days. */
export async function loadFrozenWeeks(db: Db, { from, to }: DayRange, filter: DriverFilter) {
  const { rows } = await sql<{ driverUid: string; week: Omit<OvertimeWeek, 'isPaid'> }>`
    select o.driver_uid as "driverUid", o.line as week from pay_overtime o
     where o.week between ${from}::date - 6 and ${to}::date - 6 and ${ofDrivers('o.driver_uid', filter)}`.execute(db)
  return rows.map(({ driverUid, week }) => ({ driverUid, week: { ...week, isPaid: true } }))
}

export interface PaidDriver {
  uid: string
  name: string
  payrollId: string
}

/** Drivers by uid, including deleted ones, whose pay is kept. */
export async function loadDrivers(db: Db, uids: string[]): Promise<Map<string, PaidDriver>> {
  const rows = await db
    .selectFrom('user_account')
    .select(['uid', 'name', 'payroll_id as payrollId'])
    .where('uid', '=', sql<string>`any(${uids})`)
    .execute()
  return new Map(rows.map((row) => [row.uid, row]))
}

/** The rates of drivers, by their uid. */
export async function loadRates(db: Db, uids: string[]): Promise<Map<string, PayRate[]>> {
  const rows = await db
    .selectFrom('pay_rate')
    .select(['user_uid', 'valid_from as validFrom', 'half_day_cents as payHalfDay'])
    .select(['eight_hours_cents as payEightHours', 'twelve_hours_cents as payTwelveHours'])
    .where('user_uid', '=', sql<string>`any(${uids})`)
    .execute()
  return groupBy(rows, (row) => row.user_uid)
}
