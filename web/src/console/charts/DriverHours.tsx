import { charts } from '@roadshow/contract/console/charts'
import type { DriverHoursRow } from '@roadshow/contract/console/charts'
import { formatMinutes } from '@roadshow/contract/platform/dates'
import { Button } from 'antd'
import { useState } from 'react'
import { BarChart } from '../../ui/charts/BarChart.tsx'
import type { ChartColumn } from '../../ui/charts/ColumnChart.tsx'
import { countOf } from '@roadshow/contract/platform/figures'
import { ChartCard } from './ChartCard.tsx'
import type { ChartRows } from './ChartCard.tsx'
import { ChartTable } from './ChartTable.tsx'
import { BUSY_STATUSES, type ChartFilters, daysOfWeek, groupRows, shiftsLink, sumOf, weekName } from './chartWeeks.ts'

const linkOf = (filters: ChartFilters, driver: DriverHoursRow['driver']) =>
  shiftsLink(filters, { status: BUSY_STATUSES, driver: [driver.uid] })

type DriverBar = ChartColumn & { minutes: number; value: string }

/** The hours of each driver in all weeks, most first. */
export function driverBars(rows: readonly DriverHoursRow[], filters: ChartFilters): DriverBar[] {
  const bars = [...groupRows(rows, ({ driver }) => driver.uid).values()].flatMap((own): DriverBar[] => {
    const driver = own[0]?.driver
    if (!driver) return []
    const [worked, planned] = [sumOf(own, (row) => row.workedMinutes), sumOf(own, (row) => row.plannedMinutes)]
    const shifts = sumOf(own, (row) => row.shifts)
    return [
      {
        key: driver.uid,
        label: driver.name,
        minutes: worked + planned,
        value: formatMinutes(worked + planned),
        name: `${driver.name}: ${formatMinutes(worked)} worked and ${formatMinutes(planned)} planned in ${countOf(shifts, 'shift')}`,
        parts: [
          { key: 'worked', tone: 'driving', value: worked },
          { key: 'planned', tone: 'driving', isHollow: true, value: planned },
        ],
        link: linkOf(filters, driver),
      },
    ]
  })
  return bars.toSorted((one, other) => other.minutes - one.minutes || one.label.localeCompare(other.label))
}

const FEW_DRIVERS = 15

/** Who drives how long. */
export function DriverHours({ filters }: { filters: ChartFilters }) {
  return (
    <ChartCard
      endpoint={charts.driverHours}
      filters={filters}
      title="Hours by driver"
      meaning="Actual hours of shifts that have ended, planned hours of the others. A shift counts in the week in which it starts in its market."
      legend={[
        { word: 'Worked', tone: 'driving' },
        { word: 'Planned', tone: 'driving', isHollow: true },
      ]}
      nothing="No driver has a shift here in these weeks."
      Chart={DriverBars}
      Table={HoursTable}
    />
  )
}

function DriverBars({ rows, filters }: ChartRows<DriverHoursRow>) {
  const [areAllShown, showAll] = useState(false)
  const bars = driverBars(rows, filters)
  const shown = areAllShown ? bars : bars.slice(0, FEW_DRIVERS)
  const [most] = bars
  return (
    <>
      <BarChart
        title="Hours by driver"
        sentence={`${countOf(bars.length, 'driver')}${most ? `; most hours: ${most.label}, ${most.value}` : ''}.`}
        bars={shown}
        longest={most?.minutes ?? 0}
      />
      {bars.length > shown.length && <Button onClick={() => showAll(true)}>{`Show all ${bars.length} drivers`}</Button>}
    </>
  )
}

const HoursTable = ({ rows, filters }: ChartRows<DriverHoursRow>) => (
  <ChartTable
    label="Hours by driver and week"
    rows={rows}
    rowKey={({ driver, week }) => `${driver.uid} ${week}`}
    columns={[
      { title: 'Driver', cell: ({ driver }) => driver.name },
      { title: 'Week', cell: ({ week }) => weekName(week) },
      {
        title: 'Shifts',
        cell: ({ shifts }) => shifts,
        link: ({ driver, week }) => linkOf({ ...filters, ...daysOfWeek(week, filters) }, driver),
      },
      { title: 'Worked', cell: ({ workedMinutes }) => formatMinutes(workedMinutes) },
      { title: 'Planned', cell: ({ plannedMinutes }) => formatMinutes(plannedMinutes) },
      { title: 'Together', cell: ({ workedMinutes, plannedMinutes }) => formatMinutes(workedMinutes + plannedMinutes) },
    ]}
  />
)
