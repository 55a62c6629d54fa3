import type { AdLogSummary } from '@roadshow/contract/proof/reports'
import { countOf, formatCount } from '../../ui/numbers.ts'
import { expected, parts } from './playGrades.ts'
import { chartColumns } from './playTime.ts'
import type { ChartColumn } from './playTime.ts'
import styles from './PlayChart.module.css'

interface PlayChartProps {
  days: AdLogSummary['days']
  from: string
  to: string
}

const GAP = 0.16
const playsText = (plays: number) => countOf(plays, 'play')
const daysText = ({ from, to }: ChartColumn) => (from === to ? from : `${from} – ${to}`)
const columnText = (column: ChartColumn) =>
  `${daysText(column)}: ${playsText(column.plays)}${parts
    .filter(({ key }) => column[key] > 0)
    .map(({ key, word }) => `, ${formatCount(column[key])} ${word.toLowerCase()}`)
    .join('')}`

/** The chart in a sentence; the table below it has every figure. */
function spoken(columns: readonly ChartColumn[], unit: string): string {
  const best = columns.reduce((most, each) => (each.plays > most.plays ? each : most))
  const holes = columns.filter(({ missing }) => missing > 0).length
  return [
    `Plays per ${unit} from ${columns[0]?.from} to ${columns.at(-1)?.to}.`,
    best.plays > 0 ? `Most: ${playsText(best.plays)}, ${daysText(best)}.` : 'No plays.',
    holes > 0 ? `Some are missing in ${holes} of ${columns.length} ${unit}s.` : 'None are missing.',
  ].join(' ')
}

/** Plays over time: verified, unverified and conflicting on each other, and as empty boxes those that never came. */
export function PlayChart({ days, from, to }: PlayChartProps) {
  const { unit, columns } = chartColumns(days, from, to)
  const highest = Math.max(1, ...columns.map(expected))
  const [first, last] = [columns[0], columns.at(-1)]
  return (
    <figure className={styles.chart}>
      <figcaption>
        Plays per {unit} <span>up to {formatCount(highest)}</span>
      </figcaption>
      <svg
        role="img"
        aria-label={spoken(columns, unit)}
        viewBox={`0 0 ${columns.length} ${highest}`}
        preserveAspectRatio="none"
      >
        {columns.map((column, index) => (
          <Column key={column.from} column={column} left={index} highest={highest} />
        ))}
      </svg>
      <div className={styles.axis} aria-hidden>
        <span>{first?.from}</span>
        {columns.length > 2 && <span>{columns[Math.floor(columns.length / 2)]?.from}</span>}
        {columns.length > 1 && <span>{last?.to}</span>}
      </div>
    </figure>
  )
}

function Column({ column, left, highest }: { column: ChartColumn; left: number; highest: number }) {
  return (
    <g>
      <title>{columnText(column)}</title>
      <rect x={left} y={0} width={1} height={highest} className={styles.ground} />
      {parts.map(({ key, tone }, index) => {
        const upTo = parts.slice(0, index + 1).reduce((sum, part) => sum + column[part.key], 0)
        return (
          column[key] > 0 && (
            <rect
              key={key}
              className={styles.share}
              data-hollow={key === 'missing'}
              style={{ color: `var(--${tone})` }}
              x={left + GAP / 2}
              y={highest - upTo}
              width={1 - GAP}
              height={column[key]}
            />
          )
        )
      })}
    </g>
  )
}
