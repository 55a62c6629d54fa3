import type { ReportMarket } from '@roadshow/contract/proof/reports'
import { Button, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { ReportFilterBar } from './ReportFilterBar.tsx'
import { useReportFilters } from './useReportFilters.ts'
import type { ReportFilters, ReportCalls } from './useReportFilters.ts'
import styles from './ReportFrame.module.css'

interface ReportFrameProps {
  calls: ReportCalls
  needsMarket: boolean
  /** What to say where there is nothing to report on at all, and before anything is chosen. */
  nothing: string
  choose: string
  children: (filters: ReportFilters, market: ReportMarket | undefined) => ReactNode
}

/** A report: what it is about, and its answer once that is known; until then, what to do. */
export function ReportFrame({ calls, needsMarket, nothing, choose, children }: ReportFrameProps) {
  const filters = useReportFilters(calls, needsMarket)
  const { given, complete, market, failed, hasNothing, isUnknown } = filters
  return (
    <div className={styles.report}>
      <ReportFilterBar calls={calls} filters={filters} anyMarket={needsMarket ? 'Choose a market' : 'All markets'} />
      {failed && <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />}
      {hasNothing && <EmptyState>{nothing}</EmptyState>}
      {!hasNothing && !given.program && !failed && <EmptyState>{choose}</EmptyState>}
      {isUnknown && (
        <EmptyState action={<Button onClick={() => filters.chooseProgram(undefined)}>Choose another program</Button>}>
          There is nothing to report here: no data, or it is not yours to see.
        </EmptyState>
      )}
      {filters.mustChooseMarket && <EmptyState>Choose one of its markets.</EmptyState>}
      {filters.isSettling && <Skeleton active paragraph={{ rows: 8 }} />}
      {complete && children(complete, market)}
    </div>
  )
}
