import { newIdempotencyKey } from '../../api/call.ts'
import { editOf, parseCell } from './columns.ts'
import type { ClassicColumn } from './columns.ts'

/** A line of a classic table: a saved row, or a row to be added. */
export interface ClassicLine<Row> {
  key: string
  row: Row | undefined
  /** The initial texts of a line that is not saved yet. */
  preset: Record<string, string>
}

/** The text typed into a line, and the result of checking or saving it. */
export interface LineEdit<Row> {
  /** The row as it was when the typing began: saving names its version. */
  base: Row | undefined
  typed: Record<string, string>
  /** Errors by column. */
  errors: Record<string, string>
  /** Other people's changes by column. */
  notes: Record<string, string>
  /** An error of the line as a whole. */
  problem?: string | undefined
  isStale?: boolean
  isSaving?: boolean
  isSaved?: boolean
  /** The same for every attempt, so that the line is added once. */
  idempotencyKey: string
}

export type LineChanges = Record<string, unknown>

/** The columns and lines of a table, and the calls that save them. */
export interface EditsSource<Row> {
  columns: readonly ClassicColumn<Row>[]
  lines: readonly ClassicLine<Row>[]
  rowKey: (row: Row) => string
  /** Saves the changes of a row, or adds one. */
  save?: ((row: Row | undefined, changes: LineChanges, idempotencyKey: string) => Promise<unknown>) | undefined
  /** Checks without saving, and answers the errors by column. */
  check?: ((row: Row | undefined, changes: LineChanges) => Promise<Record<string, string>>) | undefined
  /** The current rows. */
  reload: () => Promise<readonly Row[]>
}

/** Everything typed into a table. */
export interface TypedLines<Row> {
  edits: Record<string, LineEdit<Row>>
  added: readonly ClassicLine<Row>[]
}

export interface SaveProgress {
  done: number
  of: number
}

const without = <T>(from: Record<string, T>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(from).filter(([name]) => name !== key))

export const isEmpty = (record: object) => Object.keys(record).length === 0

/** The state of a table's edits, to which its components subscribe. */
export class EditsStore<Row> {
  source: EditsSource<Row>
  edits: Record<string, LineEdit<Row>> = {}
  added: readonly ClassicLine<Row>[] = []
  progress: SaveProgress | undefined
  readonly #listeners = new Set<() => void>()

  constructor(source: EditsSource<Row>) {
    this.source = source
  }

  subscribe(listen: () => void): () => void {
    this.#listeners.add(listen)
    return () => void this.#listeners.delete(listen)
  }

  #notify(): void {
    for (const listen of this.#listeners) listen()
  }

  get lines(): readonly ClassicLine<Row>[] {
    return [...this.source.lines, ...this.added]
  }

  lineOf(key: string): ClassicLine<Row> | undefined {
    return this.lines.find((line) => line.key === key)
  }

  columnOf(key: string): ClassicColumn<Row> | undefined {
    return this.source.columns.find((column) => column.key === key)
  }

  add(preset: Record<string, string>): ClassicLine<Row> {
    const line = { key: `new-${newIdempotencyKey()}`, row: undefined, preset }
    this.added = [...this.added, line]
    this.#notify()
    return line
  }

  /** Replaces the edit of a line, or ends it. */
  put(key: string, edit: LineEdit<Row> | undefined): void {
    this.edits = edit ? { ...this.edits, [key]: edit } : without(this.edits, key)
    this.#notify()
  }

  /** Changes an edit, if the line still has one. */
  change(key: string, more: Partial<LineEdit<Row>>): void {
    const edit = this.edits[key]
    if (edit) this.put(key, { ...edit, ...more })
  }

  /** Ends the edits of lines, and removes the added ones among them. */
  drop(keys: readonly string[]): void {
    this.edits = Object.fromEntries(Object.entries(this.edits).filter(([key]) => !keys.includes(key)))
    this.added = this.added.filter(({ key }) => !keys.includes(key))
    this.#notify()
  }

  /** Takes over what was typed before: each edit still names the version it began with. */
  restore({ edits, added }: TypedLines<Row>): void {
    const idle = Object.entries(edits).map(([key, edit]) => [key, { ...edit, isSaving: false }] as const)
    this.edits = Object.fromEntries(idle)
    this.added = added
    this.#notify()
  }

  setProgress(progress: SaveProgress | undefined): void {
    this.progress = progress
    this.#notify()
  }

  type(line: ClassicLine<Row>, key: string, text: string): void {
    const column = this.columnOf(key)
    const edit = this.edits[line.key] ?? {
      base: line.row,
      typed: {},
      errors: {},
      notes: {},
      idempotencyKey: newIdempotencyKey(),
    }
    if (!column || edit.isSaving) return
    const typed = text === textBefore(column, edit, line) ? without(edit.typed, key) : { ...edit.typed, [key]: text }
    const errors = without(edit.errors, key)
    const isAsBefore = isEmpty(typed) && isEmpty(errors) && !edit.isStale
    const changed = { ...edit, typed, errors, problem: undefined, isStale: edit.isStale ?? false }
    this.put(line.key, isAsBefore ? undefined : changed)
  }
}

const textBefore = <Row>(column: ClassicColumn<Row>, { base }: LineEdit<Row>, { preset }: ClassicLine<Row>) =>
  base === undefined ? (preset[column.key] ?? '') : column.text(base)

/** The changes a line would be saved with, and the errors of the cells that cannot be read. */
export function parseLine<Row>(
  columns: readonly ClassicColumn<Row>[],
  line: ClassicLine<Row>,
  edit: LineEdit<Row>,
): { changes: LineChanges; errors: Record<string, string> } {
  const changes: LineChanges = {}
  const errors: Record<string, string> = {}
  for (const column of columns) {
    const how = editOf(column, edit.base)
    const isChanged = edit.base === undefined || column.key in edit.typed
    if (!how || !isChanged) continue
    const parsed = parseCell(edit.typed[column.key] ?? textBefore(column, edit, line), how)
    if ('error' in parsed) errors[column.key] = parsed.error
    else changes[column.key] = parsed.value
  }
  return { changes, errors }
}
