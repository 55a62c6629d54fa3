import {
  addDays,
  countedMinutes,
  type EvidenceGap,
  formatDay,
  formatMinutes,
  formatPercent,
  type OvertimeWeek,
  type PayAnomaly,
  type PayLine,
  type PayOption,
  payOptionLabel,
  type PayRate,
  type Settings,
  type ShiftStatus,
  shiftStatusLabel,
  workweekOf,
} from '@roadshow/contract'
import { groupBy } from '../../platform/runtime/group-by.ts'

/** Up to how many hours a shift counts as a half day and as an 8-hour day. */
export type DayLimits = Pick<Settings, 'halfDayUpToHours' | 'eightHoursUpToHours'>

/** A shift as schedule, trackers and payroll know it now. */
export type PayShiftFacts = Omit<
  PayLine,
  'proposed' | 'reason' | 'option' | 'rateFrom' | 'cents' | 'unpaid' | 'needsDecision' | 'anomalies' | 'period'
> & {
  driverUid: string
  startsAt: string
  endsAt: string
  /** Why it was canceled or the driver did not show up. */
  statusReason: string
}

// Hours that differ by more than an hour and more than a quarter need attention.
const FAR_MINUTES = 60
const FAR_SHARE = 0.25
/** GPS data of less than half of a shift says little about it. */
const MIN_GPS_SHARE = 0.5

/**
 * The option that the hours of a shift propose. The longer of planned and actual hours counts: a driver who was booked
 * for a day is paid the day, and longer work is paid as such.
 */
export function proposeOption(
  planned: number,
  actual: number | null,
  limits: DayLimits,
): [option: PayOption, reason: string] {
  const [half, eight] = [limits.halfDayUpToHours * 60, limits.eightHoursUpToHours * 60]
  const minutes = Math.max(planned, actual ?? 0)
  const basis =
    actual === null
      ? `Planned ${formatMinutes(planned)}; actual hours are unknown, so the plan counts`
      : `Planned ${formatMinutes(planned)}, worked ${formatMinutes(actual)}; ${actual === planned ? 'both agree' : 'the longer counts'}`
  if (minutes <= half) return ['halfDay', `${basis}. Up to ${formatMinutes(half)} counts as a half day.`]
  if (minutes <= eight) return ['eightHours', `${basis}. Up to ${formatMinutes(eight)} counts as an 8-hour day.`]
  return ['twelveHours', `${basis}. More than ${formatMinutes(eight)} counts as a 12-hour day.`]
}

/** The rate that is valid on a day: the newest that has begun. */
export const rateOn = (rates: readonly PayRate[], date: string): PayRate | undefined =>
  rates
    .filter(({ validFrom }) => validFrom <= date)
    .reduce<PayRate | undefined>((best, rate) => (!best || rate.validFrom > best.validFrom ? rate : best), undefined)

/** What a rate pays for an option. */
export const centsOf: Record<PayOption, (rate: PayRate) => number> = {
  halfDay: ({ payHalfDay }) => payHalfDay,
  eightHours: ({ payEightHours }) => payEightHours,
  twelveHours: ({ payTwelveHours }) => payTwelveHours,
}

/** Less work than this share of the plan needs GPS data to be believed. */
const MIN_WORKED_SHARE = 0.25

type WorkFacts = Pick<PayLine, 'status' | 'startedAt' | 'stoppedAt' | 'actualMinutes' | 'plannedMinutes' | 'coverage'>

/** What evidence of work a completed shift lacks; undefined if it has enough. */
export function evidenceGapOf(shift: WorkFacts): EvidenceGap | undefined {
  if (shift.status !== 'completed') return undefined
  if (shift.startedAt === null && shift.stoppedAt === null) return 'noTimes'
  if (shift.startedAt === null) return 'noStart'
  if (shift.stoppedAt === null) return 'noStop'
  const hasGps = (shift.coverage ?? 0) > 0
  return hasGps || (shift.actualMinutes ?? 0) >= shift.plannedMinutes * MIN_WORKED_SHARE ? undefined : 'littleWork'
}

const gapText: Record<EvidenceGap, (shift: WorkFacts) => string> = {
  noTimes: () => 'Neither a start nor a stop was recorded.',
  noStart: () => 'No start was recorded.',
  noStop: () => 'No stop was recorded.',
  littleWork: ({ actualMinutes, plannedMinutes }) =>
    `Only ${formatMinutes(actualMinutes ?? 0)} of ${formatMinutes(plannedMinutes)} worked, and no GPS data.`,
}

/** The problems that a missing decision says already. */
const saidByGap: Record<EvidenceGap, readonly PayAnomaly[]> = {
  noTimes: ['noStart', 'noStop'],
  noStart: ['noStart'],
  noStop: ['noStop'],
  littleWork: ['noGps', 'farFromPlan'],
}

interface PayVerdict {
  /** Why it is not paid; empty if it is. */
  unpaid: string
  needsDecision: boolean
}

/** Whether a shift is paid, apart from its rate. */
function judgePay(shift: PayShiftFacts): PayVerdict {
  if (shift.status !== 'completed') {
    return { unpaid: unpaidReason(shift.status, shift.statusReason), needsDecision: false }
  }
  // Setting a pay option by hand is a decision to pay.
  const decision = shift.override?.decision ?? (shift.override?.option ? 'pay' : undefined)
  if (decision === 'doNotPay') {
    return { unpaid: `Not paid, decided by ${shift.override?.by || 'payroll'}.`, needsDecision: false }
  }
  const gap = evidenceGapOf(shift)
  if (!gap || decision === 'pay') return { unpaid: '', needsDecision: false }
  return { unpaid: `Needs a decision: ${gapText[gap](shift)}`, needsDecision: true }
}

/** Why a shift that is not completed is not paid. */
function unpaidReason(status: ShiftStatus, statusReason: string): string {
  if (status === 'planned' || status === 'out') return 'Not completed yet.'
  return `${shiftStatusLabel[status]}: ${statusReason.replace(/\.$/, '')}.`
}

interface PayContext {
  rates: readonly PayRate[]
  limits: DayLimits
  /** Whether its actual hours overlap those of another shift of its driver. */
  overlaps: boolean
  now: number
}

/** The pay for a shift as things are now. */
export function payFor(facts: PayShiftFacts, context: PayContext): PayLine {
  const { driverUid: _driver, startsAt: _startsAt, endsAt: _endsAt, statusReason: _reason, ...shift } = facts
  const [proposed, reason] = proposeOption(shift.plannedMinutes, shift.actualMinutes, context.limits)
  const option = shift.override?.option ?? shift.planned ?? proposed
  const rate = rateOn(context.rates, shift.date)
  const verdict = judgePay(facts)
  const isPaid = verdict.unpaid === ''
  return {
    ...shift,
    proposed,
    reason,
    option: isPaid ? option : null,
    rateFrom: isPaid ? (rate?.validFrom ?? null) : null,
    // Rates are whole cents, so each line is rounded where its rate was set and never again.
    cents: isPaid && rate ? centsOf[option](rate) : 0,
    unpaid: isPaid && !rate ? missingRate(shift.date) : verdict.unpaid,
    needsDecision: verdict.needsDecision,
    anomalies: findAnomalies(facts, { ...context, lacksRate: isPaid && !rate, verdict }),
    period: null,
  }
}

const missingRate = (date: string) => `No pay rate for ${formatDay(date)}.`

type Anomalies = PayLine['anomalies']

/** Everything about a shift that needs attention before it is paid, each thing once. */
function findAnomalies(
  shift: PayShiftFacts,
  { lacksRate, overlaps, now, verdict }: PayContext & { lacksRate: boolean; verdict: PayVerdict },
): Anomalies {
  const isOver = Date.parse(shift.endsAt) < now
  const gap = evidenceGapOf(shift)
  const [worked, planned] = [formatMinutes(shift.actualMinutes ?? 0), formatMinutes(shift.plannedMinutes)]
  const checks: [isFound: boolean, kind: PayAnomaly, text: string][] = [
    [verdict.needsDecision, 'needsDecision', gap ? gapText[gap](shift) : ''],
    [lacksStart(shift, isOver), 'noStart', 'The start was not reported.'],
    [lacksStop(shift, isOver), 'noStop', 'The end was not reported.'],
    [shift.status === 'completed' && (shift.coverage ?? 0) < MIN_GPS_SHARE, 'noGps', coverageText(shift.coverage)],
    [isFarFromPlan(shift), 'farFromPlan', `Worked ${worked}, planned ${planned}.`],
    [overlaps, 'overlap', 'The actual hours overlap another shift of this driver.'],
    [lacksRate, 'noRate', missingRate(shift.date)],
  ]
  const isSaid = (kind: PayAnomaly) => verdict.needsDecision && gap !== undefined && saidByGap[gap].includes(kind)
  return checks.flatMap(([isFound, kind, text]) => (isFound && !isSaid(kind) ? [{ kind, text }] : []))
}

const lacksStart = ({ status, startedAt }: PayShiftFacts, isOver: boolean) =>
  (status === 'completed' && startedAt === null) || (status === 'planned' && isOver)

const lacksStop = ({ status, stoppedAt }: PayShiftFacts, isOver: boolean) =>
  (status === 'completed' && stoppedAt === null) || (status === 'out' && isOver)

const coverageText = (coverage: number | null) =>
  coverage === null ? 'No GPS data from this truck.' : `GPS data for only ${formatPercent(coverage)} of the shift.`

function isFarFromPlan({ plannedMinutes, actualMinutes }: PayShiftFacts): boolean {
  const apart = actualMinutes === null ? 0 : Math.abs(actualMinutes - plannedMinutes)
  return apart > FAR_MINUTES && apart > plannedMinutes * FAR_SHARE
}

type DrivenShift = Pick<PayShiftFacts, 'uid' | 'driverUid' | 'startedAt' | 'stoppedAt'>

/** The shifts whose actual hours overlap another shift of the same driver. */
export function overlappingShifts(shifts: readonly DrivenShift[]): Set<string> {
  const found = new Set<string>()
  const spans = shifts
    .flatMap(({ uid, driverUid, startedAt, stoppedAt }) =>
      startedAt && stoppedAt ? [{ uid, driverUid, from: Date.parse(startedAt), to: Date.parse(stoppedAt) }] : [],
    )
    .toSorted((a, b) => a.from - b.from)
  // Of each driver, the shift that ended last so far.
  const last = new Map<string, (typeof spans)[number]>()
  for (const span of spans) {
    const before = last.get(span.driverUid)
    if (before && before.to > span.from) found.add(before.uid).add(span.uid)
    if (!before || span.to > before.to) last.set(span.driverUid, span)
  }
  return found
}

/** Divides whole numbers and rounds half up. */
const divideHalfUp = (dividend: number, divisor: number) => Math.floor((2 * dividend + divisor) / (2 * divisor))

/**
 * The workweeks of one driver with more hours than the limit. The regular rate is the day rates of the week divided by
 * the hours worked; hours over the limit earn half of it in addition (29 CFR 778.112). Lines are of whole weeks, and a
 * shift counts in the week in which it starts.
 */
export function overtimeWeeks(
  lines: readonly PayLine[],
  afterHours: (lastDay: string) => number,
): Omit<OvertimeWeek, 'isPaid'>[] {
  const worked = lines.filter(({ status }) => status === 'completed')
  return [...groupBy(worked, ({ date }) => workweekOf(date))]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([from, week]) => {
      const minutes = week.reduce((sum, line) => sum + countedMinutes(line), 0)
      const plannedMinutes = week.reduce(
        (sum, line) => sum + (line.actualMinutes === null ? line.plannedMinutes : 0),
        0,
      )
      const cents = week.reduce((sum, line) => sum + line.cents, 0)
      const overtimeMinutes = minutes - afterHours(addDays(from, 6)) * 60
      if (overtimeMinutes <= 0) return []
      const owedCents = divideHalfUp(cents * overtimeMinutes, 2 * minutes)
      return [{ from, to: addDays(from, 6), minutes, plannedMinutes, overtimeMinutes, cents, owedCents }]
    })
}

/** A line with the driver that it is paid to. */
export interface DriverLine {
  driverUid: string
  line: PayLine
}

/** How a frozen line would differ if it were computed now, in a sentence; undefined if it would be the same. */
export function describeChange(frozen: DriverLine, current: DriverLine | undefined): string | undefined {
  const [before, now] = [frozen.line, current?.line]
  if (!now || now.date !== before.date) return 'The shift was deleted or moved to another day after approval.'
  if (current?.driverUid !== frozen.driverUid) return 'The shift has another driver now.'
  if (now.status !== before.status) return `The status is ${shiftStatusLabel[now.status].toLowerCase()} now.`
  if (now.option !== before.option && now.option)
    return `Its pay option would be ${payOptionLabel[now.option].toLowerCase()} now.`
  if (now.needsDecision) return 'It would need a decision now.'
  if (now.cents !== before.cents) return 'It would be paid at another rate now.'
  const [was, is] = [before.actualMinutes, now.actualMinutes]
  return was === is ? undefined : `The actual hours were ${minutesText(was)} and are ${minutesText(is)} now.`
}

const minutesText = (minutes: number | null) => (minutes === null ? 'unknown' : formatMinutes(minutes))
