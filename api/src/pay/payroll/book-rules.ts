import {
  type AnomalyCount,
  formatDays,
  type OvertimeWeek,
  type PayAdjustment,
  payAnomalies,
  type PayAnomaly,
  type PayLine,
  type PayPeriodRef,
  type PayRow,
} from '@roadshow/contract'
import type { DayRange, FrozenLine, PayShift, PeriodFacts } from './facts.ts'
import { describeChange, type DriverLine } from './rules.ts'

export type PayFigures = Omit<PayRow, 'driver'>

export const isInRange = ({ from, to }: DayRange, date: string): boolean => date >= from && date <= to

export const toPeriodRef = ({
  overtimeAfterHours: _hours,
  paysOvertime: _pays,
  ...period
}: PeriodFacts): PayPeriodRef => period

/** A line as things are now, and the days of the period that froze the shift on another day. */
export type CurrentLine = DriverLine & Pick<PayShift, 'frozenIn'>

const lineKey = ({ driverUid, line }: DriverLine) => `${driverUid} ${line.uid}`
const sortKey = ({ line: { date, start, uid } }: DriverLine) => `${date} ${start} ${uid}`

/** The lines to pay: frozen ones as they were frozen, others as they are now unless they are settled elsewhere. */
export function settleLines(
  current: readonly CurrentLine[],
  frozen: readonly FrozenLine[],
  closed: readonly PeriodFacts[],
): DriverLine[] {
  const currentOf = new Map(current.map((each) => [each.line.uid, each]))
  const kept = frozen.map((each): DriverLine => ({
    driverUid: each.driverUid,
    line: withChanges(each, currentOf.get(each.shiftUid)),
  }))
  const isKept = new Set(kept.map(lineKey))
  const others = current
    .filter((each) => !isKept.has(lineKey(each)))
    .map(({ driverUid, line, frozenIn }): DriverLine => ({ driverUid, line: withoutDoublePay(line, frozenIn, closed) }))
  return [...kept, ...others].toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
}

/** A shift that another period settled, or that came into a closed period afterwards, is not paid again. */
function withoutDoublePay(line: PayLine, frozenIn: PayShift['frozenIn'], closed: readonly PeriodFacts[]): PayLine {
  const unpaid = { cents: 0, option: null, rateFrom: null, needsDecision: false }
  const settled = line.anomalies.filter(({ kind }) => kind !== 'needsDecision')
  if (frozenIn) {
    return {
      ...line,
      ...unpaid,
      anomalies: settled,
      unpaid: `Already settled in the pay period ${formatDays(frozenIn.from, frozenIn.to)}.`,
    }
  }
  const period = closed.find((each) => isInRange(each, line.date))
  if (!period) return line
  const text = 'Added to the pay period after it was approved.'
  const anomalies = [...settled, { kind: 'changedAfterApproval' as const, text }]
  return { ...line, ...unpaid, unpaid: text, anomalies, period: toPeriodRef(period) }
}

/** A frozen line, with what changed since. */
function withChanges(frozen: FrozenLine, current: DriverLine | undefined): PayLine {
  const { line, period, late } = frozen
  const change = describeChange(frozen, current)
  const changes: PayLine['anomalies'] = [
    ...(change ? [{ kind: 'changedAfterApproval' as const, text: change }] : []),
    ...(late ? [{ kind: 'lateEvent' as const, text: `Reported after the lock: ${late}.` }] : []),
  ]
  return { ...line, anomalies: [...line.anomalies, ...changes], period }
}

/** The overtime of a period that froze it, as it was frozen; any other as it is now. */
export function settleWeeks(
  current: readonly Omit<OvertimeWeek, 'isPaid'>[],
  frozen: readonly OvertimeWeek[],
  { isFrozen, isPaid }: { isFrozen: (lastDay: string) => boolean; isPaid: (lastDay: string) => boolean },
): OvertimeWeek[] {
  const now = current.filter(({ to }) => !isFrozen(to)).map((week) => ({ ...week, isPaid: isPaid(week.to) }))
  return [...frozen, ...now].toSorted((a, b) => (a.from < b.from ? -1 : 1))
}

const sum = <T>(rows: readonly T[], valueOf: (row: T) => number) => rows.reduce((total, row) => total + valueOf(row), 0)

/** The figures of one driver. */
export function sumPay(lines: PayLine[], adjustments: PayAdjustment[], weeks: OvertimeWeek[]): PayFigures {
  const paid = lines.filter(({ unpaid }) => unpaid === '')
  const count = (option: PayLine['option']) => paid.filter((line) => line.option === option).length
  const shiftCents = sum(lines, ({ cents }) => cents)
  const adjustmentCents = sum(adjustments, ({ cents }) => cents)
  const paidOvertimeCents = sum(weeks, ({ isPaid, owedCents }) => (isPaid ? owedCents : 0))
  return {
    halfDay: count('halfDay'),
    eightHours: count('eightHours'),
    twelveHours: count('twelveHours'),
    unpaid: lines.length - paid.length,
    undecided: lines.filter(({ needsDecision }) => needsDecision).length,
    plannedMinutes: sum(paid, ({ plannedMinutes }) => plannedMinutes),
    actualMinutes: sum(paid, ({ actualMinutes }) => actualMinutes ?? 0),
    metres: sum(paid, ({ metres }) => metres ?? 0),
    shiftCents,
    adjustmentCents,
    paidOvertimeCents,
    cents: shiftCents + adjustmentCents + paidOvertimeCents,
    anomalies: lines.filter(({ anomalies }) => anomalies.length > 0).length,
    overtimeMinutes: sum(weeks, ({ overtimeMinutes }) => overtimeMinutes),
    overtimeCents: sum(weeks, ({ owedCents }) => owedCents),
  }
}

/** The anomalies of several drivers by kind, in the order of the kinds. */
export function countAnomalies(drivers: readonly { lines: readonly PayLine[] }[]): AnomalyCount[] {
  const countOf = ({ lines }: { lines: readonly PayLine[] }, kind: PayAnomaly) =>
    lines.filter(({ anomalies }) => anomalies.some((each) => each.kind === kind)).length
  return payAnomalies
    .map((kind) => {
      const counts = drivers.map((driver) => countOf(driver, kind))
      return { kind, shifts: sum(counts, (count) => count), drivers: counts.filter((count) => count > 0).length }
    })
    .filter(({ shifts }) => shifts > 0)
}

/** The figures of several drivers together. */
export function totalPay(rows: readonly PayFigures[]) {
  const none = sumPay([], [], [])
  const keys = Object.keys(none) as (keyof PayFigures)[]
  const totals = Object.fromEntries(keys.map((key) => [key, sum(rows, (row) => row[key])])) as PayFigures
  return { drivers: rows.length, ...totals }
}
