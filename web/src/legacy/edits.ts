import { ApiError, newKey, errorMessage } from '../api/call.ts'
import { editOf, parseCell } from './columns.ts'
import type { ClassicColumn } from './columns.ts'

/** A line of a classic table: a saved row, or one that is to be. */
export interface ClassicLine<Row> {
  key: string
  row: Row | undefined
  /** What the cells of a line begin with that is not saved yet. */
  preset: Record<string, string>
}

/** What was typed into a line, and what came of it. */
export interface LineEdit<Row> {
  /** The row as it was when the typing began: saving names its version. */
  base: Row | undefined
  typed: Record<string, string>
  /** Column to what is wrong with it. */
  errors: Record<string, string>
  /** Column to what somebody else made of it meanwhile. */
  notes: Record<string, string>
  /** What is wrong with the line as a whole. */
  problem?: string | undefined
  isStale?: boolean
  isSaving?: boolean
  isSaved?: boolean
  /** The same for every try to add the line: it is added once. */
  idempotencyKey: string
}

export type LineChanges = Record<string, unknown>
type Cells = readonly (readonly string[])[]

/** Where the lines come from and go to. */
export interface EditsSource<Row> {
  columns: readonly ClassicColumn<Row>[]
  lines: readonly ClassicLine<Row>[]
  keyOf: (row: Row) => string
  /** Saves what changed of a row, or adds one. */
  save?: ((row: Row | undefined, changes: LineChanges, idempotencyKey: string) => Promise<unknown>) | undefined
  /** Tells by column what would be refused, without saving anything. */
  check?: ((row: Row | undefined, changes: LineChanges) => Promise<Record<string, string>>) | undefined
  /** The rows as they are now. */
  reload: () => Promise<readonly Row[]>
}

interface Progress {
  done: number
  of: number
}

const without = <T>(from: Record<string, T>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(from).filter(([name]) => name !== key))

const isEmpty = (record: object) => Object.keys(record).length === 0

/** The edits of a classic table, apart from its drawing: typing, checking, saving, and meeting somebody else's change. */
export function createTableEdits<Row>(given: EditsSource<Row>) {
  let source = given
  let edits: Record<string, LineEdit<Row>> = {}
  let added: readonly ClassicLine<Row>[] = []
  let progress: Progress | undefined
  const listeners = new Set<() => void>()
  const tell = () => listeners.forEach((listen) => listen())

  const lineOf = (key: string) => [...source.lines, ...added].find((line) => line.key === key)
  const columnOf = (key: string) => source.columns.find((column) => column.key === key)
  const put = (key: string, edit: LineEdit<Row> | undefined) => {
    edits = edit ? { ...edits, [key]: edit } : without(edits, key)
    tell()
  }
  const change = (key: string, more: Partial<LineEdit<Row>>) => {
    const edit = edits[key]
    if (edit) put(key, { ...edit, ...more })
  }
  const drop = (keys: readonly string[]) => {
    edits = Object.fromEntries(Object.entries(edits).filter(([key]) => !keys.includes(key)))
    added = added.filter(({ key }) => !keys.includes(key))
    tell()
  }

  const begin = (line: ClassicLine<Row>): LineEdit<Row> =>
    edits[line.key] ?? { base: line.row, typed: {}, errors: {}, notes: {}, idempotencyKey: newKey() }

  const textBefore = (column: ClassicColumn<Row>, { base }: LineEdit<Row>, { preset }: ClassicLine<Row>) =>
    base === undefined ? (preset[column.key] ?? '') : column.text(base)

  function type(line: ClassicLine<Row>, key: string, text: string): void {
    const column = columnOf(key)
    const edit = begin(line)
    if (!column || edit.isSaving) return
    const typed = text === textBefore(column, edit, line) ? without(edit.typed, key) : { ...edit.typed, [key]: text }
    const errors = without(edit.errors, key)
    const isAsBefore = isEmpty(typed) && isEmpty(errors) && !edit.isStale
    put(
      line.key,
      isAsBefore ? undefined : { ...edit, typed, errors, problem: undefined, isStale: edit.isStale ?? false },
    )
  }

  /** What a line would be saved with; what cannot be read is told by column. */
  function readLine(
    line: ClassicLine<Row>,
    edit: LineEdit<Row>,
  ): { changes: LineChanges; errors: Record<string, string> } {
    const changes: LineChanges = {}
    const errors: Record<string, string> = {}
    for (const column of source.columns) {
      const how = editOf(column, edit.base)
      const isChanged = edit.base === undefined || column.key in edit.typed
      if (!how || !isChanged) continue
      const found = parseCell(edit.typed[column.key] ?? textBefore(column, edit, line), how)
      if ('error' in found) errors[column.key] = found.error
      else changes[column.key] = found.value
    }
    return { changes, errors }
  }

  function refuse(key: string, error: unknown): void {
    const fields = error instanceof ApiError ? error.fields : {}
    const errors = Object.fromEntries(Object.entries(fields).filter(([name]) => columnOf(name)))
    const others = Object.entries(fields).filter(([name]) => !columnOf(name))
    const isStale = error instanceof ApiError && error.code === 'staleVersion'
    const problem = [errorMessage(error), ...others.map(([, text]) => text)].join(' ')
    change(key, {
      isSaving: false,
      isStale,
      errors,
      problem: isEmpty(errors) || others.length > 0 ? problem : undefined,
    })
  }

  /** Saves one line; whether it is saved. The rows are not fetched anew yet. */
  async function saveLine(key: string): Promise<boolean> {
    const [line, edit, { save }] = [lineOf(key), edits[key], source]
    if (!line || !edit || !save || edit.isSaving) return false
    const { changes, errors } = readLine(line, edit)
    if (!isEmpty(errors)) {
      change(key, { errors, problem: undefined })
      return false
    }
    change(key, { isSaving: true, errors: {}, problem: undefined, isStale: false })
    try {
      await save(edit.base, changes, edit.idempotencyKey)
      change(key, { isSaved: true })
      return true
    } catch (error) {
      refuse(key, error)
      return false
    }
  }

  /** Saves lines one after the other; those that are refused stay as they were typed. */
  async function save(keys: readonly string[]): Promise<number> {
    const saved: string[] = []
    for (const [index, key] of keys.entries()) {
      if (keys.length > 1) {
        progress = { done: index, of: keys.length }
        tell()
      }
      if (await saveLine(key)) saved.push(key)
    }
    progress = undefined
    tell()
    if (saved.length > 0) await source.reload().catch(() => undefined)
    drop(saved)
    return saved.length
  }

  const edited = () => [...source.lines, ...added].map(({ key }) => key).filter((key) => key in edits)

  /** Tells of each line what is wrong with it, as far as that is known without saving. */
  async function check(keys: readonly string[]): Promise<void> {
    const { check: ask } = source
    for (const key of keys) {
      const [line, edit] = [lineOf(key), edits[key]]
      if (!line || !edit) continue
      const { changes, errors } = readLine(line, edit)
      const found = isEmpty(errors) && ask ? await ask(edit.base, changes).catch(() => ({})) : errors
      // What was typed meanwhile is another question.
      if (edits[key] === edit) change(key, { errors: found })
    }
  }

  return {
    /** Columns, lines and calls as they are now. */
    follow: (now: EditsSource<Row>) => void (source = now),
    subscribe: (listen: () => void) => {
      listeners.add(listen)
      return () => void listeners.delete(listen)
    },
    of: (key: string) => edits[key],
    all: () => edits,
    added: () => added,
    progress: () => progress,
    isEdited: () => !isEmpty(edits),
    type,

    /** Adds an empty line and tells its key. */
    add(preset: Record<string, string> = {}): string {
      const line = { key: `new-${newKey()}`, row: undefined, preset }
      added = [...added, line]
      tell()
      return line.key
    },

    /** Takes back what was typed into a line; one that was added goes. */
    undo(key: string): void {
      if (!edits[key]?.isSaving) drop([key])
    },

    save: (key: string) => save([key]),
    saveAll: () => save(edited()),

    /** Takes the newest row under what was typed, and notes where both changed the same. */
    async takeNewest(key: string): Promise<void> {
      const { reload, keyOf, columns } = source
      try {
        const newest = (await reload()).find((row) => keyOf(row) === key)
        const edit = edits[key]
        if (!edit) return
        if (!newest) return change(key, { problem: 'This row is no longer here. Undo takes your edits off.' })
        const both = columns.filter(
          (column) => column.key in edit.typed && edit.base && column.text(newest) !== column.text(edit.base),
        )
        const notes = Object.fromEntries(both.map((column) => [column.key, `Meanwhile: ${column.text(newest) || '–'}`]))
        change(key, { base: newest, notes, problem: undefined, isStale: false })
      } catch (error) {
        change(key, { problem: errorMessage(error) })
      }
    },

    /**
     * Puts copied cells in, from a cell on to the right and down, as a spreadsheet does. Where the lines end, further
     * ones are added, which begin with a preset; without one none are. Tells how many rows found no place.
     */
    paste(from: ClassicLine<Row>, key: string, cells: Cells, preset: Record<string, string> | undefined): number {
      const { columns } = source
      const first = columns.findIndex((column) => column.key === key)
      const across = columns.slice(first)
      const isHead = (row: readonly string[]) =>
        row.every((text, index) => text.toLowerCase() === across[index]?.label.toLowerCase())
      const rows = cells[0] && isHead(cells[0]) ? cells.slice(1) : cells
      const places = [...source.lines, ...added]
      const start = places.findIndex((line) => line.key === from.key)
      const touched: string[] = []
      for (const [index, row] of rows.entries()) {
        let line = places[start + index]
        if (!line && preset) line = lineOf(this.add(preset))
        if (!line) break
        for (const [at, text] of row.entries()) {
          const column = across[at]
          if (column && editOf(column, line.row)) type(line, column.key, text)
        }
        touched.push(line.key)
      }
      void check(touched)
      return rows.length - touched.length
    },
  }
}
export type TableEdits<Row> = ReturnType<typeof createTableEdits<Row>>
