import { useId, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { ClipboardEvent, KeyboardEvent, RefObject } from 'react'
import { useNotice } from '../../ui/notices.tsx'
import { countOf } from '@roadshow/contract/platform/figures'
import { SkeletonLine } from '../../ui/states.tsx'
import { UnsavedEdits } from '../../ui/form/UnsavedEdits.tsx'
import { ClassicBar } from './ClassicBar.tsx'
import { ClassicRow } from './ClassicRow.tsx'
import type { ClassicTableProps } from './ClassicRow.tsx'
import { parseCopiedCells, editOf } from './columns.ts'
import type { ClassicColumn } from './columns.ts'
import { createTableEdits } from './edits.ts'
import type { TableEdits } from './edits.ts'
import type { ClassicLine } from './editsStore.ts'
import shared from './classic.module.css'

const NO_PRESET = {}

/** The lines of a table and their edits. */
function useTableEdits<Row>(table: ClassicTableProps<Row>) {
  const { lines: given, rows, rowKey } = table
  const lines = useMemo(
    () => given ?? (rows ?? []).map((row): ClassicLine<Row> => ({ key: rowKey(row), row, preset: NO_PRESET })),
    [given, rows, rowKey],
  )
  const [edits] = useState(() => createTableEdits<Row>({ ...table, lines }))
  useLayoutEffect(() => edits.follow({ ...table, lines }))
  const added = useSyncExternalStore(edits.subscribe, edits.added)
  const shown = useMemo(() => [...lines, ...added], [lines, added])
  return { edits, shown }
}

interface TableInput<Row> {
  frame: RefObject<HTMLElement | null>
  table: ClassicTableProps<Row>
  edits: TableEdits<Row>
  shown: readonly ClassicLine<Row>[]
}

/** The keys and pasted cells of a table: Enter saves the row, Escape discards, arrows move up and down. */
function useTableInput<Row>({ frame, table: { addWord, preset }, edits, shown }: TableInput<Row>) {
  const notice = useNotice()
  const cellOf = (target: EventTarget) => {
    const field = (target as Element).closest<HTMLElement>('[data-column]')
    const key = field?.closest<HTMLElement>('[data-line]')?.dataset.line
    const line = shown.find((each) => each.key === key)
    return field && line ? { field, line, column: field.dataset.column ?? '' } : undefined
  }
  return {
    onKeyDown(event: KeyboardEvent) {
      const cell = cellOf(event.target)
      if (!cell || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
      const { field, line, column } = cell
      const isMultiline = field instanceof HTMLTextAreaElement
      if (event.key === 'Enter' && !event.shiftKey) {
        event.preventDefault()
        void edits.save(line.key)
      } else if (event.key === 'Escape') {
        edits.undo(line.key)
      } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !isMultiline) {
        event.preventDefault()
        focusNeighbor(frame.current, field, column, event.key === 'ArrowDown' ? 1 : -1)
      }
    },
    onPaste(event: ClipboardEvent) {
      const cell = cellOf(event.target)
      const copied = event.clipboardData.getData('text/plain')
      if (!cell || !/[\t\n]/.test(copied.trimEnd())) return
      event.preventDefault()
      const cells = parseCopiedCells(copied)
      const added = addWord === undefined ? undefined : (preset ?? {})
      const left = edits.paste({ from: cell.line, column: cell.column, cells, preset: added })
      if (left > 0) notice(`${countOf(left, 'row')} did not fit.`, 'bad')
    },
  }
}

/** Focuses the first field of a line once it is drawn. */
const focusLine = (frame: HTMLElement | null, key: string) =>
  requestAnimationFrame(() => frame?.querySelector<HTMLElement>(`[data-line="${key}"] [data-column]`)?.focus())

/** One wide table with inline editing: Tab moves on, Enter saves the row, Escape discards its changes. */
export function ClassicTable<Row>(table: ClassicTableProps<Row>) {
  const { label, columns, rows, addWord, preset, isInner = false } = table
  const frame = useRef<HTMLDivElement>(null)
  const listId = useId()
  const { edits, shown } = useTableEdits(table)
  const input = useTableInput({ frame, table, edits, shown })
  const mayEdit = table.save !== undefined
  const width = `calc(${widthOf(columns)} + ${mayEdit ? ACTIONS_WIDTH : 0}px)`
  return (
    <>
      {mayEdit && (
        <ClassicBar
          edits={edits}
          isInner={isInner}
          addWord={addWord}
          onAdd={() => focusLine(frame.current, edits.add(preset))}
          label={label}
        />
      )}
      {columns.map((column) => (
        <Suggestions key={column.key} id={`${listId}-${column.key}`} column={column} />
      ))}
      {/* Wider than most windows: the arrow keys scroll it without a pointer. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={frame} className={shared.frame} role="region" aria-label={`${label}, scrolls sideways`} tabIndex={0}>
        {/* It handles the events of its fields. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <table className={shared.table} aria-label={label} aria-busy={!rows} {...input} style={{ width }}>
          <TableHead columns={columns} mayEdit={mayEdit} />
          <TableBody table={table} shown={shown} edits={edits} listId={listId} />
        </table>
      </div>
      <UnsavedEdits
        isEdited={edits.isEdited}
        // Tables of one kind differ by the filters in the address.
        draft={{ name: `${label} ${location.search}`, read: edits.typed, restore: edits.restore }}
      />
    </>
  )
}

interface TableHeadProps<Row> {
  columns: readonly ClassicColumn<Row>[]
  mayEdit: boolean
}

const TableHead = <Row,>({ columns, mayEdit }: TableHeadProps<Row>) => (
  <>
    <colgroup>
      {columns.map(({ key, width }, index) => (
        <col
          key={key}
          style={{
            width: index === 0 ? firstWidth(width) : width,
            ['--share' as string]: shareOf(width, columns),
          }}
        />
      ))}
      {mayEdit && <col className={shared.acts} style={{ width: ACTIONS_WIDTH }} />}
    </colgroup>
    <thead>
      <tr>
        {columns.map(({ key, label, align }) => (
          <th key={key} scope="col" style={{ textAlign: align }}>
            {label}
          </th>
        ))}
        {mayEdit && (
          <th scope="col" className={shared.acts}>
            Actions
          </th>
        )}
      </tr>
    </thead>
  </>
)

interface TableBodyProps<Row> {
  table: ClassicTableProps<Row>
  shown: readonly ClassicLine<Row>[]
  edits: TableEdits<Row>
  listId: string
}

function groupLines<Row>(lines: readonly ClassicLine<Row>[], groupOf: (row: Row) => string) {
  const groups = new Map<string, ClassicLine<Row>[]>()
  for (const line of lines) {
    const name = line.row ? groupOf(line.row) : 'New'
    groups.set(name, [...(groups.get(name) ?? []), line])
  }
  return groups
}

function TableBody<Row>({ table, shown, edits, listId }: TableBodyProps<Row>) {
  const wide = table.columns.length + (table.save === undefined ? 0 : 1)
  const draw = (line: ClassicLine<Row>) => (
    <ClassicRow key={line.key} line={line} table={table} edits={edits} listId={listId} wide={wide} />
  )
  const { groupOf } = table
  const groups = groupOf && groupLines(shown, groupOf)
  return (
    <>
      {groups ? (
        [...groups].map(([name, own]) => (
          <tbody key={name}>
            <tr className={shared.group}>
              <th scope="rowgroup" colSpan={wide}>
                <span>{name}</span>
              </th>
            </tr>
            {own.map(draw)}
          </tbody>
        ))
      ) : (
        <tbody>{shown.map(draw)}</tbody>
      )}
      {!table.rows && <SkeletonRows wide={wide} />}
    </>
  )
}

const ACTIONS_WIDTH = 148

/** On paper the columns share one width. */
const shareOf = <Row,>(width: number, columns: readonly ClassicColumn<Row>[]) =>
  `${(100 * width) / columns.reduce((sum, column) => sum + column.width, 0)}%`

/** The first column is sticky; on a phone it leaves most of the room to the others. */
const firstWidth = (width: number) => `min(${width}px, 36vw)`
const widthOf = <Row,>([first, ...others]: readonly ClassicColumn<Row>[]) =>
  `${firstWidth(first?.width ?? 0)} + ${others.reduce((sum, { width }) => sum + width, 0)}px`

/** Focuses the cell above or below, with its text selected. */
function focusNeighbor(frame: HTMLElement | null, from: HTMLElement, column: string, by: 1 | -1): void {
  const fields = [...(frame?.querySelectorAll<HTMLElement>(`[data-column="${column}"]`) ?? [])]
  const next = fields[fields.indexOf(from) + by]
  next?.focus()
  if (next instanceof HTMLInputElement && next.type === 'text') next.select()
}

const Suggestions = <Row,>({ id, column }: { id: string; column: ClassicColumn<Row> }) => {
  const edit = editOf(column, undefined)
  if (edit?.kind !== 'choice' || edit.areFew) return null
  return (
    <datalist id={id}>
      {edit.choices.map(({ value, label }) => (
        <option key={value} value={label}>
          {label}
        </option>
      ))}
    </datalist>
  )
}

const SkeletonRows = ({ wide }: { wide: number }) => (
  <tbody>
    {Array.from({ length: 10 }, (_, index) => (
      <tr key={index}>
        <td colSpan={wide}>
          <SkeletonLine />
        </td>
      </tr>
    ))}
  </tbody>
)
