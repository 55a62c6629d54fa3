import { users } from '@roadshow/contract/catalog/users'
import { PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { payroll } from '@roadshow/contract/pay/payroll'
import type { PayRow } from '@roadshow/contract/pay/payroll'
import { Button } from 'antd'
import { useReply } from '../../api/useCall.ts'
import type { ListOf } from '../../api/useList.ts'
import { ListToolbar } from '../../ui/list/ListToolbar.tsx'
import { lazyForm, RecordDrawer } from '../../ui/record/RecordDrawer.tsx'
import { Pager } from '../../ui/rows/Pager.tsx'
import { RowCards } from '../../ui/rows/RowCards.tsx'
import { RowTable } from '../../ui/rows/RowTable.tsx'
import { SortSelect } from '../../ui/rows/SortSelect.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { formatWeekday } from '@roadshow/contract/platform/dates'
import { useListState } from '../../ui/useListState.ts'
import { useIsPhone } from '../../ui/useMedia.ts'
import { countOf } from '@roadshow/contract/platform/figures'
import { AnomalyKinds } from './AnomalyKinds.tsx'
import { payColumns, payFilters } from './payColumns.tsx'
import type { DriverRow } from './payColumns.tsx'
import { PayFilesButton } from './PayFilesButton.tsx'
import { Decisions } from './Decisions.tsx'
import { PeriodSteps } from './PeriodSteps.tsx'
import { PayTotalsBar } from './PayTotals.tsx'
import type { PayDays } from './usePayDays.ts'
import lists from '../../ui/list/DataTable.module.css'

const StatementDrawer = lazyForm(() => import('./StatementDrawer.tsx'))

const asRow = (row: PayRow): DriverRow => ({ uid: row.driver.uid, ...row })
// The table reads only the sort fields of the list.
const list = payroll.list as unknown as ListOf<DriverRow>

/** Every driver's pay in a period, and the steps of the period. */
export default function AllPay({ days }: { days: PayDays }) {
  const { query, ask } = days
  const { open, show } = useListState(payroll.list)
  const isPhone = useIsPhone()
  const found = useReply(payroll.list, { query }, { keepsOld: true })
  const { data, total = 0 } = found.data ?? {}
  const rows = data?.map(asRow)
  const isNarrowed = query.search !== undefined || query.only !== undefined || query.anomaly !== undefined
  const clear = () => ask({ search: undefined, only: undefined, anomaly: undefined })
  const Rows = isPhone ? RowCards : RowTable
  const sort = query.sort === undefined ? undefined : String(query.sort)
  const sortBy = (next: string | undefined) => ask({ sort: next })
  return (
    <>
      {found.data && <PeriodSteps days={days} page={found.data} isStale={found.isPlaceholderData} />}
      {(found.data?.totals.undecided ?? 0) > 0 && <Decisions days={days} />}
      <PayTotalsBar totals={found.data?.totals} isStale={found.isPlaceholderData} />
      <AnomalyKinds
        // Those to decide have their own table.
        kinds={found.data?.anomalyKinds.filter(({ kind }) => kind !== 'needsDecision') ?? []}
        shown={typeof query.anomaly === 'string' ? query.anomaly : undefined}
        onShow={(anomaly) => ask({ anomaly })}
      />
      <ListToolbar nouns={['driver', 'drivers']} filters={payFilters} narrowing={{ query, ask, isNarrowed, clear }}>
        {isPhone && <SortSelect list={list} columns={payColumns} sort={sort} onSort={sortBy} />}
        {found.data && <PayFilesButton days={days} page={found.data} />}
      </ListToolbar>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {rows?.length === 0 && <NoPay days={days} onClear={isNarrowed ? clear : undefined} />}
      {rows?.length !== 0 && (rows || !found.isError) && (
        <Rows
          list={list}
          columns={payColumns}
          rows={rows}
          stale={found.isPlaceholderData}
          sort={sort}
          onSort={sortBy}
          isError={() => false}
          label="Drivers"
        />
      )}
      <div className={lists.footer}>
        <span role="status" className="figures">
          {total > 0 && countOf(total, 'driver')}
        </span>
        <Pager
          page={Number(query.page ?? 1)}
          perPage={Number(query.pageSize ?? PAGE_SIZE)}
          total={total}
          onChange={(page) => ask({ page: page === 1 ? undefined : String(page) })}
        />
      </div>
      <RecordDrawer form={StatementDrawer} open={open} onClose={() => show(undefined)} />
    </>
  )
}

function NoPay({ days, onClear }: { days: PayDays; onClear: (() => void) | undefined }) {
  if (onClear) {
    return (
      <EmptyState action={<Button onClick={onClear}>Clear search and filters</Button>}>
        No drivers match on these days.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      action={<Button onClick={() => days.step(-1)}>Previous period</Button>}
      imports={{ kind: 'pay-rates', needs: users.update }}
    >
      {`No shifts or adjustments from ${formatWeekday(days.from)} to ${formatWeekday(days.to)}. Completed shifts are paid here by the rates of their drivers.`}
    </EmptyState>
  )
}
