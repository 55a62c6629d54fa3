import {
  addDays,
  type OvertimeWeek,
  type PayAdjustment,
  type PayLine,
  type PayPeriodRef,
  type PayRow,
  workweekOf,
} from '@roadshow/contract'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { readSettings } from '../../catalog/settings/index.ts'
import {
  adjustmentsOf,
  type Days,
  type Driver,
  driversOf,
  type Frozen,
  frozenOf,
  type Known,
  type Period,
  periodsOf,
  ratesOf,
  shiftsOf,
  type Whose,
} from './facts.ts'
import { changeSince, type Limits, lineOf, overlapping, overtimeWeeks } from './rules.ts'

export type PayFigures = Omit<PayRow, 'driver'>

/** What one driver earned on some days. */
export interface DriverPay {
  driver: Driver
  figures: PayFigures
  lines: PayLine[]
  adjustments: PayAdjustment[]
  weeks: OvertimeWeek[]
}

export interface PayBook {
  /** The period of exactly these days. */
  period: PayPeriodRef | null
  /** Approved and locked periods that have days in common with these. */
  periods: PayPeriodRef[]
  /** Those who had a shift or an adjustment, by name. */
  drivers: DriverPay[]
}

interface Entry {
  driverUid: string
  line: PayLine
}

const within = ({ from, to }: Days, date: string) => date >= from && date <= to

/** What is paid for the shifts of some days: as it was frozen where it was, as things are now where it was not. */
async function entriesOf(db: Db, days: Days, whose: Whose, limits: Limits, now: number): Promise<Entry[]> {
  // Those of the days before and after may overlap them.
  const around = await shiftsOf(db, { from: addDays(days.from, -1), to: addDays(days.to, 1) }, whose)
  const frozen = await frozenOf(db, days, whose)
  const closed = (await periodsOf(db, days)).filter(({ state }) => state !== 'open')
  const rates = await ratesOf(db, [...new Set(around.map(({ driverUid }) => driverUid))])
  const overlaps = overlapping(around)
  const live = new Map<string, Entry & Pick<Known, 'frozenIn'>>()
  for (const { frozenIn, ...shift } of around) {
    if (!within(days, shift.date)) continue
    const { driverUid, uid } = shift
    const line = lineOf(shift, { rates: rates.get(driverUid) ?? [], limits, overlaps: overlaps.has(uid), now })
    live.set(uid, { driverUid, line, frozenIn })
  }
  const kept = frozen.map((each): Entry => ({
    driverUid: each.driverUid,
    line: asFrozen(each, live.get(each.shiftUid)),
  }))
  const isKept = new Set(kept.map(entryKey))
  const others = [...live.values()]
    .filter((entry) => !isKept.has(entryKey(entry)))
    .map(({ driverUid, line, frozenIn }): Entry => ({ driverUid, line: withoutTwicePay(line, frozenIn, closed) }))
  return [...kept, ...others].toSorted((a, b) => (placeOf(a.line) < placeOf(b.line) ? -1 : 1))
}

const entryKey = ({ driverUid, line }: Entry) => `${driverUid} ${line.uid}`
const placeOf = ({ date, start, uid }: PayLine) => `${date} ${start} ${uid}`

/** A shift that came into a closed period afterwards, or that another period has frozen, is not paid by its day. */
function withoutTwicePay(line: PayLine, frozenIn: Known['frozenIn'], closed: Period[]): PayLine {
  if (frozenIn) {
    const text = `Was settled with the period from ${frozenIn.from} to ${frozenIn.to}.`
    return { ...line, cents: 0, option: null, rateFrom: null, unpaid: text }
  }
  const period = closed.find((each) => within(each, line.date))
  if (!period) return line
  const text = 'Came into the period after it was approved.'
  const anomalies = [...line.anomalies, { kind: 'changedAfterApproval' as const, text }]
  return { ...line, cents: 0, option: null, rateFrom: null, unpaid: text, anomalies, period: refOf(period) }
}

const refOf = ({ overtimeAfterHours: _hours, ...period }: Period): PayPeriodRef => period

/** A frozen line with what happened since. */
function asFrozen({ line, driverUid, period, late }: Frozen, now: Entry | undefined): PayLine {
  const change = changeSince(line, driverUid, now?.line, now?.driverUid)
  const since: PayLine['anomalies'] = [
    ...(change ? [{ kind: 'changedAfterApproval' as const, text: change }] : []),
    ...(late ? [{ kind: 'lateEvent' as const, text: `Its truck reported after the lock: ${late}.` }] : []),
  ]
  return { ...line, anomalies: [...line.anomalies, ...since], period }
}

/** What drivers earned on some days. */
export async function payBook(db: Db, days: Days, whose: Whose, at?: number): Promise<PayBook> {
  const now = at ?? (await sharedNow(db))
  const limits = await readSettings(db)
  // Overtime is owed for whole workweeks, and belongs to the days on which they end.
  const entries = await entriesOf(db, { from: workweekOf(days.from), to: days.to }, whose, limits, now)
  const adjustments = await adjustmentsOf(db, days, whose)
  const periods = await periodsOf(db, days)
  const closed = periods.filter(({ state }) => state !== 'open')
  const overtimeAfter = (date: string) =>
    closed.find((period) => within(period, date))?.overtimeAfterHours ?? limits.overtimeAfterHours
  const uids = [...entries.map(({ driverUid }) => driverUid), ...adjustments.map(({ driver }) => driver.uid)]
  const drivers = await driversOf(db, [...new Set(uids)])
  const linesOf = new Map([...drivers.keys()].map((uid) => [uid, [] as PayLine[]]))
  for (const { driverUid, line } of entries) linesOf.get(driverUid)?.push(line)
  const paid = [...drivers.values()].map((driver): DriverPay => {
    const all = linesOf.get(driver.uid) ?? []
    const lines = all.filter(({ date }) => within(days, date))
    const weeks = overtimeWeeks(all, overtimeAfter).filter(({ to }) => within(days, to))
    const own = adjustments.filter((each) => each.driver.uid === driver.uid)
    return { driver, lines, weeks, adjustments: own, figures: figuresOf(lines, own, weeks) }
  })
  const exact = periods.find(({ from, to }) => from === days.from && to === days.to)
  return {
    period: exact ? refOf(exact) : null,
    periods: closed.map(refOf),
    drivers: paid
      .filter(({ lines, adjustments, weeks }) => lines.length + adjustments.length + weeks.length > 0)
      .toSorted((a, b) => a.driver.name.localeCompare(b.driver.name, 'en') || (a.driver.uid < b.driver.uid ? -1 : 1)),
  }
}

const sum = <T>(rows: readonly T[], of: (row: T) => number) => rows.reduce((total, row) => total + of(row), 0)

export function figuresOf(lines: PayLine[], adjustments: PayAdjustment[], weeks: OvertimeWeek[]): PayFigures {
  const paid = lines.filter(({ unpaid }) => unpaid === '')
  const count = (option: PayLine['option']) => paid.filter((line) => line.option === option).length
  const shiftCents = sum(lines, ({ cents }) => cents)
  const adjustmentCents = sum(adjustments, ({ cents }) => cents)
  return {
    halfDay: count('halfDay'),
    eightHours: count('eightHours'),
    twelveHours: count('twelveHours'),
    unpaid: lines.length - paid.length,
    plannedMinutes: sum(paid, ({ plannedMinutes }) => plannedMinutes),
    actualMinutes: sum(paid, ({ actualMinutes }) => actualMinutes ?? 0),
    shiftCents,
    adjustmentCents,
    cents: shiftCents + adjustmentCents,
    anomalies: lines.filter(({ anomalies }) => anomalies.length > 0).length,
    overtimeMinutes: sum(weeks, ({ overtimeMinutes }) => overtimeMinutes),
    overtimeCents: sum(weeks, ({ owedCents }) => owedCents),
  }
}

/** The figures of several drivers together. */
export function totalsOf(rows: readonly PayFigures[]) {
  const none = figuresOf([], [], [])
  const keys = Object.keys(none) as (keyof PayFigures)[]
  const totals = Object.fromEntries(keys.map((key) => [key, sum(rows, (row) => row[key])])) as PayFigures
  return { drivers: rows.length, ...totals }
}
