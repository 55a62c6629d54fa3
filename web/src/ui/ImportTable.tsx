import type { CheckedRow, ImportColumns } from '@roadshow/contract/imports'
import { Pagination, Segmented } from 'antd'
import { useState } from 'react'
import styles from './imports.module.css'

const PER_PAGE = 50
type Shown = 'all' | 'wrong' | 'good'

interface ImportTableProps<T> {
  columns: ImportColumns<string>
  rows: readonly CheckedRow<T>[]
}

export const isWrong = ({ value }: CheckedRow<unknown>) => value === null

const count = (n: number) => n.toLocaleString('en-US')

/** Every row of a checked file: wrong ones red, with the reason in the cell that it is about. */
export function ImportTable<T>({ columns, rows }: ImportTableProps<T>) {
  const wrong = rows.filter(isWrong)
  const [shown, setShown] = useState<Shown>(wrong.length > 0 ? 'wrong' : 'all')
  const [page, setPage] = useState(1)
  const kept = shown === 'all' ? rows : rows.filter((row) => isWrong(row) === (shown === 'wrong'))
  const filled = Object.entries(columns).filter(([column]) =>
    rows.some(({ cells, problems }) => cells[column] !== undefined || problems[column] !== undefined),
  )
  return (
    <>
      <Segmented<Shown>
        aria-label="Rows"
        value={shown}
        onChange={(next) => {
          setShown(next)
          setPage(1)
        }}
        options={[
          { value: 'wrong', label: `Wrong ${count(wrong.length)}`, disabled: wrong.length === 0 },
          { value: 'good', label: `Good ${count(rows.length - wrong.length)}`, disabled: wrong.length === rows.length },
          { value: 'all', label: `All ${count(rows.length)}` },
        ]}
      />
      {/* Wide tables scroll by themselves, and by the arrow keys. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Rows of the file">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Row</th>
              {filled.map(([column, [title]]) => (
                <th key={column} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {kept.slice((page - 1) * PER_PAGE, page * PER_PAGE).map((row) => (
              <tr key={row.row} data-bad={isWrong(row)}>
                <th scope="row" className="figures">
                  {row.row}
                </th>
                {filled.map(([column]) => (
                  <td key={column}>
                    {row.cells[column]}
                    {row.problems[column] && <span className={styles.reason}>{row.problems[column]}</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {kept.length > PER_PAGE && (
        <Pagination
          simple
          showSizeChanger={false}
          size="small"
          current={page}
          pageSize={PER_PAGE}
          total={kept.length}
          onChange={setPage}
        />
      )}
    </>
  )
}
