import type { ImportRow } from '@roadshow/contract'
import { joinNames } from '../runtime/app-error.ts'
import { groupBy } from '../runtime/group-by.ts'
import type { Cells, ReadRow } from './read-rows.ts'

/** The rows of a file that make one record. */
export interface RecordGroup<Saved, Input> {
  rows: [ReadRow, ...ReadRow[]]
  key: string
  /** The record that the rows change; undefined for a new one. */
  saved: Saved | undefined
  /** What would be saved; undefined while something is wrong. */
  input?: Input
  state: 'new' | 'changed' | 'same'
  remarks: Map<ReadRow, Cells>
}

const hasProblems = ({ problems }: ReadRow) => Object.keys(problems).length > 0
export const isWrong = ({ rows }: Pick<RecordGroup<unknown, unknown>, 'rows'>) => rows.some(hasProblems)

interface Grouping {
  keyOf: (row: ReadRow) => string | undefined
  /** The columns of which each row of a record has its own; undefined where a record is one row. */
  partColumns?: readonly string[] | undefined
  mainColumn: string
}

export const nameRows = (rows: readonly ReadRow[]): string =>
  `${rows.length > 1 ? 'rows' : 'row'} ${joinNames(rows.slice(0, 20).map(({ row }) => String(row)))}`

/** Rows of the same record, and rows that repeat an earlier one and count for nothing. */
export function groupRows(
  rows: readonly ReadRow[],
  { keyOf, partColumns, mainColumn }: Grouping,
): { groups: [string, ReadRow[]][]; repeats: Map<ReadRow, ReadRow>; keyless: ReadRow[] } {
  const repeats = new Map<ReadRow, ReadRow>()
  const keyless: ReadRow[] = []
  const keyed: { key: string; row: ReadRow }[] = []
  const known = new Map<string, ReadRow>()
  for (const row of rows) {
    const text = JSON.stringify(row.cells)
    const earlier = known.get(text)
    if (earlier && !hasProblems(row)) {
      repeats.set(row, earlier)
      continue
    }
    known.set(text, row)
    const key = keyOf(row)
    if (key === undefined) {
      if (!hasProblems(row)) row.problems[mainColumn] = 'Required.'
      keyless.push(row)
    } else keyed.push({ key, row })
  }
  const groups = [...groupBy(keyed, ({ key }) => key)].map(
    ([key, some]) => [key, some.map(({ row }) => row)] as [string, ReadRow[]],
  )
  for (const [, group] of groups) {
    if (partColumns) refuseDifferences(group, new Set(partColumns))
    else refuseContradictions(group, mainColumn)
  }
  return { groups, repeats, keyless }
}

/** Two different rows for the same record are both wrong: neither can be preferred. */
function refuseContradictions(group: readonly ReadRow[], mainColumn: string): void {
  if (group.length < 2) return
  for (const row of group) {
    row.problems[mainColumn] ??= `Also in ${nameRows(group.filter((other) => other !== row))}, with other values.`
  }
}

/** Rows of one record agree on what belongs to the record, apart from case; an empty cell agrees with any. */
function refuseDifferences(group: readonly ReadRow[], partColumns: ReadonlySet<string>): void {
  const first = new Map<string, { text: string; row: ReadRow }>()
  for (const row of group) {
    for (const [column, value] of Object.entries(row.values)) {
      if (value === null || value === undefined || partColumns.has(column)) continue
      const text = JSON.stringify(value).toLowerCase()
      const known = first.get(column)
      if (!known) first.set(column, { text, row })
      else if (known.text !== text) row.problems[column] ??= `Row ${known.row.row} has another value.`
    }
  }
}

const NO_CELLS = {}

/** What saving would do with each row, in the order of the file. */
export function toImportRows<Saved, Input>(
  groups: readonly RecordGroup<Saved, Input>[],
  repeats: ReadonlyMap<ReadRow, ReadRow>,
  keyless: readonly ReadRow[],
  mainColumn: string,
): ImportRow[] {
  const wrongRow = ({ row, cells, problems }: ReadRow): ImportRow => ({
    row,
    state: 'wrong',
    cells,
    problems,
    remarks: NO_CELLS,
  })
  const rows = groups.flatMap((group) => {
    const wrong = group.rows.filter(hasProblems)
    if (wrong.length === 0) return group.rows.map((row) => goodRow(group, row))
    return group.rows.map((row) =>
      hasProblems(row)
        ? wrongRow(row)
        : wrongRow({ ...row, problems: { [mainColumn]: `Belongs to ${nameRows(wrong)} with errors.` } }),
    )
  })
  const same = [...repeats].map(([{ row, cells }, earlier]): ImportRow => ({
    row,
    state: 'same',
    cells,
    problems: NO_CELLS,
    remarks: { [mainColumn]: `Same as row ${earlier.row}.` },
  }))
  return [...rows, ...same, ...keyless.map(wrongRow)].toSorted((a, b) => a.row - b.row)
}

const goodRow = <Saved, Input>({ state, remarks }: RecordGroup<Saved, Input>, row: ReadRow): ImportRow => ({
  row: row.row,
  state,
  cells: row.cells,
  problems: NO_CELLS,
  remarks: remarks.get(row) ?? NO_CELLS,
})
