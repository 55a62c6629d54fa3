import { addDays, countedMinutes, workweekOf } from '@roadshow/contract/planning/shift-time'
import type { PayStatement } from '@roadshow/contract/pay/payroll'
import type { PayPeriodState } from '@roadshow/contract/pay/pay-periods'

export interface PayWeek {
  from: string
  to: string
}

/** The workweek of a day. */
export function payWeekOf(date: string): PayWeek {
  const from = workweekOf(date)
  return { from, to: addDays(from, 6) }
}

export const weekBeside = ({ from }: PayWeek, by: 1 | -1): PayWeek => payWeekOf(addDays(from, 7 * by))

/** The state of the period that these days belong to. */
export function periodState({ period, periods, from, to }: PayStatement): PayPeriodState {
  return (period ?? periods.find((each) => each.from <= from && each.to >= to))?.state ?? 'open'
}

/** The hours of the shifts that wait for a decision, actual ones where they are known: totals leave them out. */
export const undecidedMinutes = (lines: PayStatement['lines']): number =>
  lines.filter(({ needsDecision }) => needsDecision).reduce((sum, line) => sum + countedMinutes(line), 0)
