import { formatDollars } from '@roadshow/contract/platform/figures'
import { payReason, type PayReason } from '@roadshow/contract/pay/pay-reason'
import type { PayStatement } from '@roadshow/contract/pay/payroll'
import { formatMinutes, formatTimes, formatWeekday, localZone } from '@roadshow/contract/platform/dates'
import { localDay } from '@roadshow/contract/planning/shift-time'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { download } from '../../api/download.ts'
import { EM_DASH } from '../../ui/text/dash.ts'
import { Row, Soft } from '../../ui/layout.tsx'
import { useLanguage, useWords } from '../context.ts'
import { Button } from '../ui/Button.tsx'
import type { Words } from '../words/index.ts'
import { meCalls } from './calls.ts'
import { MeFrame } from './MeFrame.tsx'
import { payWeekOf, periodState, undecidedMinutes, weekBeside } from './pay-rules.ts'
import type { PayWeek } from './pay-rules.ts'
import { useLoaded } from './useLoaded.ts'
import styles from './me.module.css'

const stateWord = { open: 'payOpen', approved: 'payApproved', locked: 'payLocked' } as const
const reasonWord = {
  halfDay: 'payHalfDay',
  eightHours: 'payEightHours',
  twelveHours: 'payTwelveHours',
  undecided: 'payUndecided',
  notCompleted: 'payNotCompleted',
  cancelled: 'payCanceled',
  noShow: 'payNoShow',
  unpaid: 'payUnpaid',
} as const satisfies Record<PayReason, keyof Words>

/** The driver's own pay, week by week. */
export default function PayPage() {
  const words = useWords()
  const language = useLanguage()
  const [week, setWeek] = useState<PayWeek>(() => payWeekOf(localDay(localZone())))
  const loaded = useLoaded(
    async () => (await call(meCalls.statement, { query: { ...week } }, { staysOnPage: true })).data,
    week.from,
  )
  const head = (
    <>
      <h2>{words.payWeek(formatWeekday(week.from, language), formatWeekday(week.to, language))}</h2>
      <Row gap={2} wrap between className={styles.beside}>
        <Button onClick={() => setWeek(weekBeside(week, -1))}>{words.weekBefore}</Button>
        <Button onClick={() => setWeek(weekBeside(week, 1))}>{words.weekAfter}</Button>
      </Row>
    </>
  )
  return (
    <MeFrame title={words.pay} loaded={loaded} head={head}>
      {(statement) => <WeekPay statement={statement} />}
    </MeFrame>
  )
}

function WeekPay({ statement }: { statement: PayStatement }) {
  const words = useWords()
  const language = useLanguage()
  const { figures, lines, adjustments, weeks, from, to } = statement
  return (
    <>
      <section className={styles.card}>
        <h3>{words.payTotal}</h3>
        <p className={`figures ${styles.total}`}>{formatDollars(figures.cents)}</p>
        <p>{words.payWorked(formatMinutes(figures.actualMinutes), formatMinutes(figures.plannedMinutes))}</p>
        {figures.undecided > 0 && (
          <Row as="p" gap={2} wrap between>
            <span>{words.payUndecidedShifts(figures.undecided, formatMinutes(undecidedMinutes(lines)))}</span>
            <span className="figures">{EM_DASH}</span>
          </Row>
        )}
        <Soft as="p">{words[stateWord[periodState(statement)]]}</Soft>
        {weeks
          .filter(({ overtimeMinutes }) => overtimeMinutes > 0)
          .map((week) => (
            <p key={week.from}>{words.payOvertime(formatMinutes(week.overtimeMinutes))}</p>
          ))}
      </section>
      {lines.length + adjustments.length === 0 && <p>{words.payNothing}</p>}
      {lines.length > 0 && <h2>{words.payShifts}</h2>}
      {lines.map((line) => (
        <PayCard key={line.uid} line={line} />
      ))}
      {adjustments.length > 0 && <h2>{words.payAdjustments}</h2>}
      {adjustments.map(({ uid, date, cents, note }) => (
        <section key={uid} className={styles.card}>
          <h3>{formatWeekday(date, language)}</h3>
          <p>{note}</p>
          <p className="figures">{formatDollars(cents)}</p>
        </section>
      ))}
      <StatementButton week={{ from, to }} />
    </>
  )
}

function PayCard({ line }: { line: PayStatement['lines'][number] }) {
  const words = useWords()
  const language = useLanguage()
  const { date, truck, program, startedAt, stoppedAt, zone, actualMinutes, plannedMinutes, cents } = line
  const reason = payReason(line)
  return (
    <section className={styles.card}>
      <Row as="h3" gap={2} wrap between>
        <span>{formatWeekday(date, language)}</span>
        {reason !== 'notCompleted' && (
          <span className="figures">{reason === 'undecided' ? EM_DASH : formatDollars(cents)}</span>
        )}
      </Row>
      <p>
        {words.truck} {truck} · {program}
      </p>
      {startedAt && stoppedAt && <p>{formatTimes(startedAt, stoppedAt, zone, language)}</p>}
      <p>
        {actualMinutes === null
          ? words.payPlannedLine(formatMinutes(plannedMinutes))
          : words.payWorkedLine(formatMinutes(actualMinutes))}
      </p>
      <Soft as="p">{words[reasonWord[reason]]}</Soft>
    </section>
  )
}

function StatementButton({ week: { from, to } }: { week: PayWeek }) {
  const words = useWords()
  const [hasFailed, setHasFailed] = useState(false)
  const fetchFile = async () => {
    setHasFailed(false)
    await download(meCalls.statement, { query: { from, to, format: 'pdf' } }).catch(() => setHasFailed(true))
  }
  return (
    <>
      <Button onClick={() => void fetchFile()}>{words.payStatement}</Button>
      {hasFailed && <p role="alert">{words.couldNotLoad}</p>}
    </>
  )
}
