import { editOf } from './columns.ts'
import { EditsStore, isEmpty } from './editsStore.ts'
import type { ClassicLine, EditsSource, TypedLines } from './editsStore.ts'
import { checkLines, rebaseLine, saveLines } from './saveEdits.ts'

/** A block of copied cells, and the cell it is pasted into. */
interface Paste<Row> {
  from: ClassicLine<Row>
  column: string
  cells: readonly (readonly string[])[]
  /** The initial texts of lines that are added where the table ends; without it none are added. */
  preset: Record<string, string> | undefined
}

/** Fills cells to the right and down, as a spreadsheet does, and answers the keys of the changed lines. */
function pasteCells<Row>(store: EditsStore<Row>, { from, column: key, cells, preset }: Paste<Row>): string[] {
  const { columns } = store.source
  const across = columns.slice(columns.findIndex((column) => column.key === key))
  const places = store.lines
  const start = places.findIndex((line) => line.key === from.key)
  const touched: string[] = []
  for (const [index, row] of cells.entries()) {
    const line = places[start + index] ?? (preset && store.add(preset))
    if (!line) break
    for (const [at, text] of row.entries()) {
      const column = across[at]
      if (column && editOf(column, line.row)) store.type(line, column.key, text)
    }
    touched.push(line.key)
  }
  return touched
}

/** The copied cells without their heading, if the first row repeats the labels of the columns. */
function withoutHeading<Row>({ columns }: EditsSource<Row>, { column: key, cells }: Paste<Row>) {
  const across = columns.slice(columns.findIndex((column) => column.key === key))
  const isHeading = cells[0]?.every((text, index) => text.toLowerCase() === across[index]?.label.toLowerCase())
  return isHeading ? cells.slice(1) : cells
}

/** The edits of a classic table, without its drawing: typing, pasting, checking, saving and conflicts. */
export function createTableEdits<Row>(source: EditsSource<Row>) {
  const store = new EditsStore<Row>(source)
  return {
    /** Takes over the current columns, lines and calls. */
    follow: (now: EditsSource<Row>) => void (store.source = now),
    subscribe: (listen: () => void) => store.subscribe(listen),
    of: (key: string) => store.edits[key],
    all: () => store.edits,
    added: () => store.added,
    progress: () => store.progress,
    isEdited: () => !isEmpty(store.edits),
    typed: (): TypedLines<Row> => ({ edits: store.edits, added: store.added }),
    restore: (typed: TypedLines<Row>) => store.restore(typed),
    type: (line: ClassicLine<Row>, key: string, text: string) => store.type(line, key, text),
    /** Adds an empty line and answers its key. */
    add: (preset: Record<string, string> = {}) => store.add(preset).key,
    /** Discards the changes of a line; an added line disappears. */
    undo(key: string): void {
      if (!store.edits[key]?.isSaving) store.drop([key])
    },
    save: (key: string) => saveLines(store, [key]),
    saveAll: () =>
      saveLines(
        store,
        store.lines.map(({ key }) => key).filter((key) => key in store.edits),
      ),
    rebase: (key: string) => rebaseLine(store, key),
    /** Pastes copied cells, and answers how many rows did not fit. */
    paste(paste: Paste<Row>): number {
      const cells = withoutHeading(store.source, paste)
      const touched = pasteCells(store, { ...paste, cells })
      void checkLines(store, touched)
      return cells.length - touched.length
    },
  }
}
export type TableEdits<Row> = ReturnType<typeof createTableEdits<Row>>
