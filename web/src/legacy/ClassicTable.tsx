import { useId, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { ClipboardEvent, KeyboardEvent } from 'react'
import { useNotice } from '../ui/notices.tsx'
import { SkeletonLine } from '../ui/states.tsx'
import { UnsavedEdits } from '../ui/UnsavedEdits.tsx'
import { ClassicBar } from './ClassicBar.tsx'
import { ClassicRow } from './ClassicRow.tsx'
import type { ClassicTableProps } from './ClassicRow.tsx'
import { parseCopiedCells, editOf } from './columns.ts'
import type { ClassicColumn } from './columns.ts'
import { createTableEdits } from './edits.ts'
import type { ClassicLine } from './edits.ts'
import styles from './classic.module.css'

const NOTHING_PRESET = {}

/** One wide table with everything in sight, typed into where it stands: Tab, Enter saves the row, Escape takes it back. */
export function ClassicTable<Row>(table: ClassicTableProps<Row>) {
  const { label, columns, rows, lines: given, keyOf, addWord, preset, save, groupOf, isInner = false } = table
  const notice = useNotice()
  const frame = useRef<HTMLDivElement>(null)
  const id = useId()
  const lines = useMemo(
    () => given ?? (rows ?? []).map((row): ClassicLine<Row> => ({ key: keyOf(row), row, preset: NOTHING_PRESET })),
    [given, rows, keyOf],
  )
  const [edits] = useState(() => createTableEdits<Row>({ ...table, lines }))
  useLayoutEffect(() => edits.follow({ ...table, lines }))
  const added = useSyncExternalStore(edits.subscribe, edits.added)
  const shown = useMemo(() => [...lines, ...added], [lines, added])
  const mayEdit = save !== undefined
  const wide = columns.length + (mayEdit ? 1 : 0)

  const focusOn = (key: string, column?: string) =>
    requestAnimationFrame(() =>
      frame.current
        ?.querySelector<HTMLElement>(`[data-line="${key}"] ${column ? `[data-column="${column}"]` : '[data-column]'}`)
        ?.focus(),
    )
  const placeOf = (target: EventTarget) => {
    const field = (target as Element).closest<HTMLElement>('[data-column]')
    const key = field?.closest<HTMLElement>('[data-line]')?.dataset.line
    const line = shown.find((each) => each.key === key)
    return field && line ? { field, line, column: field.dataset.column ?? '' } : undefined
  }

  const press = (event: KeyboardEvent) => {
    const place = placeOf(event.target)
    if (!place || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const { field, line, column } = place
    const isLines = field instanceof HTMLTextAreaElement
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      void edits.save(line.key)
    } else if (event.key === 'Escape') {
      edits.undo(line.key)
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !isLines) {
      event.preventDefault()
      step(frame.current, field, column, event.key === 'ArrowDown' ? 1 : -1)
    }
  }

  const paste = (event: ClipboardEvent) => {
    const place = placeOf(event.target)
    const copied = event.clipboardData.getData('text/plain')
    if (!place || !/[\t\n]/.test(copied.trimEnd())) return
    event.preventDefault()
    const left = edits.paste(
      place.line,
      place.column,
      parseCopiedCells(copied),
      addWord === undefined ? undefined : (preset ?? {}),
    )
    if (left > 0) notice(`${left} ${left === 1 ? 'row' : 'rows'} found no place here.`, 'bad')
  }

  const drawn = (line: ClassicLine<Row>) => (
    <ClassicRow key={line.key} line={line} table={table} edits={edits} listId={id} wide={wide} />
  )
  const groups = groupOf && new Map<string, ClassicLine<Row>[]>()
  if (groups) {
    for (const line of shown) {
      const name = line.row ? groupOf(line.row) : 'New'
      groups.set(name, [...(groups.get(name) ?? []), line])
    }
  }
  return (
    <>
      {mayEdit && (
        <ClassicBar
          edits={edits}
          isInner={isInner}
          addWord={addWord}
          onAdd={() => focusOn(edits.add(preset))}
          label={label}
        />
      )}
      {columns.map((column) => (
        <Suggestions key={column.key} id={`${id}-${column.key}`} column={column} />
      ))}
      {/* Wider than most windows: whoever has no pointer scrolls it by the arrow keys. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={frame} className={styles.frame} role="region" aria-label={`${label}, scrolls sideways`} tabIndex={0}>
        {/* What is typed into its fields comes by here. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <table
          className={styles.table}
          aria-label={label}
          aria-busy={!rows}
          onKeyDown={press}
          onPaste={paste}
          style={{ width: `calc(${widthOf(columns)} + ${mayEdit ? ACTIONS_WIDTH : 0}px)` }}
        >
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
            {mayEdit && <col className={styles.acts} style={{ width: ACTIONS_WIDTH }} />}
          </colgroup>
          <thead>
            <tr>
              {columns.map(({ key, label: title, align }) => (
                <th key={key} scope="col" style={{ textAlign: align }}>
                  {title}
                </th>
              ))}
              {mayEdit && (
                <th scope="col" className={styles.acts}>
                  Actions
                </th>
              )}
            </tr>
          </thead>
          {groups ? (
            [...groups].map(([name, own]) => (
              <tbody key={name}>
                <tr className={styles.group}>
                  <th scope="rowgroup" colSpan={wide}>
                    <span>{name}</span>
                  </th>
                </tr>
                {own.map(drawn)}
              </tbody>
            ))
          ) : (
            <tbody>{shown.map(drawn)}</tbody>
          )}
          {!rows && <Bones wide={wide} />}
        </table>
      </div>
      <UnsavedEdits isEdited={edits.isEdited} />
    </>
  )
}

const ACTIONS_WIDTH = 132

/** Paper has one width, which the columns share. */
const shareOf = <Row,>(width: number, columns: readonly ClassicColumn<Row>[]) =>
  `${(100 * width) / columns.reduce((sum, column) => sum + column.width, 0)}%`

/** The first column stays in sight: on a phone it leaves most of the room to the others. */
const firstWidth = (width: number) => `min(${width}px, 36vw)`
const widthOf = <Row,>([first, ...others]: readonly ClassicColumn<Row>[]) =>
  `${firstWidth(first?.width ?? 0)} + ${others.reduce((sum, { width }) => sum + width, 0)}px`

/** From a cell to the one above or below it; what is in it is marked, to be typed over. */
function step(frame: HTMLElement | null, from: HTMLElement, column: string, by: 1 | -1): void {
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

const Bones = ({ wide }: { wide: number }) => (
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
