import type { TableLifetimes } from './lifetime.ts'

/** The rows of the table in docs/operations.md: tables with the same lifetime share one. */
function lifetimeTable(lifetimes: TableLifetimes): string {
  const shared = new Map<string, { kept: string; tables: string[]; bound: string }>()
  for (const [table, { kept, bound }] of Object.entries(lifetimes).toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  )) {
    const row = shared.get(kept + bound) ?? { kept, tables: [], bound }
    row.tables.push(`\`${table}\``)
    shared.set(kept + bound, row)
  }
  const rows = [...shared.values()].map(({ kept, tables, bound }) => [kept, tables.join(', '), bound])
  const all = [['kept', 'tables', 'what bounds them'], ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  const line = (cells: readonly string[], fill = ' ') =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |`
  const [head = [], ...body] = all
  return [line(head), line(['', '', ''], '-'), ...body.map((row) => line(row))].join('\n')
}

const [BEGIN, END] = ['<!-- how long what is kept -->', '<!-- end of how long what is kept -->']

/** A document with the table between its two marks brought up to date. */
export function withLifetimeTable(document: string, lifetimes: TableLifetimes): string {
  const [before, rest = ''] = document.split(BEGIN)
  return `${before}${BEGIN}\n\n${lifetimeTable(lifetimes)}\n\n${END}${rest.split(END)[1] ?? ''}`
}
