import type { PayAdjustment, PayLine, PayOption, PayPeriodRef, PayRate } from '@roadshow/contract'
import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { Values } from '../../platform/db/records/pieces.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { minuteColumns, PLANNED_JOINS, plannedColumns } from '../../planning/shifts/index.ts'
import type { ShiftFacts } from './rules.ts'

/** Local days, the last one included. */
export interface Days {
  from: string
  to: string
}

/** Whose pay is asked for: of drivers in a scope, those that are named. */
export interface Whose {
  scope: Scope
  drivers?: string[] | undefined
}

/** The condition that leaves rows of these drivers. */
function ofDrivers(values: Values, column: string, { scope, drivers }: Whose): string {
  const own = scope.rows === 'own' ? [values.bind([`${column} = ?`, scope.actor.uid])] : []
  const named = drivers ? [values.bind([`${column} = any(?)`, drivers])] : []
  return ['true', ...own, ...named].join(' and ')
}

const run = async <Row>(db: Db, text: string, values: Values) =>
  (await db.executeQuery<Row>(CompiledQuery.raw(text, values.list))).rows

const { date, start, end, zone, startsAt, endsAt } = plannedColumns
const columns = {
  uid: 't.uid',
  driverUid: 't.driver_uid',
  date,
  start,
  end,
  zone,
  startsAt,
  endsAt,
  truck: 'tr.number',
  program: 'p.name',
  market: 'm.name',
  status: 't.status',
  statusReason: 't.reason',
  startedAt: 't.started_at',
  stoppedAt: 't.stopped_at',
  ...minuteColumns,
  metres: 'k.metres',
  coverage: 'k.coverage',
  planned: 't.pay_option',
  option: 'o.pay_option',
  note: 'o.note',
  by: `coalesce(w.name, '')`,
  at: 'o.updated_at',
  version: 'o.version',
  frozenFrom: 'f.starts_on',
  frozenTo: 'f.ends_on',
}
const selected = Object.entries(columns)
  .map(([name, of]) => `${of} as "${name}"`)
  .join(', ')

type Found = Omit<ShiftFacts, 'override'> & { option: PayOption | null; note: string; by: string } & {
  at: string
  version: number | null
  frozenFrom: string | null
  frozenTo: string
}

/** A shift, and the days of the period that has frozen it, wherever it is now. */
export type Known = ShiftFacts & { frozenIn: Days | null }

/** The shifts that start on some days, as they are now. */
export async function shiftsOf(db: Db, days: Days, whose: Whose): Promise<Known[]> {
  const values = new Values()
  const rows = await run<Found>(
    db,
    `select ${selected} from shift t ${PLANNED_JOINS}
       left join shift_track k on k.shift_uid = t.uid
       left join pay_override o on o.shift_uid = t.uid
       left join user_account w on w.uid = o.changed_by
       left join pay_line l on l.shift_uid = t.uid
       left join pay_period f on f.uid = l.period_uid
      where t.deleted_at is null and t.local_date between ${values.add(days.from)} and ${values.add(days.to)}
        and ${ofDrivers(values, 't.driver_uid', whose)}
      order by t.local_date, t.starts_at, t.uid`,
    values,
  )
  return rows.map(({ option, note, by, at, version, frozenFrom, frozenTo, ...shift }) => ({
    ...shift,
    override: version === null ? null : { option, note, by, at, version },
    frozenIn: frozenFrom === null ? null : { from: frozenFrom, to: frozenTo },
  }))
}

export interface Frozen {
  shiftUid: string
  driverUid: string
  line: PayLine
  period: PayPeriodRef
  /** What its truck reported after the lock: `start at 2026-07-01T13:00:00Z`. */
  late: string | null
}

/** What approved and locked periods froze of some days. */
export async function frozenOf(db: Db, days: Days, whose: Whose): Promise<Frozen[]> {
  const values = new Values()
  return run<Frozen>(
    db,
    `select l.shift_uid as "shiftUid", l.driver_uid as "driverUid", l.line,
            json_build_object('uid', f.uid, 'from', f.starts_on, 'to', f.ends_on, 'state', f.state, 'version', f.version) as period,
            (select string_agg(e.kind || ' at ' || to_char(e.at at time zone (l.line ->> 'zone'), 'YYYY-MM-DD HH24:MI'), ', ' order by e.at)
               from driver_event e where e.shift_uid = l.shift_uid and e.received_at > f.locked_at) as late
       from pay_line l join pay_period f on f.uid = l.period_uid
      where l.local_date between ${values.add(days.from)} and ${values.add(days.to)}
        and ${ofDrivers(values, 'l.driver_uid', whose)}`,
    values,
  )
}

/** A period, and after how many hours of a week overtime began when it was approved. */
export type Period = PayPeriodRef & { overtimeAfterHours: number }

/** The approved and locked periods that have days in common with some days; with them, the one of exactly these days. */
export async function periodsOf(db: Db, { from, to }: Days): Promise<Period[]> {
  const { rows } = await sql<Period>`
    select uid, starts_on as "from", ends_on as "to", state, version, overtime_after_hours as "overtimeAfterHours"
      from pay_period
     where daterange(starts_on, ends_on, '[]') && daterange(${from}::date, ${to}::date, '[]')
       and (state <> 'open' or starts_on = ${from} and ends_on = ${to})
     order by starts_on`.execute(db)
  return rows
}

export const ADJUSTMENTS = `pay_adjustment a
  join user_account d on d.uid = a.driver_uid
  left join user_account w on w.uid = a.created_by
  left join shift t on t.uid = a.shift_uid
  left join truck tr on tr.uid = t.truck_uid
  left join client_program p on p.uid = t.program_uid`
export const adjustmentColumns = `a.uid, json_build_object('uid', d.uid, 'name', d.name) as driver, a.local_date as date,
  a.cents, a.note, a.created_at as "createdAt", a.version, coalesce(w.name, '') as by,
  case when t.uid is not null then json_build_object('uid', t.uid, 'date', t.local_date,
    'start', to_char(t.start_time, 'HH24:MI'), 'truck', tr.number, 'program', p.name) end as shift`

/** What was added or taken off on some days. */
export async function adjustmentsOf(db: Db, days: Days, whose: Whose): Promise<PayAdjustment[]> {
  const values = new Values()
  return run<PayAdjustment>(
    db,
    `select ${adjustmentColumns} from ${ADJUSTMENTS}
      where a.deleted_at is null and a.local_date between ${values.add(days.from)} and ${values.add(days.to)}
        and ${ofDrivers(values, 'a.driver_uid', whose)}
      order by a.local_date, a.uid`,
    values,
  )
}

export interface Driver {
  uid: string
  name: string
  payrollId: string
}

/** Drivers by uid, deleted ones included: what they earned stays. */
export async function driversOf(db: Db, uids: string[]): Promise<Map<string, Driver>> {
  const rows = await db
    .selectFrom('user_account')
    .select(['uid', 'name', 'payroll_id as payrollId'])
    .where(sql<boolean>`uid = any(${uids}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.uid, row]))
}

/** The rates of drivers, by their uid. */
export async function ratesOf(db: Db, uids: string[]): Promise<Map<string, PayRate[]>> {
  const rows = await db
    .selectFrom('pay_rate')
    .selectAll()
    .where(sql<boolean>`user_uid = any(${uids}::uuid[])`)
    .execute()
  const rates = new Map<string, PayRate[]>()
  for (const row of rows) {
    const rate = {
      validFrom: row.valid_from,
      payHalfDay: row.half_day_cents,
      payEightHours: row.eight_hours_cents,
      payTwelveHours: row.twelve_hours_cents,
    }
    rates.set(row.user_uid, [...(rates.get(row.user_uid) ?? []), rate])
  }
  return rates
}
