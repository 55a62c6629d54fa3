import type { Tone } from '../text/StateTag.tsx'
import styles from './charts.module.css'

/** One part of a bar. What is not there yet, or not known, is hollow. */
export interface ChartPart {
  key: string
  value: number
  tone: Tone
  isHollow?: boolean
}

interface ColumnStackProps {
  parts: readonly ChartPart[]
  left: number
  width: number
  /** Where zero is, and how high one is. */
  bottom: number
  scale: number
}

/** The parts of a column, on top of each other from the bottom up. */
export function ColumnStack({ parts, left, width, bottom, scale }: ColumnStackProps) {
  return parts.map(({ key, value, tone, isHollow = false }, index) => {
    const upTo = parts.slice(0, index + 1).reduce((sum, part) => sum + part.value, 0)
    return (
      value > 0 && (
        <rect
          key={key}
          className={styles.share}
          data-hollow={isHollow}
          style={{ color: `var(--${tone})` }}
          x={left}
          y={bottom - upTo * scale}
          width={width}
          height={value * scale}
        />
      )
    )
  })
}
