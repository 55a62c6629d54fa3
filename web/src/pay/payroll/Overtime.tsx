import { formatDays, formatMinutes } from '@roadshow/contract/platform/dates'
import type { OvertimeWeek } from '@roadshow/contract/pay/payroll'
import { formatDollars } from '../../ui/money.ts'
import styles from './payroll.module.css'

/** Weeks over the hours limit, and the calculation of the overtime owed. */
export const Overtime = ({ weeks }: { weeks: readonly OvertimeWeek[] }) =>
  weeks.length > 0 && (
    <section>
      <h2>Overtime</h2>
      <p className={styles.soft}>
        For information, not part of any total: half the regular rate for hours over the limit (29 CFR 778.112). A
        workweek counts in the period in which it ends.
      </p>
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
        <p className={styles.soft}>
          {formatDollars(cents)} of day rates in {formatMinutes(minutes)} is about {hourly} an hour; half of it for{' '}
          {over}.
        </p>
        {plannedMinutes > 0 && (
          <p className={styles.soft}>
            {formatMinutes(plannedMinutes)} of these are planned hours: the shift has no recorded start or end.
          </p>
        )}
      </div>
      <strong className={`figures ${styles.amount}`}>{formatDollars(owedCents)}</strong>
    </article>
  )
}
