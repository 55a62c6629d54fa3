import styles from './charts.module.css'

const [WIDTH, HEIGHT] = [120, 32]

interface SparklineProps {
  /** The line in a sentence, for those who do not see it. */
  sentence: string
  /** Null where nothing is known, which breaks the line. */
  values: readonly (number | null)[]
  /** What the values are measured against, drawn hollow. */
  beside?: readonly (number | null)[]
}

function pathOf(values: readonly (number | null)[], top: number): string {
  const step = WIDTH / Math.max(1, values.length - 1)
  const points = values.map((value, index) =>
    value === null ? null : `${Math.round(index * step)},${Math.round(HEIGHT - 1 - (value / top) * (HEIGHT - 2))}`,
  )
  return points
    .map((point, index) => point && `${index === 0 || points[index - 1] === null ? 'M' : 'L'}${point}`)
    .filter(Boolean)
    .join('')
}

/** The course of a figure in a small line, without an axis. */
export function Sparkline({ sentence, values, beside = [] }: SparklineProps) {
  const top = Math.max(1, ...[...values, ...beside].map((value) => value ?? 0))
  return (
    <svg className={styles.sparkline} role="img" aria-label={sentence} viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
      <path d={pathOf(beside, top)} data-hollow />
      <path d={pathOf(values, top)} />
    </svg>
  )
}
