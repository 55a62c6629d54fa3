import { Button } from 'antd'
import { useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { ClassicCell } from './ClassicCell.tsx'
import { editOf } from './columns.ts'
import type { ClassicColumn } from './columns.ts'
import type { TableEdits } from './edits.ts'
import type { ClassicLine, EditsSource, LineEdit } from './editsStore.ts'
import { ActOnRow } from './ActOnRow.tsx'
import { DeleteRow } from './DeleteRow.tsx'
import type { RowRemoval } from './DeleteRow.tsx'
import shared from './classic.module.css'
import styles from './ClassicRow.module.css'

export interface ClassicTableProps<Row> extends Omit<EditsSource<Row>, 'lines' | 'columns'> {
  label: string
  columns: readonly ClassicColumn<Row>[]
  /** Undefined while they load. */
  rows: readonly Row[] | undefined
  /** The name of a row, for screen readers. */
  nameOf: (row: Row) => string
  /** The lines, if some of them are not rows yet. */
  lines?: readonly ClassicLine<Row>[] | undefined
  /** The word on the button that adds a line, where lines may be added. */
  addWord?: string | undefined
  /** The initial texts of an added line. */
  preset?: Record<string, string> | undefined
  remove?: RowRemoval<Row> | undefined
  /** What else can be done with a row. */
  acts?: readonly RowAct<Row>[] | undefined
  /** Groups rows under a heading. */
  groupOf?: ((row: Row) => string) | undefined
  /** Content below a row at its full width. */
  renderBelow?: ((row: Row, reload: EditsSource<Row>['reload']) => ReactNode) | undefined
  /** The row needs attention. */
  isBad?: ((row: Row) => boolean) | undefined
  /** The table is inside another one: its bar appears when there is something to save. */
  isInner?: boolean
}

/** Something that is done with a row after a confirmation; the rows are then reloaded. */
export interface RowAct<Row> {
  label: string
  effect: string
  done: (name: string) => string
  of: (row: Row) => Promise<unknown>
  isOffered: (row: Row) => boolean
}

interface ClassicRowProps<Row> {
  line: ClassicLine<Row>
  table: ClassicTableProps<Row>
  edits: TableEdits<Row>
  listId: string
  wide: number
}

/** One line with its errors, and the content below it. It subscribes to its own edits only. */
export function ClassicRow<Row>({ line, table, edits, listId, wide }: ClassicRowProps<Row>) {
  const { columns, nameOf, reload, save, renderBelow, isBad } = table
  const edit = useSyncExternalStore(edits.subscribe, () => edits.of(line.key))
  const row = edit?.base ?? line.row
  const name = row ? nameOf(row) : line.preset[columns[0]?.key ?? ''] || 'new row'
  const isWrong = edit !== undefined && (edit.problem !== undefined || Object.keys(edit.errors).length > 0)
  const below = row && renderBelow?.(row, reload)
  const shown = { line, row, edit, name, table, edits }
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
          const Cell = index === 0 ? 'th' : 'td'
          return (
            <Cell key={column.key} {...(index === 0 && { scope: 'row' })} style={{ textAlign: column.align }}>
              <RowCell {...shown} column={column} listId={`${listId}-${column.key}`} />
            </Cell>
          )
        })}
        {save && (
          <td className={shared.acts}>
            <RowActions {...shown} />
          </td>
        )}
      </tr>
      {edit?.problem && (
        <tr data-bad>
          <td colSpan={wide}>
            <Problem edit={edit} name={name} onReload={() => void edits.rebase(line.key)} />
          </td>
        </tr>
      )}
      {below && (
        <tr className={shared.below}>
          <td colSpan={wide}>{below}</td>
        </tr>
      )}
    </>
  )
}

interface ShownRow<Row> {
  line: ClassicLine<Row>
  row: Row | undefined
  edit: LineEdit<Row> | undefined
  name: string
  table: ClassicTableProps<Row>
  edits: TableEdits<Row>
}

interface RowCellProps<Row> extends ShownRow<Row> {
  column: ClassicColumn<Row>
  listId: string
}

/** A cell to type into, or one that is only read. */
function RowCell<Row>({ line, row, edit, name, table, edits, column, listId }: RowCellProps<Row>) {
  const how = table.save && editOf(column, row)
  const before = row ? column.text(row) : (line.preset[column.key] ?? '')
  if (how) {
    return (
      <ClassicCell
        label={`${column.label}, ${name}`}
        column={column.key}
        edit={how}
        text={edit?.typed[column.key] ?? before}
        error={edit?.errors[column.key]}
        note={edit?.notes[column.key]}
        isTyped={edit !== undefined && column.key in edit.typed}
        isBusy={edit?.isSaving === true}
        listId={listId}
        onType={(text) => edits.type(line, column.key, text)}
      />
    )
  }
  if (row && column.show) return <div className={styles.shown}>{column.show(row)}</div>
  return (
    <span className={styles.text} title={before}>
      {before}
    </span>
  )
}

function RowActions<Row>({ line, row, edit, name, table: { remove, acts = [], reload }, edits }: ShownRow<Row>) {
  if (edit?.isSaving) return <span role="status">Saving…</span>
  if (edit) {
    return (
      <>
        <Button size="small" type="primary" onClick={() => void edits.save(line.key)} aria-label={`Save ${name}`}>
          Save
        </Button>
        <Button size="small" onClick={() => edits.undo(line.key)} aria-label={`Undo ${name}`}>
          Undo
        </Button>
      </>
    )
  }
  if (row) {
    return (
      <>
        {acts
          .filter(({ isOffered }) => isOffered(row))
          .map(({ label, effect, done, of }) => (
            <ActOnRow
              key={label}
              label={label}
              name={name}
              effect={effect}
              done={done(name)}
              onAct={() => of(row).then(reload)}
            />
          ))}
        {remove && remove.isOffered?.(row) !== false && (
          <DeleteRow remove={remove} uid={remove.uidOf(row)} name={name} reload={reload} />
        )}
      </>
    )
  }
  if (!line.key.startsWith('new-')) return null
  return (
    <Button size="small" onClick={() => edits.undo(line.key)} aria-label={`Remove ${name}`}>
      Remove
    </Button>
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
