import { formatMinutes } from '@roadshow/contract/platform/dates'
import type { PayStatement } from '@roadshow/contract/pay/payroll'
import { formatDollars } from '../../ui/money.ts'
import { optionsText, paidShifts } from './money.ts'
import { countOf } from '../../ui/numbers.ts'
import shared from './payroll.module.css'
import styles from './StatementFigures.module.css'

/** A driver's total and its parts. */
export function StatementFigures({ figures }: Pick<PayStatement, 'figures'>) {
  const { cents, shiftCents, adjustmentCents, actualMinutes, plannedMinutes, unpaid } = figures
  const options = optionsText(figures)
  return (
    <section className={styles.sum} aria-label="Total">
      <p className={`figures ${shared.hero}`}>{formatDollars(cents)}</p>
      <p>
        {countOf(paidShifts(figures), 'paid shift')}
        {options && ` (${options})`}: <span className="figures">{formatDollars(shiftCents)}</span>
        {adjustmentCents !== 0 && (
          <>
            ; adjustments: <span className="figures">{formatDollars(adjustmentCents)}</span>
          </>
        )}
      </p>
      <p className={shared.soft}>
        {formatMinutes(actualMinutes)} worked, {formatMinutes(plannedMinutes)} planned
        {unpaid > 0 && `; ${countOf(unpaid, 'shift')} not paid`}
      </p>
    </section>
  )
}
