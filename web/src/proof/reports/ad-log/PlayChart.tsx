import { ColumnStack } from '../../../ui/charts/ColumnStack.tsx'
import { countOf, formatCount } from '@roadshow/contract/platform/figures'
import { barLength, parts } from './playGrades.ts'
import { chartColumns, dayNamer } from './playTime.ts'
import type { ChartColumn, DayFigures } from './playTime.ts'
import styles from './PlayChart.module.css'

interface PlayChartProps {
  days: readonly DayFigures[]
  from: string
  to: string
}

const GAP = 0.16
const playsText = (plays: number) => countOf(plays, 'play')
type DayName = (day: string) => string

const daysText = ({ from, to }: ChartColumn, nameOf: DayName) =>
  from === to ? nameOf(from) : `${nameOf(from)} – ${nameOf(to)}`
const columnText = (column: ChartColumn, nameOf: DayName) =>
  `${daysText(column, nameOf)}: ${playsText(column.plays)}${parts
    .filter(({ key }) => column[key] > 0)
    .map(({ key, word }) => `, ${formatCount(column[key])} ${word.toLowerCase()}`)
    .join('')}`

/** The chart in a sentence; the table below it has every figure. */
function spoken({ unit, columns }: ReturnType<typeof chartColumns>, nameOf: DayName, knowsMissing: boolean): string {
  const best = columns.reduce((most, each) => (each.plays > most.plays ? each : most))
  const holes = columns.filter(({ missing }) => missing > 0).length
  const missing = holes > 0 ? `Some are missing in ${holes} of ${columns.length} ${unit}s.` : 'None are missing.'
  return [
    `Plays per ${unit} from ${nameOf(columns[0]?.from ?? '')} to ${nameOf(columns.at(-1)?.to ?? '')}.`,
    best.plays > 0 ? `Most: ${playsText(best.plays)}, ${daysText(best, nameOf)}.` : 'No plays.',
    ...(knowsMissing ? [missing] : []),
  ].join(' ')
}

/** Plays over time: by grade on each other, above them the numbers that are no plays; missing ones are empty boxes. */
export function PlayChart({ days, from, to }: PlayChartProps) {
  const chart = chartColumns(days, from, to)
  const { unit, columns } = chart
  const nameOf = dayNamer(from, to)
  const highest = Math.max(1, ...columns.map(barLength))
  const [first, last] = [columns[0], columns.at(-1)]
  return (
    <figure className={styles.chart}>
      <figcaption>
        Plays per {unit} <span>up to {formatCount(highest)}</span>
      </figcaption>
      <svg
        role="img"
        aria-label={spoken(
          chart,
          nameOf,
          days.every(({ missing }) => missing !== null),
        )}
        viewBox={`0 0 ${columns.length} ${highest}`}
        preserveAspectRatio="none"
      >
        {columns.map((column, index) => (
          <Column key={column.from} column={column} name={columnText(column, nameOf)} left={index} highest={highest} />
        ))}
      </svg>
      <div className={styles.axis} aria-hidden>
        <span>{first && nameOf(first.from)}</span>
        {columns.length > 2 && <span>{nameOf(columns[Math.floor(columns.length / 2)]?.from ?? '')}</span>}
        {columns.length > 1 && <span>{last && nameOf(last.to)}</span>}
      </div>
    </figure>
  )
}

interface ColumnProps {
  column: ChartColumn
  name: string
  left: number
  highest: number
}

function Column({ column, name, left, highest }: ColumnProps) {
  return (
    <g>
      <title>{name}</title>
      <rect x={left} y={0} width={1} height={highest} className={styles.ground} />
      <ColumnStack
        parts={parts.map(({ key, tone }) => ({ key, tone, value: column[key], isHollow: key === 'missing' }))}
        left={left + GAP / 2}
        width={1 - GAP}
        bottom={highest}
        scale={1}
      />
    </g>
  )
}
