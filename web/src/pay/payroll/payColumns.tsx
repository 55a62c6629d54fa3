import type { ReplyOf } from '@roadshow/contract/platform/endpoint'
import type { payroll, PayRow } from '@roadshow/contract/pay/payroll'
import type { Column } from '../../ui/rows/columns.ts'
import type { Filter } from '../../ui/list/FilterChips.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import { formatMinutes } from '@roadshow/contract/platform/dates'
import { formatDollars, countOf } from '@roadshow/contract/platform/figures'
import { paidShifts } from './money.ts'
import styles from './payColumns.module.css'

/** A page of drivers, with the totals of everybody and the period. */
export type PayPage = ReplyOf<typeof payroll.list>

/** The pay of a driver; the row has the driver's uid. */
export type DriverRow = PayRow & { uid: string }

export const AnomalyCount = ({ count }: { count: number }) =>
  count > 0 && <StateTag tone="warn">{countOf(count, 'problem')}</StateTag>

export const payColumns: Column<DriverRow>[] = [
  {
    key: 'name',
    title: 'Driver',
    render: ({ driver: { name, payrollId } }) => (
      <>
        {name}
        {payrollId && <span className={styles.id}> {payrollId}</span>}
      </>
    ),
  },
  { key: 'shifts', title: 'Shifts', width: 80, align: 'right', render: paidShifts },
  {
    key: 'options',
    title: 'Half / 8 h / 12 h',
    width: 128,
    align: 'right',
    secondary: true,
    render: ({ halfDay, eightHours, twelveHours }) => `${halfDay} / ${eightHours} / ${twelveHours}`,
  },
  {
    key: 'plannedMinutes',
    title: 'Planned',
    width: 104,
    align: 'right',
    secondary: true,
    render: ({ plannedMinutes }) => formatMinutes(plannedMinutes),
  },
  {
    key: 'actualMinutes',
    title: 'Actual',
    width: 104,
    align: 'right',
    render: ({ actualMinutes }) => formatMinutes(actualMinutes),
  },
  {
    key: 'shiftCents',
    title: 'Shift pay',
    width: 108,
    align: 'right',
    secondary: true,
    render: ({ shiftCents }) => formatDollars(shiftCents),
  },
  {
    key: 'adjustmentCents',
    title: 'Adjustments',
    width: 108,
    align: 'right',
    secondary: true,
    render: ({ adjustmentCents }) => adjustmentCents !== 0 && formatDollars(adjustmentCents),
  },
  {
    key: 'cents',
    title: 'Total',
    width: 112,
    align: 'right',
    render: ({ cents }) => <strong>{formatDollars(cents)}</strong>,
  },
  {
    key: 'anomalies',
    title: 'Problems',
    width: 132,
    render: ({ anomalies, undecided }) => (
      <>
        {undecided > 0 && <StateTag tone="bad">{`${undecided} to decide`}</StateTag>}{' '}
        <AnomalyCount count={anomalies - undecided} />
      </>
    ),
  },
  {
    key: 'overtimeCents',
    title: 'Overtime',
    width: 168,
    align: 'right',
    render: ({ overtimeMinutes, overtimeCents }) =>
      overtimeMinutes > 0 && `${formatMinutes(overtimeMinutes)}, ${formatDollars(overtimeCents)}`,
  },
]

export const payFilters: Filter[] = [
  {
    key: 'only',
    label: 'Only',
    words: { undecided: 'With shifts to decide', anomalies: 'With problems', overtime: 'With overtime' },
  },
]
