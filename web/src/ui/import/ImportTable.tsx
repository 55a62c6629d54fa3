import { formatCount } from '@roadshow/contract/platform/figures'
import type { ImportColumns } from '@roadshow/contract/platform/imports'
import { Segmented } from 'antd'
import { memo, useEffect, useRef, useState } from 'react'
import { useVirtualRows } from '../rows/useVirtualRows.ts'
import styles from './imports.module.css'

const ALL = 'all'
/** The widths of the columns; those of the file share what is left, and no less than this each. */
const WIDTH = { number: 56, problem: 280, state: 96, cell: 120 }

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
  /** A cell as people read it, if not as the file has it. */
  say?: (cell: string, column: string) => string
  /** Gets a cell that was corrected in place; without it cells are only read. */
  onEdit?: EditCell
}

type EditCell = (row: number, column: string, text: string) => void

/** As the rows themselves say it. */
const groupLabel: Record<string, string> = { wrong: 'Errors', same: 'Unchanged' }

const labelled = (name: string, count: number) =>
  `${groupLabel[name] ?? `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`} ${formatCount(count)}`

/** Every row of a checked file: wrong ones red, with the reasons beside their number and the cells marked they are about. */
export function ImportTable<Row extends ShownRow>(props: ImportTableProps<Row>) {
  const { columns, rows, isWrong, groups, stateOf, say, onEdit } = props
  const [shown, setShown] = useState(() => (rows.some(groups.wrong) ? 'wrong' : ALL))
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
        onChange={setShown}
        options={[...options, { value: ALL, label: labelled(ALL, rows.length) }]}
      />
      <RowsTable
        key={shown}
        columns={filled}
        rows={kept}
        isWrong={isWrong}
        stateOf={stateOf}
        say={say}
        onEdit={onEdit}
      />
    </>
  )
}

type ColumnList = readonly (readonly [column: string, description: readonly [title: string, ...rest: unknown[]]])[]

interface RowsTableProps<Row extends ShownRow> extends Pick<ImportTableProps<Row>, 'rows' | 'isWrong'> {
  columns: ColumnList
  stateOf: ((row: Row) => string) | undefined
  say: FileRowProps['say']
  onEdit: EditCell | undefined
}

/** Only rows in view are drawn: files have thousands. */
function RowsTable<Row extends ShownRow>(props: RowsTableProps<Row>) {
  const { columns, rows, isWrong, stateOf, say, onEdit } = props
  const { place, measure, first, last, above, below } = useVirtualRows(rows.length)
  const body = useRef<HTMLTableSectionElement>(null)
  useEffect(() => measure(body.current, first, last), [measure, first, last])
  const hasProblems = rows.some(({ problems }) => Object.keys(problems).length > 0)
  const minWidth =
    WIDTH.number + (hasProblems ? WIDTH.problem : 0) + (stateOf ? WIDTH.state : 0) + columns.length * WIDTH.cell
  return (
    // Wide tables scroll by themselves, and by the arrow keys.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={place} className={styles.scroll} tabIndex={0} role="region" aria-label="Rows of the file">
      <table className={styles.table} style={{ minWidth }} aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" style={{ width: WIDTH.number }}>
              Row
            </th>
            {hasProblems && (
              <th scope="col" style={{ width: WIDTH.problem }}>
                Problem
              </th>
            )}
            {stateOf && (
              <th scope="col" style={{ width: WIDTH.state }}>
                State
              </th>
            )}
            {columns.map(([column, [title]]) => (
              <th key={column} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          <tr aria-hidden className={styles.beyond} style={{ height: above }} />
          {rows.slice(first, last).map((row, offset) => (
            <FileRow
              key={row.row}
              index={first + offset}
              row={row}
              columns={columns}
              isBad={isWrong(row)}
              state={stateOf?.(row)}
              hasProblems={hasProblems}
              say={say}
              onEdit={onEdit}
            />
          ))}
          <tr aria-hidden className={styles.beyond} style={{ height: below }} />
        </tbody>
      </table>
    </div>
  )
}

interface FileRowProps {
  /** Its place among the shown rows. */
  index: number
  row: ShownRow
  columns: ColumnList
  isBad: boolean
  state: string | undefined
  hasProblems: boolean
  say: ((cell: string, column: string) => string) | undefined
  onEdit: EditCell | undefined
}

const FileRow = memo(({ index, row, columns, isBad, state, hasProblems, say, onEdit }: FileRowProps) => (
  <tr data-index={index} data-bad={isBad} aria-rowindex={index + 2}>
    <th scope="row" className="figures">
      {row.row}
    </th>
    {hasProblems && (
      <td>
        <Problems problems={row.problems} columns={columns} />
      </td>
    )}
    {state !== undefined && <td>{state}</td>}
    {columns.map(([column, [title]]) => (
      <td key={column} data-wrong={row.problems[column] !== undefined}>
        <Cell
          text={row.cells[column] ?? ''}
          shown={say ? say(row.cells[column] ?? '', column) : row.cells[column]}
          label={`${title}, row ${row.row}`}
          onEdit={onEdit && ((text) => onEdit(row.row, column, text))}
        />
        {row.remarks?.[column] && <span className={styles.remark}>{row.remarks[column]}</span>}
      </td>
    ))}
  </tr>
))

interface CellProps {
  /** As the file has it, or as it was corrected. */
  text: string
  shown: string | undefined
  label: string
  onEdit: ((text: string) => void) | undefined
}

/** A cell, which becomes an input where it is clicked. Enter and leaving it keep what was typed, Escape does not. */
function Cell({ text, shown, label, onEdit }: CellProps) {
  const [isOpen, setOpen] = useState(false)
  if (!onEdit) return shown
  if (!isOpen) {
    return (
      <button type="button" className={styles.cell} aria-label={`Correct ${label}`} onClick={() => setOpen(true)}>
        {shown || '\u00a0'}
      </button>
    )
  }
  const keep = (typed: string) => {
    setOpen(false)
    if (typed !== text) onEdit(typed)
  }
  return (
    <input
      // The user has just asked for it.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      className={styles.cellInput}
      aria-label={label}
      defaultValue={text}
      onBlur={({ target }) => keep(target.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') keep(currentTarget.value)
        if (key === 'Escape') setOpen(false)
      }}
    />
  )
}

const Problems = ({ problems, columns }: { problems: ShownRow['problems']; columns: ColumnList }) =>
  Object.entries(problems).map(([column, text]) => (
    <span key={column} className={styles.reason}>
      <b>{columns.find(([name]) => name === column)?.[1][0] ?? column}:</b> <span>{text}</span>
    </span>
  ))
