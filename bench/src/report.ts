import { median, ratioOf } from './load.ts'

export interface BenchFigure {
  name: string
  ours: string
  beside: string
  ratio: string
  bar: string
  /** Undefined where no bar is set and the figure only informs. */
  met: boolean | undefined
}

const verdict = ({ met }: BenchFigure) => (met === undefined ? '' : met ? 'met' : 'MISSED')

/** The figures as a Markdown table, in columns that also read well in a terminal. */
export function formatTable(figures: BenchFigure[]): string {
  const rows = [
    ['Figure', 'Roadshow', 'Beside', 'Ratio', 'Bar', ''],
    ...figures.map((figure) => [figure.name, figure.ours, figure.beside, figure.ratio, figure.bar, verdict(figure)]),
  ]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}

export const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString('en')}/s`
export const percent = (ratio: number): string => `${Math.round(ratio * 100)} %`
export const times = (ratio: number): string => `${ratio.toFixed(1)} ×`

/** What every list call must keep of the bare server's rate. */
export const MIN_SHARE = 0.6

/** Our processor time of a call beside another, as a share of ours; without a bar the figure only informs. */
export const processorFigure = (
  name: string,
  ours: number[],
  bare: number[],
  bar: number | null = MIN_SHARE,
): BenchFigure => ({
  name,
  ours: `${median(ours).toFixed(2)} ms`,
  beside: `${median(bare).toFixed(2)} ms`,
  ratio: percent(ratioOf(bare, ours)),
  bar: bar === null ? '' : `≥ ${percent(bar)}`,
  met: bar === null ? undefined : ratioOf(bare, ours) >= bar,
})

/** Our rate beside another; without a bar the figure only informs. */
export const shareFigure = (
  name: string,
  ours: number[],
  bare: number[],
  bar: number | null = MIN_SHARE,
): BenchFigure => ({
  name,
  ours: perSecond(median(ours)),
  beside: perSecond(median(bare)),
  ratio: percent(ratioOf(ours, bare)),
  bar: bar === null ? '' : `≥ ${percent(bar)}`,
  met: bar === null ? undefined : ratioOf(ours, bare) >= bar,
})
