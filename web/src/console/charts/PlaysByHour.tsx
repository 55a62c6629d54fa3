import { charts } from '@roadshow/contract/console/charts'
import type { PlayHourRow } from '@roadshow/contract/console/charts'
import { formatClock } from '@roadshow/contract/platform/dates'
import { popGradeLabel, popGrades } from '@roadshow/contract/proof/pop-document'
import { Link } from '@tanstack/react-router'
import { gradeTone } from '../../proof/photos/photoTags.tsx'
import { ColumnChart } from '../../ui/charts/ColumnChart.tsx'
import type { ChartColumn } from '../../ui/charts/ColumnChart.tsx'
import { countOf, formatCount } from '@roadshow/contract/platform/figures'
import { ChartCard } from './ChartCard.tsx'
import type { ChartRows } from './ChartCard.tsx'
import { ChartTable } from './ChartTable.tsx'
import { type ChartFilters, niceTop, sumOf } from './chartWeeks.ts'
import type { UrlSearch } from '../../ui/useListState.ts'
import styles from './charts.module.css'

const hourName = (hour: number) => formatClock(`${hour}:00`)

/** The plays of each hour, by grade. */
export const hourColumns = (rows: readonly PlayHourRow[], filters: ChartFilters): ChartColumn[] =>
  rows.map((row) => {
    const grades = popGrades
      .filter((grade) => row[grade] > 0)
      .map((grade) => `, ${formatCount(row[grade])} ${popGradeLabel[grade].toLowerCase()}`)
    return {
      key: String(row.hour),
      label: hourName(row.hour).replace(':00', ''),
      name: `${hourName(row.hour)}: ${countOf(row.plays, 'play')}${grades.join('')}`,
      link: row.plays > 0 ? playsLink(filters, atHour(row.hour)) : undefined,
      parts: popGrades.map((grade) => ({ key: grade, tone: gradeTone[grade], value: row[grade] })),
    }
  })

/** When plays are shown. */
export function PlaysByHour({ filters }: { filters: ChartFilters }) {
  return (
    <ChartCard
      endpoint={charts.plays}
      filters={filters}
      title="Plays by hour of day"
      meaning="Plays of shifts that started in these weeks, by the hour on the clocks of each market."
      legend={popGrades.map((grade) => ({ word: popGradeLabel[grade], tone: gradeTone[grade] }))}
      nothing="No plays in these weeks."
      Chart={HoursChart}
      Table={HoursTable}
    />
  )
}

function HoursChart({ rows, filters }: ChartRows<PlayHourRow>) {
  const best = rows.reduce((most, row) => (row.plays > most.plays ? row : most))
  const plays = sumOf(rows, (row) => row.plays)
  return (
    <>
      <ColumnChart
        title="Plays by hour of day"
        sentence={`${countOf(plays, 'play')}. Most: ${countOf(best.plays, 'play')} at ${hourName(best.hour)}.`}
        columns={hourColumns(rows, filters)}
        top={niceTop(best.plays)}
        formatValue={formatCount}
      />
      <AdLogHint filters={filters} />
    </>
  )
}

/** The plays behind a figure: the ad log with the filters of the charts and more. */
const playsLink = ({ from, to, ...records }: ChartFilters, more: UrlSearch = {}) => ({
  to: '/ad-log',
  search: { ...records, from, to, ...more },
})

const atHour = (hour: number) => ({ fromHour: String(hour), toHour: String(hour + 1) })

/** The way to the plays themselves. */
const AdLogHint = ({ filters }: { filters: ChartFilters }) => (
  <p className={styles.meaning}>
    <Link {...playsLink(filters)}>Open these plays in the ad log</Link>
  </p>
)

const HoursTable = ({ rows, filters }: ChartRows<PlayHourRow>) => (
  <ChartTable
    label="Plays by hour of day"
    rows={rows}
    rowKey={({ hour }) => String(hour)}
    columns={[
      { title: 'Hour', cell: ({ hour }) => hourName(hour) },
      { title: 'Plays', cell: ({ plays }) => plays, link: ({ hour }) => playsLink(filters, atHour(hour)) },
      ...popGrades.map((grade) => ({
        title: popGradeLabel[grade],
        cell: (row: PlayHourRow) => row[grade],
        link: ({ hour }: PlayHourRow) => playsLink(filters, { ...atHour(hour), grade }),
      })),
    ]}
  />
)
