import { formatMinutes } from '@roadshow/contract/platform/dates'
import { formatMiles } from '@roadshow/contract/platform/geo'
import { payOptionLabel, payOptions } from '@roadshow/contract/planning/shifts'
import type { PayStatement } from '@roadshow/contract/pay/payroll'
import { Soft, Stack } from '../../ui/layout.tsx'
import { formatDollars, countOf, formatCount } from '@roadshow/contract/platform/figures'
import { paidShifts } from './money.ts'
import { LineGroupLink } from './LineGroupLink.tsx'
import shared from './payroll.module.css'

/** A driver's total and its parts; each leads to the shifts behind it. */
export function StatementFigures({ figures }: Pick<PayStatement, 'figures'>) {
  const {
    cents,
    shiftCents,
    adjustmentCents,
    actualMinutes,
    plannedMinutes,
    metres,
    unpaid,
    undecided,
    paidOvertimeCents,
  } = figures
  const options = payOptions.filter((option) => figures[option] > 0)
  return (
    <Stack as="section" gap={1} aria-label="Total">
      <p className={`figures ${shared.hero}`}>{formatDollars(cents)}</p>
      <p>
        <LineGroupLink group="paid">{countOf(paidShifts(figures), 'paid shift')}</LineGroupLink>
        {options.length > 0 && ' ('}
        {options.map((option, index) => (
          <span key={option}>
            {index > 0 && ', '}
            <LineGroupLink group={option}>
              {formatCount(figures[option])} × {payOptionLabel[option].toLowerCase()}
            </LineGroupLink>
          </span>
        ))}
        {options.length > 0 && ')'}:{' '}
        <LineGroupLink group="paid">
          <span className="figures">{formatDollars(shiftCents)}</span>
        </LineGroupLink>
        {adjustmentCents !== 0 && (
          <>
            ; <a href="#adjustments">adjustments</a>: <span className="figures">{formatDollars(adjustmentCents)}</span>
          </>
        )}
        {paidOvertimeCents !== 0 && (
          <>
            ; overtime owed: <span className="figures">{formatDollars(paidOvertimeCents)}</span>
          </>
        )}
      </p>
      <Soft as="p">
        <LineGroupLink group="paid">
          {formatMinutes(actualMinutes)} worked, {formatMinutes(plannedMinutes)} planned, {formatMiles(metres)}
        </LineGroupLink>
        {unpaid > 0 && (
          <>
            ; <LineGroupLink group="unpaid">{countOf(unpaid, 'shift')} not paid</LineGroupLink>
          </>
        )}
        {undecided > 0 && (
          <>
            ; <LineGroupLink group="undecided">{countOf(undecided, 'shift')} to decide</LineGroupLink>
          </>
        )}
      </Soft>
    </Stack>
  )
}
