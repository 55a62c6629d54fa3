import {
  type OvertimeWeek,
  addDays,
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

export type Limits = Pick<Settings, 'halfDayUpToHours' | 'eightHoursUpToHours'>

/** A shift as the schedule, the trackers and payroll know it now. */
export type ShiftFacts = Omit<
  PayLine,
  'proposed' | 'reason' | 'option' | 'rateFrom' | 'cents' | 'unpaid' | 'anomalies' | 'period'
> & {
  driverUid: string
  startsAt: string
  endsAt: string
  /** Why it was cancelled, or nobody came. */
  statusReason: string
}

// What is said about hours differs by more than an hour and more than a quarter: somebody should look.
const FAR_MINUTES = 60
const FAR_SHARE = 0.25
/** A truck that was heard for less than half of its shift says little about it. */
const GPS_SHARE = 0.5

/** `8 h`, `7 h 45 min` */
export function hoursOf(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (rest === 0) return `${hours} h`
  return hours === 0 ? `${rest} min` : `${hours} h ${rest} min`
}

/**
 * The option that the hours of a shift propose. The longer of planned and actual hours counts: who was booked for a day
 * is paid the day, and who worked longer than that is paid for it.
 */
export function proposalOf(planned: number, actual: number | null, limits: Limits): [option: PayOption, why: string] {
  const [half, eight] = [limits.halfDayUpToHours * 60, limits.eightHoursUpToHours * 60]
  const minutes = Math.max(planned, actual ?? 0)
  const heard =
    actual === null
      ? `Planned ${hoursOf(planned)}; when it began and ended is not known, so the plan counts`
      : `Planned ${hoursOf(planned)}, worked ${hoursOf(actual)}; ${actual === planned ? 'both agree' : 'the longer counts'}`
  if (minutes <= half) return ['halfDay', `${heard}. Up to ${hoursOf(half)} is a half day.`]
  if (minutes <= eight) return ['eightHours', `${heard}. Up to ${hoursOf(eight)} is eight hours.`]
  return ['twelveHours', `${heard}. More than ${hoursOf(eight)} is twelve hours.`]
}

/** The rate that is valid on a day: the newest that has begun. */
export const rateOn = (rates: readonly PayRate[], date: string): PayRate | undefined =>
  rates
    .filter(({ validFrom }) => validFrom <= date)
    .reduce<PayRate | undefined>((best, rate) => (!best || rate.validFrom > best.validFrom ? rate : best), undefined)

const centsOf: Record<PayOption, (rate: PayRate) => number> = {
  halfDay: ({ payHalfDay }) => payHalfDay,
  eightHours: ({ payEightHours }) => payEightHours,
  twelveHours: ({ payTwelveHours }) => payTwelveHours,
}

/** Why a shift of a status is not paid; empty for one that is. */
function unpaidBecause(status: ShiftStatus, why: string): string {
  if (status === 'completed') return ''
  if (status === 'planned' || status === 'out') return 'Not completed yet.'
  return `${shiftStatusLabel[status]}: ${why.replace(/\.$/, '')}.`
}

interface Circumstances {
  rates: readonly PayRate[]
  limits: Limits
  /** Whether its actual hours overlap those of another shift of its driver. */
  overlaps: boolean
  now: number
}

/** What is paid for a shift as things are now. */
export function lineOf(facts: ShiftFacts, { rates, limits, overlaps, now }: Circumstances): PayLine {
  const { driverUid: _driver, startsAt: _startsAt, endsAt, statusReason, ...shift } = facts
  const [proposed, reason] = proposalOf(shift.plannedMinutes, shift.actualMinutes, limits)
  const option = shift.override?.option ?? shift.planned ?? proposed
  const rate = rateOn(rates, shift.date)
  const isPaid = shift.status === 'completed'
  const lacksRate = isPaid && !rate
  const anomalies: PayLine['anomalies'] = []
  const note = (kind: PayAnomaly, text: string) => anomalies.push({ kind, text })
  noteClocks(facts, Date.parse(endsAt) < now, note)
  if (isPaid && (shift.coverage ?? 0) < GPS_SHARE) note('noGps', heardWords(shift.coverage))
  if (isFar(shift))
    note('farFromPlan', `Worked ${hoursOf(shift.actualMinutes ?? 0)}, planned ${hoursOf(shift.plannedMinutes)}.`)
  if (overlaps) note('overlap', 'Its actual hours overlap those of another shift of this driver.')
  if (lacksRate) note('noRate', `No rate is valid on ${shift.date}.`)
  return {
    ...shift,
    proposed,
    reason,
    option: isPaid ? option : null,
    rateFrom: isPaid ? (rate?.validFrom ?? null) : null,
    // Rates are whole cents, so each line is rounded where its rate was set and never again.
    cents: isPaid && rate ? centsOf[option](rate) : 0,
    unpaid: lacksRate ? `No rate is valid on ${shift.date}.` : unpaidBecause(shift.status, statusReason),
    anomalies,
    period: null,
  }
}

/** What nobody said about a shift that should be over. */
function noteClocks(
  { status, startedAt, stoppedAt }: ShiftFacts,
  isOver: boolean,
  note: (kind: PayAnomaly, text: string) => void,
): void {
  const [isDone, isOut] = [status === 'completed', status === 'out' && isOver]
  if ((isDone && startedAt === null) || (status === 'planned' && isOver)) note('noStart', 'Nobody reported its start.')
  if ((isDone && stoppedAt === null) || isOut) note('noStop', 'Nobody reported its stop.')
}

const heardWords = (coverage: number | null) =>
  coverage === null
    ? 'Nothing was heard of its truck.'
    : `Its truck was heard in ${Math.round(coverage * 100)} % of the shift.`

function isFar({ plannedMinutes, actualMinutes }: Pick<PayLine, 'plannedMinutes' | 'actualMinutes'>): boolean {
  const apart = actualMinutes === null ? 0 : Math.abs(actualMinutes - plannedMinutes)
  return apart > FAR_MINUTES && apart > plannedMinutes * FAR_SHARE
}

type Driven = Pick<ShiftFacts, 'uid' | 'driverUid' | 'startedAt' | 'stoppedAt'>

/** The shifts whose actual hours overlap another shift of the same driver. */
export function overlapping(shifts: readonly Driven[]): Set<string> {
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

/** Half of a fraction goes up. */
const halfUp = (over: number, under: number) => Math.floor((2 * over + under) / (2 * under))

/**
 * The workweeks of one driver with more hours than the limit, each on its own: the day rates of the week divided by the
 * hours worked are the regular rate, and the hours over the limit earn half of it once more (29 CFR 778.112). Lines are
 * of whole weeks; a shift counts whole in the week in which it starts.
 */
export function overtimeWeeks(lines: readonly PayLine[], afterHours: (lastDay: string) => number): OvertimeWeek[] {
  const weeks = new Map<string, PayLine[]>()
  for (const line of lines) {
    if (line.status !== 'completed') continue
    const week = workweekOf(line.date)
    weeks.set(week, [...(weeks.get(week) ?? []), line])
  }
  return [...weeks]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([from, of]) => {
      const minutes = of.reduce((sum, line) => sum + (line.actualMinutes ?? line.plannedMinutes), 0)
      const plannedMinutes = of.reduce((sum, line) => sum + (line.actualMinutes === null ? line.plannedMinutes : 0), 0)
      const cents = of.reduce((sum, line) => sum + line.cents, 0)
      const overtimeMinutes = minutes - afterHours(addDays(from, 6)) * 60
      if (overtimeMinutes <= 0) return []
      const owedCents = halfUp(cents * overtimeMinutes, 2 * minutes)
      return [{ from, to: addDays(from, 6), minutes, plannedMinutes, overtimeMinutes, cents, owedCents }]
    })
}

/** What of a line was frozen and would come out otherwise now, in a sentence; undefined where nothing would. */
export function changeSince(
  frozen: PayLine,
  frozenDriver: string,
  now: PayLine | undefined,
  driver: string | undefined,
) {
  if (!now || now.date !== frozen.date) return 'The shift was deleted or moved to another day since.'
  if (driver !== frozenDriver) return 'Another driver has the shift since.'
  if (now.status !== frozen.status) return `The shift is ${shiftStatusLabel[now.status].toLowerCase()} since.`
  if (now.option !== frozen.option && now.option) return `It would be ${payOptionLabel[now.option].toLowerCase()} now.`
  if (now.cents !== frozen.cents) return 'It would be paid at another rate now.'
  const [was, is] = [frozen.actualMinutes, now.actualMinutes]
  return was === is ? undefined : `Its actual hours were ${minuteWords(was)} and are ${minuteWords(is)} now.`
}

const minuteWords = (minutes: number | null) => (minutes === null ? 'unknown' : hoursOf(minutes))
