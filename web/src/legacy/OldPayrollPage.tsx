import { payroll } from '@roadshow/contract/pay/payroll'
import type { PayRow } from '@roadshow/contract/pay/payroll'
import { useReply } from '../api/useCall.ts'
import { useMay } from '../api/user.ts'
import { paidShifts } from '../pay/payroll/money.ts'
import { PayBar } from '../pay/payroll/PayBar.tsx'
import { PeriodStateTag } from '../pay/payroll/states.tsx'
import { useNamedPeriod, usePayDays } from '../pay/payroll/usePayDays.ts'
import type { PayDays } from '../pay/payroll/usePayDays.ts'
import { MAX_PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { formatDollars, countOf, formatCount } from '@roadshow/contract/platform/figures'
import { ExportMenu } from '../ui/list/ExportMenu.tsx'
import { ListSearch } from '../ui/list/ListSearch.tsx'
import { Pager } from '../ui/rows/Pager.tsx'
import { Row } from '../ui/layout.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState, SkeletonLines } from '../ui/states.tsx'
import { formatMinutes, formatWeekday } from '@roadshow/contract/platform/dates'
import { useListState } from '../ui/useListState.ts'
import { ClassicTable } from './table/ClassicTable.tsx'
import type { ClassicColumn } from './table/columns.ts'
import { OldPayLines } from './OldPayLines.tsx'
import shared from './oldPages.module.css'

const driverColumn = (opened: string | undefined, show: (uid: string | undefined) => void): ClassicColumn<PayRow> => ({
  key: 'driver',
  label: 'Driver',
  width: 170,
  text: ({ driver }) => driver.name,
  show: ({ driver: { uid, name } }) => (
    <button
      type="button"
      className={shared.expand}
      aria-expanded={uid === opened}
      onClick={() => show(uid === opened ? undefined : uid)}
    >
      <span aria-hidden>{uid === opened ? '▾' : '▸'}</span> {name}
    </button>
  ),
})

const figureColumns: ClassicColumn<PayRow>[] = [
  { key: 'payrollId', label: 'Payroll ID', width: 80, text: ({ driver }) => driver.payrollId },
  { key: 'shifts', label: 'Shifts', width: 60, align: 'right', text: (row) => formatCount(paidShifts(row)) },
  { key: 'halfDay', label: 'Half day', width: 72, align: 'right', text: ({ halfDay }) => formatCount(halfDay) },
  { key: 'eightHours', label: '8 hours', width: 68, align: 'right', text: ({ eightHours }) => formatCount(eightHours) },
  {
    key: 'twelveHours',
    label: '12 hours',
    width: 72,
    align: 'right',
    text: ({ twelveHours }) => formatCount(twelveHours),
  },
  { key: 'unpaid', label: 'Not paid', width: 70, align: 'right', text: ({ unpaid }) => formatCount(unpaid) },
  {
    key: 'undecided',
    label: 'To decide',
    width: 74,
    align: 'right',
    text: ({ undecided }) => formatCount(undecided),
  },
  {
    key: 'plannedMinutes',
    label: 'Planned',
    width: 100,
    align: 'right',
    text: ({ plannedMinutes }) => formatMinutes(plannedMinutes),
  },
  {
    key: 'actualMinutes',
    label: 'Actual',
    width: 100,
    align: 'right',
    text: ({ actualMinutes }) => formatMinutes(actualMinutes),
  },
  {
    key: 'shiftCents',
    label: 'Shift pay',
    width: 100,
    align: 'right',
    text: ({ shiftCents }) => formatDollars(shiftCents),
  },
  {
    key: 'adjustmentCents',
    label: 'Adjustments',
    width: 96,
    align: 'right',
    text: ({ adjustmentCents }) => formatDollars(adjustmentCents),
  },
  { key: 'cents', label: 'Total', width: 100, align: 'right', text: ({ cents }) => formatDollars(cents) },
  { key: 'anomalies', label: 'Problems', width: 80, align: 'right', text: ({ anomalies }) => formatCount(anomalies) },
  {
    key: 'overtime',
    label: 'Overtime, owed',
    width: 150,
    align: 'right',
    text: ({ overtimeMinutes, overtimeCents }) =>
      overtimeMinutes > 0 ? `${formatMinutes(overtimeMinutes)}, ${formatDollars(overtimeCents)}` : '',
  },
]

const rowKey = ({ driver }: PayRow) => driver.uid

export default function OldPayrollPage() {
  const shown = usePayDays()
  const { days, found } = shown
  useNamedPeriod(shown)
  const maySeeAll = useMay(payroll.periods)
  if (!days) {
    return found.isError ? <ErrorState error={found.error} onRetry={() => void found.refetch()} /> : <SkeletonLines />
  }
  return (
    <>
      <PayBar days={days} />
      {!days.problem && (maySeeAll ? <AllDrivers days={days} /> : <OldPayLines days={days} />)}
    </>
  )
}

/** Every driver's pay; a click on one shows the shifts below. */
function AllDrivers({ days }: { days: PayDays }) {
  const { query, ask, from, to } = days
  const { open, show } = useListState(payroll.list)
  const asked = { ...query, pageSize: String(MAX_PAGE_SIZE) }
  const found = useReply(payroll.list, { query: asked }, { keepsOld: true })
  const { data: rows, total = 0, totals, period } = found.data ?? {}
  const reload = async () => (await found.refetch()).data?.data ?? []
  return (
    <>
      <Row gap={3} lineGap={2} align="center" wrap className={`${shared.tools} list-tools`} role="search">
        <div className={shared.search}>
          <ListSearch noun="drivers" query={query} ask={ask} />
        </div>
        <ExportMenu list={payroll.list} query={query} />
        <PeriodStateTag state={period?.state ?? 'open'} />
        {totals && (
          <span role="status" className="figures">
            {countOf(totals.drivers, 'driver')}, {countOf(paidShifts(totals), 'shift')},{' '}
            <strong>{formatDollars(totals.cents)}</strong>
          </span>
        )}
      </Row>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {rows?.length === 0 && (
        <EmptyState>
          {query.search
            ? 'No drivers match your search.'
            : `No shifts or adjustments from ${formatWeekday(from)} to ${formatWeekday(to)}.`}
        </EmptyState>
      )}
      {rows?.length !== 0 && (rows || !found.isError) && (
        <ClassicTable
          label="Pay by driver"
          columns={[driverColumn(open, show), ...figureColumns]}
          rows={rows}
          rowKey={rowKey}
          nameOf={({ driver }) => driver.name}
          reload={reload}
          renderBelow={(row) =>
            row.driver.uid === open && <OldPayLines days={days} driver={row.driver.uid} onSaved={() => void reload()} />
          }
        />
      )}
      <Pager
        page={Number(query.page ?? 1)}
        perPage={MAX_PAGE_SIZE}
        total={total}
        onChange={(page) => ask({ page: page === 1 ? undefined : String(page) })}
      />
    </>
  )
}
