import { formatMinutes } from '@roadshow/contract/platform/dates'
import { formatMiles } from '@roadshow/contract/platform/geo'
import { payOptionLabel, payOptions } from '@roadshow/contract/planning/shifts'
import type { PayStatement } from '@roadshow/contract/pay/payroll'
import { formatDollars } from '../../ui/money.ts'
import { paidShifts } from './money.ts'
import { countOf, formatCount } from '../../ui/numbers.ts'
import { FigureLink } from './FigureLink.tsx'
import shared from './payroll.module.css'
import styles from './StatementFigures.module.css'

/** A driver's total and its parts; each leads to the shifts behind it. */
export function StatementFigures({ figures }: Pick<PayStatement, 'figures'>) {
  const { cents, shiftCents, adjustmentCents, actualMinutes, plannedMinutes, metres, unpaid, undecided } = figures
  const options = payOptions.filter((option) => figures[option] > 0)
  return (
    <section className={styles.sum} aria-label="Total">
      <p className={`figures ${shared.hero}`}>{formatDollars(cents)}</p>
      <p>
        <FigureLink group="paid">{countOf(paidShifts(figures), 'paid shift')}</FigureLink>
        {options.length > 0 && ' ('}
        {options.map((option, index) => (
          <span key={option}>
            {index > 0 && ', '}
            <FigureLink group={option}>
              {formatCount(figures[option])} × {payOptionLabel[option].toLowerCase()}
            </FigureLink>
          </span>
        ))}
        {options.length > 0 && ')'}:{' '}
        <FigureLink group="paid">
          <span className="figures">{formatDollars(shiftCents)}</span>
        </FigureLink>
        {adjustmentCents !== 0 && (
          <>
            ; <a href="#adjustments">adjustments</a>: <span className="figures">{formatDollars(adjustmentCents)}</span>
          </>
        )}
      </p>
      <p className={shared.soft}>
        <FigureLink group="paid">
          {formatMinutes(actualMinutes)} worked, {formatMinutes(plannedMinutes)} planned, {formatMiles(metres)}
        </FigureLink>
        {unpaid > 0 && (
          <>
            ; <FigureLink group="unpaid">{countOf(unpaid, 'shift')} not paid</FigureLink>
          </>
        )}
        {undecided > 0 && (
          <>
            ; <FigureLink group="undecided">{countOf(undecided, 'shift')} to decide</FigureLink>
          </>
        )}
      </p>
    </section>
  )
}
