import { charts } from '@roadshow/contract/console/charts'
import type { UtilizationRow } from '@roadshow/contract/console/charts'
import { Button } from 'antd'
import { useState } from 'react'
import { ColumnChart } from '../../ui/charts/ColumnChart.tsx'
import type { ChartColumn } from '../../ui/charts/ColumnChart.tsx'
import { formatCount } from '@roadshow/contract/platform/figures'
import { ChartCard } from './ChartCard.tsx'
import type { ChartRows } from './ChartCard.tsx'
import { ChartTable } from './ChartTable.tsx'
import {
  BUSY_STATUSES,
  type ChartFilters,
  daysOfWeek,
  groupRows,
  shareText,
  shiftsLink,
  sumOf,
  weekLabel,
  weekName,
  weeksBetween,
} from './chartWeeks.ts'
import styles from './charts.module.css'

const linkOf = (filters: ChartFilters, row: { week: string; market?: UtilizationRow['market'] }) =>
  shiftsLink(
    { ...filters, ...daysOfWeek(row.week, filters) },
    { status: BUSY_STATUSES, ...(row.market && { market: [row.market.uid] }) },
  )

const NO_TRUCKS = 'No trucks'

const percentOf = (part: number, whole: number) => (whole === 0 ? 0 : (part / whole) * 100)

/** The weeks of some markets together, in percent of their truck-days. */
export function utilizationColumns(
  rows: readonly UtilizationRow[],
  filters: ChartFilters,
  market?: UtilizationRow['market'],
): ChartColumn[] {
  const byWeek = groupRows(rows, ({ week }) => week)
  return weeksBetween(filters.from, filters.to).map((week) => {
    const own = byWeek.get(week) ?? []
    const [driven, booked, available] = [
      sumOf(own, (row) => row.driven),
      sumOf(own, (row) => row.booked),
      sumOf(own, (row) => row.available),
    ]
    const figures = `${shareText(driven + booked, available, NO_TRUCKS)}, ${formatCount(driven)} driven and ${formatCount(booked)} booked of ${formatCount(available)} truck-days`
    return {
      key: week,
      label: weekLabel(week),
      name: `${weekName(week)}: ${available === 0 ? NO_TRUCKS : figures}`,
      parts: [
        { key: 'driven', tone: 'driving', value: percentOf(driven, available) },
        { key: 'booked', tone: 'driving', isHollow: true, value: percentOf(booked, available) },
      ],
      isUnknown: available === 0,
      link: driven + booked > 0 ? linkOf(filters, { week, ...(market && { market }) }) : undefined,
    }
  })
}

const usedShare = (rows: readonly UtilizationRow[]) =>
  shareText(
    sumOf(rows, (row) => row.driven + row.booked),
    sumOf(rows, (row) => row.available),
    NO_TRUCKS,
  )

const percentText = (value: number) => `${value}%`
const FEW_MARKETS = 12

/** How much of the fleet is used: all markets together, then each by itself. */
export function Utilization({ filters }: { filters: ChartFilters }) {
  return (
    <ChartCard
      endpoint={charts.utilization}
      filters={filters}
      title="Fleet utilization"
      meaning="Truck-days with a shift out of all truck-days: a truck counts where it drives, and at home while it is active and has no shift."
      legend={[
        { word: 'Driven', tone: 'driving' },
        { word: 'Booked', tone: 'driving', isHollow: true },
      ]}
      nothing="No trucks were at home or on a shift here in these weeks."
      Chart={UtilizationCharts}
      Table={UtilizationTable}
    />
  )
}

function UtilizationCharts({ rows, filters }: ChartRows<UtilizationRow>) {
  const [areAllShown, showAll] = useState(false)
  const markets = [...groupRows(rows, ({ market }) => market.uid).values()]
  const shown = areAllShown ? markets : markets.slice(0, FEW_MARKETS)
  return (
    <>
      <ColumnChart
        title="All markets"
        sentence={`${usedShare(rows)} of truck-days used from ${weekName(filters.from).toLowerCase()} on, by week.`}
        columns={utilizationColumns(rows, filters)}
        top={100}
        formatValue={percentText}
      />
      {markets.length > 1 && (
        <div className={styles.markets}>
          {shown.map(
            (own) =>
              own[0] && <MarketChart key={own[0].market.uid} rows={own} market={own[0].market} filters={filters} />,
          )}
        </div>
      )}
      {markets.length > shown.length && (
        <Button onClick={() => showAll(true)}>{`Show all ${markets.length} markets`}</Button>
      )}
    </>
  )
}

interface MarketChartProps {
  rows: readonly UtilizationRow[]
  market: UtilizationRow['market']
  filters: ChartFilters
}

const MarketChart = ({ rows, market, filters }: MarketChartProps) => (
  <div>
    <h3>
      {market.name} <span>{usedShare(rows)}</span>
    </h3>
    <ColumnChart
      title={market.name}
      sentence={`${usedShare(rows)} of truck-days used, by week.`}
      columns={utilizationColumns(rows, filters, market)}
      top={100}
      formatValue={percentText}
      height={110}
    />
  </div>
)

const UtilizationTable = ({ rows, filters }: ChartRows<UtilizationRow>) => (
  <ChartTable
    label="Fleet utilization by market and week"
    rows={rows}
    rowKey={({ market, week }) => `${market.uid} ${week}`}
    columns={[
      { title: 'Market', cell: ({ market }) => market.name },
      { title: 'Week', cell: ({ week }) => weekName(week) },
      { title: 'Shifts', cell: ({ shifts }) => shifts, link: (row) => linkOf(filters, row) },
      { title: 'Driven', cell: ({ driven }) => driven },
      { title: 'Booked', cell: ({ booked }) => booked },
      { title: 'Truck-days', cell: ({ available }) => available },
      {
        title: 'Utilization',
        cell: ({ driven, booked, available }) => shareText(driven + booked, available, NO_TRUCKS),
      },
    ]}
  />
)
