import { formatMinutes } from '@roadshow/contract/platform/dates'
import { formatMiles } from '@roadshow/contract/platform/geo'
import type { PayTotals } from '@roadshow/contract/pay/payroll'
import type { ReactNode } from 'react'
import { FactTable } from '../../ui/rows/FactTable.tsx'
import type { FactColumn } from '../../ui/rows/FactTable.tsx'
import { Soft } from '../../ui/layout.tsx'
import { SkeletonLine } from '../../ui/states.tsx'
import { formatDollars, countOf, formatCount } from '@roadshow/contract/platform/figures'
import { optionsText, paidShifts } from './money.ts'
import { AnomalyCount } from './payColumns.tsx'
import styles from './PayTotals.module.css'

interface Figure {
  label: string
  figure: (totals: PayTotals) => ReactNode
  beside?: (totals: PayTotals) => ReactNode
}

/** Which part of the overtime owed is in the total, in words. */
function overtimePart({ paidOvertimeCents, overtimeCents }: PayTotals): string {
  if (paidOvertimeCents === 0) return 'not in total'
  return paidOvertimeCents === overtimeCents ? 'in total' : `${formatDollars(paidOvertimeCents)} in total`
}

const figures: Figure[] = [
  { label: 'Drivers', figure: ({ drivers }) => formatCount(drivers) },
  {
    label: 'Paid shifts',
    figure: (totals) => formatCount(paidShifts(totals)),
    beside: (totals) =>
      [optionsText(totals), totals.unpaid > 0 && `${totals.unpaid} not paid`].filter(Boolean).join('; '),
  },
  {
    label: 'Actual hours',
    figure: ({ actualMinutes }) => formatMinutes(actualMinutes),
    beside: ({ plannedMinutes, metres }) => `${formatMinutes(plannedMinutes)} planned, ${formatMiles(metres)}`,
  },
  { label: 'Shift pay', figure: ({ shiftCents }) => formatDollars(shiftCents) },
  { label: 'Adjustments', figure: ({ adjustmentCents }) => formatDollars(adjustmentCents) },
  {
    label: 'Total',
    figure: ({ cents }) => formatDollars(cents),
    // Those to decide are counted above their table.
    beside: ({ anomalies, undecided }) => <AnomalyCount count={anomalies - undecided} />,
  },
  {
    label: 'Overtime owed',
    figure: ({ overtimeCents }) => formatDollars(overtimeCents),
    beside: (totals) =>
      totals.overtimeMinutes > 0
        ? `${formatMinutes(totals.overtimeMinutes)} over, ${overtimePart(totals)}`
        : 'No weeks over the limit',
  },
]

/** The control totals of a period: of everybody, whatever is searched below. */
export const PayTotalsBar = ({ totals, isStale }: { totals: PayTotals | undefined; isStale: boolean }) => (
  <dl className={styles.totals} aria-label="Control totals" aria-busy={isStale || !totals}>
    {figures.map(({ label, figure, beside }) => (
      <div key={label} data-strong={label === 'Total'}>
        <Soft as="dt" small>
          {label}
        </Soft>
        <dd className="figures">{totals ? figure(totals) : <SkeletonLine />}</dd>
        {totals && beside && <dd className={styles.beside}>{beside(totals)}</dd>}
      </div>
    ))}
  </dl>
)

type ControlTotal = readonly [label: string, figure: string]

// The rows say it all.
const controlColumns: FactColumn<ControlTotal>[] = [
  { title: '', render: ([label]) => <Soft>{label}</Soft> },
  { title: '', isNumber: true, render: ([, figure]) => figure },
]

/** The totals of a file, to compare with the payroll system. */
export const ControlTotals = ({ rows }: { rows: readonly ControlTotal[] }) => (
  <FactTable caption="Control totals" columns={controlColumns} rows={rows} rowKey={([label]) => label} />
)

export const controlTotalRows = (held: {
  rows: number
  drivers: number
  minutes: number
  shiftCents: number
  adjustmentCents: number
  overtimeCents: number
  cents: number
}) =>
  [
    ['Rows', countOf(held.rows, 'row')],
    ['Drivers', countOf(held.drivers, 'driver')],
    ['Hours', formatMinutes(held.minutes)],
    ['Shift pay', formatDollars(held.shiftCents)],
    ['Adjustments', formatDollars(held.adjustmentCents)],
    ...(held.overtimeCents === 0 ? [] : [['Overtime owed', formatDollars(held.overtimeCents)] as const]),
    ['Total', formatDollars(held.cents)],
  ] as const
