import { formatDays, formatMinutes } from '@roadshow/contract/platform/dates'
import type { OvertimeWeek } from '@roadshow/contract/pay/payroll'
import { Soft } from '../../ui/layout.tsx'
import { formatDollars } from '@roadshow/contract/platform/figures'
import styles from './payroll.module.css'

/** Weeks over the hours limit, and the calculation of the overtime owed. */
export const Overtime = ({ weeks }: { weeks: readonly OvertimeWeek[] }) =>
  weeks.length > 0 && (
    <section>
      <h2>Overtime</h2>
      <Soft as="p">
        {weeks.some(({ isPaid }) => isPaid) ? 'Part of the total' : 'For information, not part of any total'}: half the
        regular rate for hours over the limit (29 CFR 778.112). A workweek counts in the period in which it ends.
      </Soft>
      <ul className={styles.lines}>
        {weeks.map((week) => (
          <li key={week.from}>
            <Week week={week} />
          </li>
        ))}
      </ul>
    </section>
  )

function Week({
  week: { from, to, minutes, plannedMinutes, overtimeMinutes, cents, owedCents },
}: {
  week: OvertimeWeek
}) {
  const over = formatMinutes(overtimeMinutes)
  const hourly = formatDollars(Math.round((cents * 60) / minutes))
  return (
    <article className={styles.pay} aria-label={`Week ${formatDays(from, to)}`}>
      <p className="figures">
        <strong>{formatDays(from, to)}</strong>
      </p>
      <div className="figures">
        <p>
          {formatMinutes(minutes)} worked, {over} over {formatMinutes(minutes - overtimeMinutes)}
        </p>
        <Soft as="p">
          {formatDollars(cents)} of day rates in {formatMinutes(minutes)} is about {hourly} an hour; half of it for{' '}
          {over}.
        </Soft>
        {plannedMinutes > 0 && (
          <Soft as="p">
            {formatMinutes(plannedMinutes)} of these are planned hours: the shift has no recorded start or end.
          </Soft>
        )}
      </div>
      <strong className={`figures ${styles.amount}`}>{formatDollars(owedCents)}</strong>
    </article>
  )
}
