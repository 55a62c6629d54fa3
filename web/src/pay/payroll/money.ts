import { formatCount } from '@roadshow/contract/platform/figures'
import { payOptionLabel, payOptions } from '@roadshow/contract/planning/shifts'
import type { PayRow } from '@roadshow/contract/pay/payroll'

type Figures = Omit<PayRow, 'driver'>

export const paidShifts = ({ halfDay, eightHours, twelveHours }: Figures): number => halfDay + eightHours + twelveHours

/** The options of the paid shifts: `2 × half day, 1 × 8-hour day`. */
export const optionsText = (figures: Figures): string =>
  payOptions
    .filter((option) => figures[option] > 0)
    .map((option) => `${formatCount(figures[option])} × ${payOptionLabel[option].toLowerCase()}`)
    .join(', ')
