import { EM_DASH } from '../text/dash.ts'
import { ChartMark } from './ChartMark.tsx'
import type { ChartLink } from './ChartMark.tsx'
import { ColumnStack } from './ColumnStack.tsx'
import type { ChartPart } from './ColumnStack.tsx'
import { useMarks } from './useMarks.ts'
import { useWidth } from './useWidth.ts'
import styles from './charts.module.css'

export interface ChartColumn {
  key: string
  /** Below the column, as far as there is room. */
  label: string
  /** Its figures in a sentence. */
  name: string
  parts: readonly ChartPart[]
  /** There is no data, which is not zero. */
  isUnknown?: boolean
  link?: ChartLink | undefined
}

interface ColumnChartProps {
  title: string
  /** The chart in a sentence; the table below it has every figure. */
  sentence: string
  columns: readonly ChartColumn[]
  /** The highest value of the axis, and how its values are written. */
  top: number
  formatValue: (value: number) => string
  height?: number
}

const [LEFT, TOP, BOTTOM] = [44, 10, 20]
const LABEL_WIDTH = 48
const GAP = 0.24

/** Columns over time or over the hours of a day. */
export function ColumnChart({ title, sentence, columns, top, formatValue, height = 180 }: ColumnChartProps) {
  const [svg, width] = useWidth<SVGSVGElement>()
  const { shown, markProps } = useMarks(columns.length)
  const step = (width - LEFT) / Math.max(1, columns.length)
  const scale = (height - TOP - BOTTOM) / top
  const everyLabel = Math.ceil(LABEL_WIDTH / step)
  const bottom = height - BOTTOM
  return (
    <>
      <svg
        ref={svg}
        role="group"
        aria-label={`${title}. ${sentence}`}
        data-title={title}
        className={styles.chart}
        height={height}
      >
        {[0, top / 2, top].map((value) => (
          <GridLine key={value} y={bottom - value * scale} width={width} text={formatValue(value)} />
        ))}
        {columns.map(({ key, label, name, parts, isUnknown = false, link }, index) => (
          <ChartMark key={key} name={name} link={link} {...markProps(index)}>
            <rect className={styles.ground} x={LEFT + index * step} y={TOP} width={step} height={height - TOP} />
            <ColumnStack
              parts={parts}
              left={LEFT + (index + GAP / 2) * step}
              width={step * (1 - GAP)}
              bottom={bottom}
              scale={scale}
            />
            {isUnknown && (
              <text x={LEFT + (index + 0.5) * step} y={bottom - 4} textAnchor="middle" aria-hidden>
                {EM_DASH}
              </text>
            )}
            {index % everyLabel === 0 && (
              <text x={LEFT + (index + 0.5) * step} y={height - 5} textAnchor="middle" aria-hidden>
                {label}
              </text>
            )}
          </ChartMark>
        ))}
      </svg>
      <p className={styles.readout} aria-hidden>
        {shown !== undefined && columns[shown]?.name}
      </p>
    </>
  )
}

const GridLine = ({ y, width, text }: { y: number; width: number; text: string }) => (
  <g aria-hidden>
    <line className={styles.grid} x1={LEFT} x2={width} y1={y} y2={y} />
    <text x={LEFT - 6} y={y + 4} textAnchor="end">
      {text}
    </text>
  </g>
)
