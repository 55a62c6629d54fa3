import { useIsPhone } from '../useMedia.ts'
import type { ChartColumn } from './ColumnChart.tsx'
import { ChartMark } from './ChartMark.tsx'
import { useMarks } from './useMarks.ts'
import { useWidth } from './useWidth.ts'
import styles from './charts.module.css'

interface BarChartProps {
  title: string
  sentence: string
  /** Longest first; `label` stands before the bar. */
  bars: readonly (ChartColumn & { value: string })[]
  longest: number
}

const VALUE_WIDTH = 76
const BAR = 14
const LETTER = 7

/** A text cut to a width: SVG has no ellipsis of its own. */
const cutTo = (text: string, width: number) => {
  const most = Math.floor(width / LETTER)
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}

/** Bars with names, below each other. */
export function BarChart({ title, sentence, bars, longest }: BarChartProps) {
  const [svg, width] = useWidth<SVGSVGElement>()
  const { markProps } = useMarks(bars.length)
  const row = useIsPhone() ? 44 : 28
  const left = Math.min(180, Math.round(width * 0.36))
  const scale = (width - left - VALUE_WIDTH) / Math.max(1, longest)
  return (
    <svg
      ref={svg}
      role="group"
      aria-label={`${title}. ${sentence}`}
      data-title={title}
      className={styles.chart}
      height={bars.length * row}
    >
      {bars.map(({ key, label, name, value, parts, link }, index) => {
        const [middle, length] = [index * row + row / 2, parts.reduce((sum, part) => sum + part.value, 0)]
        return (
          <ChartMark key={key} name={name} link={link} {...markProps(index)}>
            <title>{name}</title>
            <rect className={styles.ground} x={0} y={index * row} width={width} height={row} />
            <text className={styles.name} x={0} y={middle + 4} aria-hidden>
              {cutTo(label, left - 8)}
            </text>
            {parts.map((part, at) => (
              <rect
                key={part.key}
                className={styles.share}
                data-hollow={part.isHollow ?? false}
                style={{ color: `var(--${part.tone})` }}
                x={left + parts.slice(0, at).reduce((sum, { value: before }) => sum + before, 0) * scale}
                y={middle - BAR / 2}
                width={part.value * scale}
                height={BAR}
              />
            ))}
            <text x={left + length * scale + 6} y={middle + 4} aria-hidden>
              {value}
            </text>
          </ChartMark>
        )
      })}
    </svg>
  )
}
