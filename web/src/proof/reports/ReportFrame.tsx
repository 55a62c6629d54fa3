import type { ReportMarket } from '@roadshow/contract/proof/report-parts'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Stack } from '../../ui/layout.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { ReportFilterBar } from './ReportFilterBar.tsx'
import { useReportFilters } from './useReportFilters.ts'
import type { ReportFilters, ReportCalls } from './useReportFilters.ts'

interface ReportFrameProps {
  calls: ReportCalls
  needsMarket: boolean
  /** The text when no program has data, and the text before one is chosen. */
  nothing: string
  choose: string
  children: (filters: ReportFilters, market: ReportMarket | undefined) => ReactNode
}

/** A report: its filters, and its content once they are complete. */
export function ReportFrame({ calls, needsMarket, nothing, choose, children }: ReportFrameProps) {
  const filters = useReportFilters(calls, needsMarket)
  const { given, complete, market, failed, hasNothing, isUnknown } = filters
  return (
    <Stack gap={4}>
      <ReportFilterBar calls={calls} filters={filters} anyMarket={needsMarket ? 'Choose a market' : 'All markets'} />
      {failed && <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />}
      {hasNothing && <EmptyState>{nothing}</EmptyState>}
      {!hasNothing && !given.program && !failed && <EmptyState>{choose}</EmptyState>}
      {isUnknown && (
        <EmptyState action={<Button onClick={() => filters.chooseProgram(undefined)}>Choose another program</Button>}>
          No data to report here, or you don’t have access to it.
        </EmptyState>
      )}
      {filters.mustChooseMarket && <EmptyState>Choose a market.</EmptyState>}
      {filters.isSettling && <SkeletonLines rows={9} />}
      {complete && children(complete, market)}
    </Stack>
  )
}
