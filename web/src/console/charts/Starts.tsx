import { charts } from '@roadshow/contract/console/charts'
import type { StartsRow } from '@roadshow/contract/console/charts'
import { LATE_MINUTES, startOutcomeLabel, startOutcomes } from '@roadshow/contract/planning/driver-marks'
import type { StartOutcome } from '@roadshow/contract/planning/driver-marks'
import { ColumnChart } from '../../ui/charts/ColumnChart.tsx'
import type { ChartColumn } from '../../ui/charts/ColumnChart.tsx'
import { countOf, formatCount } from '@roadshow/contract/platform/figures'
import type { Tone } from '../../ui/text/StateTag.tsx'
import { ChartCard } from './ChartCard.tsx'
import type { ChartRows } from './ChartCard.tsx'
import { ChartTable } from './ChartTable.tsx'
import {
  type ChartFilters,
  daysOfWeek,
  groupRows,
  niceTop,
  shareText,
  shiftsLink,
  sumOf,
  weekLabel,
  weekName,
  weeksBetween,
} from './chartWeeks.ts'

const tones: Record<StartOutcome, Tone> = { onTime: 'driving', late: 'warn', noShow: 'bad', noData: 'silent' }

type Counts = Record<StartOutcome, number>
const countsOf = (rows: readonly StartsRow[]): Counts => ({
  onTime: sumOf(rows, (row) => row.onTime),
  late: sumOf(rows, (row) => row.late),
  noShow: sumOf(rows, (row) => row.noShow),
  noData: sumOf(rows, (row) => row.noData),
})

/** On-time starts out of those that are known. */
const onTimeText = ({ onTime, late, noShow }: Counts) => shareText(onTime, onTime + late + noShow, 'No starts')
const dueOf = (counts: Counts) => startOutcomes.reduce((sum, outcome) => sum + counts[outcome], 0)

const linkOf = (filters: ChartFilters, week: string, outcomes: readonly StartOutcome[], market?: string) =>
  shiftsLink(
    { ...filters, ...daysOfWeek(week, filters) },
    { startOutcome: [...outcomes], ...(market !== undefined && { market: [market] }) },
  )

/** The starts of each week, all markets together. */
export function startColumns(rows: readonly StartsRow[], filters: ChartFilters): ChartColumn[] {
  const byWeek = groupRows(rows, ({ week }) => week)
  return weeksBetween(filters.from, filters.to).map((week) => {
    const counts = countsOf(byWeek.get(week) ?? [])
    const due = dueOf(counts)
    const figures = startOutcomes
      .filter((outcome) => counts[outcome] > 0)
      .map((outcome) => `${formatCount(counts[outcome])} ${startOutcomeLabel[outcome].toLowerCase()}`)
    return {
      key: week,
      label: weekLabel(week),
      name: `${weekName(week)}: ${due === 0 ? 'No shifts were due' : `${countOf(due, 'shift')} due, ${figures.join(', ')}`}`,
      parts: startOutcomes.map((outcome) => ({
        key: outcome,
        tone: tones[outcome],
        value: counts[outcome],
        isHollow: outcome === 'noData',
      })),
      isUnknown: due === 0,
      link: due > 0 ? linkOf(filters, week, startOutcomes) : undefined,
    }
  })
}

/** Whether shifts start on time. */
export function Starts({ filters }: { filters: ChartFilters }) {
  return (
    <ChartCard
      endpoint={charts.starts}
      filters={filters}
      title="On-time starts"
      meaning={`Shifts that were due, by how they started. A start is late after ${LATE_MINUTES} minutes; a shift without a reported start is neither late nor on time.`}
      legend={startOutcomes.map((outcome) => ({
        word: startOutcomeLabel[outcome],
        tone: tones[outcome],
        isHollow: outcome === 'noData',
      }))}
      nothing="No shifts were due here in these weeks."
      Chart={StartsChart}
      Table={StartsTable}
    />
  )
}

function StartsChart({ rows, filters }: ChartRows<StartsRow>) {
  const columns = startColumns(rows, filters)
  const highest = Math.max(...columns.map(({ parts }) => sumOf(parts, ({ value }) => value)))
  const counts = countsOf(rows)
  const known = dueOf(counts) - counts.noData
  return (
    <ColumnChart
      title="Starts by week"
      sentence={`${onTimeText(counts)} of ${countOf(known, 'known start')} on time; ${formatCount(counts.noData)} without data.`}
      columns={columns}
      top={niceTop(highest)}
      formatValue={formatCount}
    />
  )
}

const StartsTable = ({ rows, filters }: ChartRows<StartsRow>) => (
  <ChartTable
    label="On-time starts by market and week"
    rows={rows}
    rowKey={({ market, week }) => `${market.uid} ${week}`}
    columns={[
      { title: 'Market', cell: ({ market }) => market.name },
      { title: 'Week', cell: ({ week }) => weekName(week) },
      ...startOutcomes.map((outcome) => ({
        title: startOutcomeLabel[outcome],
        cell: (row: StartsRow) => row[outcome],
        link: ({ week, market }: StartsRow) => linkOf(filters, week, [outcome], market.uid),
      })),
      { title: 'On-time share', cell: onTimeText },
    ]}
  />
)
