import { formatDay, formatMinutes, formatWeekday, formatClocks, formatTimes } from '@roadshow/contract/platform/dates'
import { payAnomalyLabel, payDecisionLabel } from '@roadshow/contract/pay/payroll'
import type { PayLine } from '@roadshow/contract/pay/payroll'
import { payOptionLabel } from '@roadshow/contract/planning/shifts'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { endsNextDay } from '../../planning/shifts/shiftText.ts'
import { ShiftStatusTag } from '../../planning/shifts/ShiftStatusTag.tsx'
import { formatMiles } from '@roadshow/contract/platform/geo'
import { countOf, formatDollars } from '@roadshow/contract/platform/figures'
import { RowLink } from '../../ui/rows/RowLink.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import { Soft } from '../../ui/layout.tsx'
import { LineGroupLink } from './LineGroupLink.tsx'
import { lineGroupLabel, LINES_ID, linesOf, sumLines } from './lineGroups.ts'
import type { LineGroup } from './lineGroups.ts'
import shared from './payroll.module.css'
import styles from './PayLines.module.css'

interface PayLinesProps {
  lines: readonly PayLine[]
  /** The lines to show, and the way back to all of them. */
  group?: LineGroup
  /** The actions on a line, by their buttons. */
  acts?: (line: PayLine) => Record<string, () => void> | false
  /** The content below a line. */
  children?: (line: PayLine) => ReactNode
}

/** Each shift with its pay and the reason. */
export const PayLines = ({ lines: all, group = 'all', acts, children }: PayLinesProps) => {
  const lines = linesOf(all, group)
  return (
    <section id={LINES_ID} tabIndex={-1} aria-label={lineGroupLabel[group]}>
      <h2>{lineGroupLabel[group]}</h2>
      {all.length === 0 && <Soft as="p">No shifts on these days.</Soft>}
      {all.length > 0 && <Soft as="p">Times are in each market’s time zone.</Soft>}
      {group !== 'all' && <LineGroupLink group="all">Show all shifts</LineGroupLink>}
      <ul className={shared.lines}>
        {lines.map((line) => (
          <li key={line.uid}>
            <PayLineCard line={line} acts={acts?.(line) || {}} />
            {children?.(line)}
          </li>
        ))}
      </ul>
      {lines.length > 0 && <LineTotals lines={lines} />}
    </section>
  )
}

/** The sum of the shown lines, which equals the figure that leads here: paid shifts, and apart from them the others. */
function LineTotals({ lines }: { lines: readonly PayLine[] }) {
  const paid = linesOf(lines, 'paid')
  const unpaid = linesOf(lines, 'unpaid')
  const hoursOf = (some: readonly PayLine[]) => {
    const { actualMinutes, plannedMinutes, metres } = sumLines(some)
    return `${formatMinutes(actualMinutes)} worked, ${formatMinutes(plannedMinutes)} planned, ${formatMiles(metres)}`
  }
  return (
    <p className="figures" role="status" aria-label="Total of the shown shifts">
      {paid.length > 0 && (
        <>
          {countOf(paid.length, 'paid shift')}: <strong>{formatDollars(sumLines(paid).cents)}</strong>, {hoursOf(paid)}
        </>
      )}
      {paid.length > 0 && unpaid.length > 0 && '; '}
      {unpaid.length > 0 && `${countOf(unpaid.length, 'shift')} not paid: ${hoursOf(unpaid)}`}
    </p>
  )
}

function PayLineCard({ line, acts }: { line: PayLine; acts: Record<string, () => void> }) {
  const { date, start, end, program, market, truck, status, cents, unpaid, anomalies } = line
  const hours = formatClocks({ start, end })
  return (
    <article className={shared.pay} aria-label={`${formatWeekday(date)}, ${hours}`}>
      <div>
        <p>
          <RowLink uid={line.uid} to="/schedule/program-schedule">
            <strong className="figures">{formatWeekday(date)}</strong> <span className="figures">{hours}</span>
          </RowLink>
          {endsNextDay(line) && <Soft> ends next day</Soft>}
        </p>
        <p>{program}</p>
        <Soft as="p">
          {market}, truck {truck}
        </Soft>
        {status !== 'completed' && <ShiftStatusTag status={status} />}
      </div>
      <div>
        <WorkedHours line={line} />
        <AppliedOption line={line} />
        {anomalies.map(({ kind, text }) => (
          <p key={kind} className={styles.anomaly}>
            <StateTag tone="warn">{payAnomalyLabel[kind]}</StateTag> <Soft>{text}</Soft>
          </p>
        ))}
      </div>
      <div className={shared.amount}>
        <strong className="figures">{unpaid ? unpaidWord(line) : formatDollars(cents)}</strong>
        {Object.entries(acts).map(([word, act]) => (
          <Button key={word} size="small" onClick={act} aria-label={`${word} ${formatWeekday(date)}, ${hours}`}>
            {word}
          </Button>
        ))}
      </div>
    </article>
  )
}

const unpaidWord = ({ needsDecision }: PayLine) => (needsDecision ? 'To decide' : 'Not paid')

/** Why it is not paid, unless one of its problems says so already. */
const unpaidReason = ({ unpaid, needsDecision, anomalies }: PayLine) =>
  needsDecision || anomalies.some(({ text }) => text === unpaid) ? '' : unpaid

function WorkedHours({ line: { plannedMinutes, actualMinutes, startedAt, stoppedAt, zone } }: { line: PayLine }) {
  const clocks = startedAt && stoppedAt && ` (${formatTimes(startedAt, stoppedAt, zone)})`
  return (
    <p className="figures">
      Planned {formatMinutes(plannedMinutes)},{' '}
      {actualMinutes === null ? 'actual hours unknown' : `worked ${formatMinutes(actualMinutes)}`}
      {clocks && <Soft>{clocks}</Soft>}
    </p>
  )
}

/** The pay option, its origin, and the one proposed from the hours. */
function AppliedOption({ line }: { line: PayLine }) {
  const { option, proposed, reason, planned, override, rateFrom } = line
  const unpaid = unpaidReason(line)
  const isSet = Boolean(override?.option)
  const because = isSet ? `, set by ${override?.by}` : planned ? ', as planned' : ', as proposed'
  return (
    <>
      {option && (
        <p>
          <strong>{payOptionLabel[option]}</strong>
          {because}
          {rateFrom && (
            <Soft>
              , <span className={styles.whole}>rate since {formatDay(rateFrom)}</span>
            </Soft>
          )}
        </p>
      )}
      {unpaid && <p>{unpaid}</p>}
      {override && (
        <Soft as="p">
          {!isSet && `${override.decision ? payDecisionLabel[override.decision] : 'Reset'}, ${override.by}: `}“
          {override.note}”
        </Soft>
      )}
      {option && (
        <p className={styles.reason}>
          {option !== proposed && `Proposed: ${payOptionLabel[proposed].toLowerCase()}. `}
          {reason}
        </p>
      )}
    </>
  )
}
