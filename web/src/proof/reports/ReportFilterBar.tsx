import type { ReportMarket, ReportProgram } from '@roadshow/contract/proof/reports'
import { Button } from 'antd'
import { lazy, Suspense, useId } from 'react'
import { RecordSelect } from '../../ui/RecordSelect.tsx'
import type { Lookup } from '../../ui/RecordSelect.tsx'
import type { Question, ReportCalls } from './useReportFilters.ts'
import styles from './reports.module.css'

const DayPicker = lazy(() => import('../../ui/DayPicker.tsx').then((module) => ({ default: module.DayPicker })))

const daysText = ({ firstDay, lastDay }: { firstDay: string; lastDay: string }) =>
  firstDay === lastDay ? firstDay : `${firstDay} – ${lastDay}`

const programsOf = (calls: ReportCalls): Lookup<ReportProgram> => ({
  list: calls.programs,
  sort: 'name',
  nameOf: (program) => `${program.name} (${program.client.name}), ${daysText(program)}`,
})
const marketsOf = (calls: ReportCalls, program: string): Lookup<ReportMarket> => ({
  list: calls.markets,
  sort: 'name',
  nameOf: (market) => `${market.name}, ${daysText(market)}`,
  given: { program },
})

interface ReportFilterBarProps {
  calls: ReportCalls
  question: Question
  /** What no market means. */
  anyMarket: string
}

/** What the report is about: program, then market, then days. */
export function ReportFilterBar({ calls, question, anyMarket }: ReportFilterBarProps) {
  const { given, program, market, isBackwards } = question
  const withData = market ?? program
  const isAllThereIs = given.from === withData?.firstDay && given.to === withData?.lastDay
  const [programId, marketId, fromId, toId] = [useId(), useId(), useId(), useId()]
  return (
    <section className={styles.bar} aria-label="What the report is about">
      <div className={styles.wide}>
        <label htmlFor={programId}>Program</label>
        <RecordSelect
          id={programId}
          lookup={programsOf(calls)}
          value={given.program ?? ''}
          placeholder="Choose a program"
          popupMatchSelectWidth={false}
          onChange={(uid: string | undefined) => question.chooseProgram(uid)}
        />
      </div>
      {given.program && (
        <div className={styles.field}>
          <label htmlFor={marketId}>Market</label>
          <RecordSelect
            // What was typed for one program finds nothing of another.
            key={given.program}
            id={marketId}
            lookup={marketsOf(calls, given.program)}
            value={given.market ?? ''}
            placeholder={anyMarket}
            popupMatchSelectWidth={false}
            onChange={(uid: string | undefined) => question.chooseMarket(uid)}
          />
        </div>
      )}
      {given.from && given.to && (
        <Suspense>
          <div className={styles.day}>
            <label htmlFor={fromId}>First day</label>
            <DayPicker
              id={fromId}
              value={given.from}
              onChange={(day) => (day ? question.chooseDays({ from: day }) : question.proposeDays())}
            />
          </div>
          <div className={styles.day}>
            <label htmlFor={toId}>Last day</label>
            <DayPicker
              id={toId}
              value={given.to}
              onChange={(day) => (day ? question.chooseDays({ to: day }) : question.proposeDays())}
            />
          </div>
        </Suspense>
      )}
      {isBackwards && (
        <p role="alert" className={styles.wrong}>
          The last day must not be before the first.
        </p>
      )}
      {withData && given.from && !isAllThereIs && (
        <p className={styles.hint}>
          There is data from {daysText(withData)}.{' '}
          <Button type="link" size="small" onClick={question.proposeDays}>
            Show all of it
          </Button>
        </p>
      )}
    </section>
  )
}
