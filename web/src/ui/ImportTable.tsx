import type { ImportColumns } from '@roadshow/contract/platform/imports'
import { Segmented } from 'antd'
import { useState } from 'react'
import { Pager } from './Pager.tsx'
import styles from './imports.module.css'

const PER_PAGE = 50
const ALL = 'all'

interface ShownRow {
  row: number
  cells: Record<string, string>
  problems: Record<string, string>
  /** What is worth knowing of a cell that is right. */
  remarks?: Record<string, string>
}

interface ImportTableProps<Row extends ShownRow> {
  columns: ImportColumns<string>
  rows: readonly Row[]
  isWrong: (row: Row) => boolean
  /** What can be looked at by itself, by its name. The wrong rows are shown first, if there are any. */
  groups: Record<'wrong', (row: Row) => boolean> & Record<string, (row: Row) => boolean>
  /** What becomes of a row, in a word. */
  stateOf?: (row: Row) => string
}

const labelled = (name: string, count: number) =>
  `${name[0]?.toUpperCase() ?? ''}${name.slice(1)} ${count.toLocaleString('en-US')}`

/** Every row of a checked file: wrong ones red, with the reason in the cell that it is about. */
export function ImportTable<Row extends ShownRow>(props: ImportTableProps<Row>) {
  const { columns, rows, isWrong, groups, stateOf } = props
  const [shown, setShown] = useState(() => (rows.some(groups.wrong) ? 'wrong' : ALL))
  const [page, setPage] = useState(1)
  const group = groups[shown]
  const kept = group ? rows.filter(group) : rows
  const filled = Object.entries(columns).filter(([column]) =>
    rows.some(({ cells, problems }) => cells[column] !== undefined || problems[column] !== undefined),
  )
  const options = Object.entries(groups).map(([name, isOf]) => {
    const { length } = rows.filter(isOf)
    return { value: name, label: labelled(name, length), disabled: length === 0 }
  })
  return (
    <>
      <Segmented
        aria-label="Rows"
        value={shown}
        onChange={(next) => {
          setShown(next)
          setPage(1)
        }}
        options={[...options, { value: ALL, label: labelled(ALL, rows.length) }]}
      />
      <RowsTable
        columns={filled}
        rows={kept.slice((page - 1) * PER_PAGE, page * PER_PAGE)}
        isWrong={isWrong}
        stateOf={stateOf}
      />
      <Pager page={page} perPage={PER_PAGE} total={kept.length} onChange={setPage} />
    </>
  )
}

interface RowsTableProps<Row extends ShownRow> extends Pick<ImportTableProps<Row>, 'rows' | 'isWrong'> {
  columns: readonly (readonly [column: string, description: readonly [title: string, ...rest: unknown[]]])[]
  stateOf: ((row: Row) => string) | undefined
}

const RowsTable = <Row extends ShownRow>({ columns, rows, isWrong, stateOf }: RowsTableProps<Row>) => (
  // Wide tables scroll by themselves, and by the arrow keys.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <div className={styles.scroll} tabIndex={0} role="region" aria-label="Rows of the file">
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Row</th>
          {stateOf && <th scope="col">State</th>}
          {columns.map(([column, [title]]) => (
            <th key={column} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.row} data-bad={isWrong(row)}>
            <th scope="row" className="figures">
              {row.row}
            </th>
            {stateOf && <td>{stateOf(row)}</td>}
            {columns.map(([column]) => (
              <td key={column}>
                {row.cells[column]}
                {row.problems[column] && <span className={styles.reason}>{row.problems[column]}</span>}
                {row.remarks?.[column] && <span className={styles.remark}>{row.remarks[column]}</span>}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
