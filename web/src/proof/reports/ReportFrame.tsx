import type { ReportMarket } from '@roadshow/contract/proof/reports'
import { Button, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { ReportFilterBar } from './ReportFilterBar.tsx'
import { useReportFilters } from './useReportFilters.ts'
import type { ReportFilters, ReportCalls } from './useReportFilters.ts'
import styles from './reports.module.css'

interface ReportFrameProps {
  calls: ReportCalls
  needsMarket: boolean
  /** What to say where there is nothing to report on at all, and before anything is chosen. */
  nothing: string
  choose: string
  children: (asked: ReportFilters, market: ReportMarket | undefined) => ReactNode
}

/** A report: what it is about, and its answer once that is known; until then, what to do. */
export function ReportFrame({ calls, needsMarket, nothing, choose, children }: ReportFrameProps) {
  const question = useReportFilters(calls, needsMarket)
  const { given, asked, market, failed, hasNothing, isUnknown } = question
  return (
    <div className={styles.report}>
      <ReportFilterBar calls={calls} question={question} anyMarket={needsMarket ? 'Choose a market' : 'All markets'} />
      {failed && <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />}
      {hasNothing && <EmptyState>{nothing}</EmptyState>}
      {!hasNothing && !given.program && !failed && <EmptyState>{choose}</EmptyState>}
      {isUnknown && (
        <EmptyState action={<Button onClick={() => question.chooseProgram(undefined)}>Choose another program</Button>}>
          There is nothing to report here: no data, or it is not yours to see.
        </EmptyState>
      )}
      {question.mustChooseMarket && <EmptyState>Choose one of its markets.</EmptyState>}
      {question.isSettling && <Skeleton active paragraph={{ rows: 8 }} />}
      {asked && children(asked, market)}
    </div>
  )
}
