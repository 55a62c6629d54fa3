import { Button } from 'antd'
import { useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { ClassicCell } from './ClassicCell.tsx'
import { editOf } from './columns.ts'
import type { ClassicColumn } from './columns.ts'
import type { TableEdits, ClassicLine, LineEdit, EditsSource } from './edits.ts'
import { RemoveRow } from './RemoveRow.tsx'
import styles from './classic.module.css'

export interface ClassicTableProps<Row> extends Omit<EditsSource<Row>, 'lines' | 'columns'> {
  label: string
  columns: readonly ClassicColumn<Row>[]
  /** Undefined while they are on their way. */
  rows: readonly Row[] | undefined
  /** What a row is called, for those who hear the table. */
  nameOf: (row: Row) => string
  /** The lines, where some of them wait to be filled in; otherwise they are the rows. */
  lines?: readonly ClassicLine<Row>[] | undefined
  /** The word on the button that adds a line, where lines may be added. */
  addWord?: string | undefined
  /** What an added line begins with. */
  preset?: Record<string, string> | undefined
  /** Takes a row away, and what that does in a sentence; the rows are then reloaded. */
  remove?: { of: (row: Row) => Promise<unknown>; says: string; isOffered?: (row: Row) => boolean } | undefined
  /** Groups rows under a heading. */
  groupOf?: ((row: Row) => string) | undefined
  /** What stands below a row at its full width. */
  renderBelow?: ((row: Row, reload: EditsSource<Row>['reload']) => ReactNode) | undefined
  /** The row needs a person. */
  isBad?: ((row: Row) => boolean) | undefined
  /** The table stands in another one: what it offers is shown when there is something to save. */
  isInner?: boolean
}

interface ClassicRowProps<Row> {
  line: ClassicLine<Row>
  table: ClassicTableProps<Row>
  edits: TableEdits<Row>
  listId: string
  wide: number
}

/** One line, with what is wrong with it and what belongs to it below. It follows its own edits only. */
export function ClassicRow<Row>({ line, table, edits, listId, wide }: ClassicRowProps<Row>) {
  const { columns, nameOf, reload, save, remove, renderBelow, isBad } = table
  const edit = useSyncExternalStore(edits.subscribe, () => edits.of(line.key))
  const row = edit?.base ?? line.row
  const name = row ? nameOf(row) : line.preset[columns[0]?.key ?? ''] || 'new row'
  const isWrong = edit !== undefined && (edit.problem !== undefined || Object.keys(edit.errors).length > 0)
  const beneath = row && renderBelow?.(row, reload)
  return (
    <>
      <tr
        data-line={line.key}
        data-edited={edit !== undefined}
        data-bad={isWrong || (row !== undefined && isBad?.(row) === true)}
        data-blank={row === undefined}
        aria-busy={edit?.isSaving === true}
      >
        {columns.map((column, index) => {
          const how = save && editOf(column, row)
          const Cell = index === 0 ? 'th' : 'td'
          const before = row ? column.text(row) : (line.preset[column.key] ?? '')
          return (
            <Cell key={column.key} {...(index === 0 && { scope: 'row' })} style={{ textAlign: column.align }}>
              {how ? (
                <ClassicCell
                  label={`${column.label}, ${name}`}
                  column={column.key}
                  edit={how}
                  text={edit?.typed[column.key] ?? before}
                  error={edit?.errors[column.key]}
                  note={edit?.notes[column.key]}
                  isTyped={edit !== undefined && column.key in edit.typed}
                  isBusy={edit?.isSaving === true}
                  listId={`${listId}-${column.key}`}
                  onType={(text) => edits.type(line, column.key, text)}
                />
              ) : row && column.show ? (
                <div className={styles.shown}>{column.show(row)}</div>
              ) : (
                <span className={styles.text} title={before}>
                  {before}
                </span>
              )}
            </Cell>
          )
        })}
        {save && (
          <td className={styles.acts}>
            {edit?.isSaving && <span role="status">Saving…</span>}
            {edit && !edit.isSaving && (
              <>
                <Button
                  size="small"
                  type="primary"
                  onClick={() => void edits.save(line.key)}
                  aria-label={`Save ${name}`}
                >
                  Save
                </Button>
                <Button size="small" onClick={() => edits.undo(line.key)} aria-label={`Undo ${name}`}>
                  Undo
                </Button>
              </>
            )}
            {!edit && row && remove && remove.isOffered?.(row) !== false && (
              <RemoveRow name={name} says={remove.says} onRemove={() => remove.of(row).then(reload)} />
            )}
            {!edit && !row && line.key.startsWith('new-') && (
              <Button size="small" onClick={() => edits.undo(line.key)} aria-label={`Drop ${name}`}>
                Drop
              </Button>
            )}
          </td>
        )}
      </tr>
      {edit?.problem && (
        <tr data-bad>
          <td colSpan={wide}>
            <Problem edit={edit} name={name} onReload={() => void edits.takeNewest(line.key)} />
          </td>
        </tr>
      )}
      {beneath && (
        <tr className={styles.below}>
          <td colSpan={wide}>{beneath}</td>
        </tr>
      )}
    </>
  )
}
interface ProblemProps<Row> {
  edit: LineEdit<Row>
  name: string
  onReload: () => void
}

const Problem = <Row,>({ edit, name, onReload }: ProblemProps<Row>) => (
  <div role="alert" className={styles.said}>
    {edit.problem}
    {edit.isStale && (
      <Button size="small" onClick={onReload} aria-label={`Reload ${name} and keep my edits`}>
        Reload and keep my edits
      </Button>
    )}
  </div>
)
