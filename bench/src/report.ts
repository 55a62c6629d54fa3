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

interface Beside {
  ours: string
  bare: string
  /** What ours is of the bare one. */
  share: number
}

/** Ours beside another; without a bar the figure only informs. */
const besideFigure = (name: string, { ours, bare, share }: Beside, bar: number | null): BenchFigure => ({
  name,
  ours,
  beside: bare,
  ratio: percent(share),
  bar: bar === null ? '' : `≥ ${percent(bar)}`,
  met: bar === null ? undefined : share >= bar,
})

const milliseconds = (values: number[]) => `${median(values).toFixed(2)} ms`

/** Our processor time of a call beside another's. */
export const processorFigure = (name: string, ours: number[], bare: number[], bar: number | null = MIN_SHARE) =>
  besideFigure(name, { ours: milliseconds(ours), bare: milliseconds(bare), share: ratioOf(bare, ours) }, bar)

/** Our rate beside another's. */
export const shareFigure = (name: string, ours: number[], bare: number[], bar: number | null = MIN_SHARE) =>
  besideFigure(name, { ours: perSecond(median(ours)), bare: perSecond(median(bare)), share: ratioOf(ours, bare) }, bar)
