import type { Db } from '../db/connection.ts'
import type { Scope } from '../db/records/scope.ts'
import { AppError } from '../runtime/app-error.ts'
import { cellOf } from '../spreadsheet/columns.ts'
import type { Sheet } from '../spreadsheet/sheet.ts'
import type { ChosenTable } from '../spreadsheet/table-file.ts'
import { groupRows, isWrong, nameRows, type RecordGroup, toImportRows } from './check-records.ts'
import type { CheckedImport, ImportKind, SavedImport, Skipped } from '../import-kind.ts'
import type { RecordImport, SavedRecord } from './declaration.ts'
import { type Cells, FORMULA, type ReadRow, readRows } from './read-rows.ts'
import { findObstacle, statesOf, undoRecordImport } from './undo.ts'

/** Makes the kind of an import of what is declared. */
export function recordImport<Saved extends SavedRecord, Input, Names>(
  declared: RecordImport<Saved, Input, Names>,
): ImportKind {
  return {
    kind: declared.kind,
    exported: declared.exported,
    check: (db, scope, table) => checkRecords(declared, { db, scope, table }),
    findObstacle: (db, run) => findObstacle(declared, db, run),
    undo: (db, scope, run) => undoRecordImport(declared, { db, scope, run }),
  }
}

interface CheckCall {
  db: Db
  scope: Scope
  table: ChosenTable
}

async function checkRecords<Saved extends SavedRecord, Input, Names>(
  declared: RecordImport<Saved, Input, Names>,
  { db, scope, table }: CheckCall,
): Promise<CheckedImport> {
  const { columns, description } = declared
  // A problem stands where it can be corrected: in a column that the file has.
  const mainColumn = [declared.mainColumn, ...table.columns].find((each) => table.columns.includes(each)) ?? ''
  const names = await declared.loadNames(
    db,
    scope,
    table.rows.map(({ cells }) => cells as Cells),
  )
  const read = readRows(table, { columns, required: description.required, mainColumn }, names)
  for (const row of read) {
    for (const [column, problem] of Object.entries(declared.checkRow?.(row, names) ?? {}))
      row.problems[column] ??= problem
  }
  const {
    groups: keyed,
    repeats,
    keyless,
  } = groupRows(read, {
    keyOf: (row) => declared.keyOf(row, names),
    partColumns: declared.partColumns,
    mainColumn,
  })
  const saved = await declared.loadSaved(
    db,
    scope,
    keyed.map(([key]) => key),
    names,
  )
  const groups = keyed.map(([key, rows]) => toGroup(declared, { key, rows, saved: saved.get(key) }, names))
  await refuseTaken(declared, db, groups)
  await declared.check?.(db, scope, groups, names)
  const good = groups.filter((group) => !isWrong(group) && group.state !== 'same')
  return {
    rows: toImportRows(groups, repeats, keyless, mainColumn),
    records: {
      new: good.filter(({ state }) => state === 'new').length,
      changed: good.filter(({ state }) => state === 'changed').length,
    },
    inactive: 0,
    fingerprints: good.map(({ key, saved, input }) => JSON.stringify([key, saved?.uid, saved?.version, input])),
    save: (skipped) => saveRecords(declared, { db, scope }, good, skipped),
  }
}

interface Keyed<Saved> {
  key: string
  rows: ReadRow[]
  saved: Saved | undefined
}

function toGroup<Saved extends SavedRecord, Input, Names>(
  declared: RecordImport<Saved, Input, Names>,
  { key, rows, saved }: Keyed<Saved>,
  names: Names,
): RecordGroup<Saved, Input> {
  const group = { rows: rows as [ReadRow, ...ReadRow[]], key, saved, remarks: new Map<ReadRow, Cells>() }
  const wrong = { ...group, state: saved ? ('changed' as const) : ('new' as const) }
  if (saved) keepSavedCells(declared, rows, saved)
  if (isWrong(group)) return wrong
  const input = declared.toInput(rows, saved, names)
  const { data, error } = declared.schema.safeParse(input)
  for (const { path, message } of error?.issues ?? []) {
    const { column, row = rows[0] } = declared.placeOf(path, rows, input)
    if (row) row.problems[column in declared.columns ? column : declared.mainColumn] ??= message
  }
  if (data === undefined) return wrong
  if (!saved) return { ...group, input: data, state: 'new' }
  const before = declared.schema.safeParse(declared.savedInput(saved)).data ?? declared.savedInput(saved)
  if (JSON.stringify(before) === JSON.stringify(data)) return { ...group, input: data, state: 'same' }
  addRemarks(declared, group, { before, after: data })
  return { ...group, input: data, state: 'changed' }
}

const sheetFile = { zone: 'UTC', today: '', isWorkbook: false }

/** The cell of a saved record as its export writes it. */
function savedCell<Saved>(sheet: Sheet<Saved>, heading: string, saved: Saved): string {
  const column = sheet.columns[heading]
  return column ? String(cellOf(column, saved, sheetFile) ?? '') : ''
}

/** A cell that is as the export writes the record changes nothing, however much the export has rounded. */
function keepSavedCells<Saved extends SavedRecord, Input, Names>(
  { fields, description, exported, jointColumns = [] }: RecordImport<Saved, Input, Names>,
  rows: readonly ReadRow[],
  saved: Saved,
): void {
  for (const column of Object.keys(fields)) {
    if (description.required.includes(column) || jointColumns.includes(column)) continue
    const heading = description.columns[column]?.[0] ?? ''
    if (!(heading in exported.sheet.columns)) continue
    const was = asRead(savedCell(exported.sheet, heading, saved))
    const isSaved = (row: ReadRow) => {
      const isUnread = row.values[column] === undefined && row.problems[column] === undefined
      return !isUnread && asRead(row.cells[column] ?? '') === was && row.problems[column] !== FORMULA
    }
    const kept = rows.filter(isSaved)
    // Of the rows of one record an empty cell agrees with any.
    const agreeing = kept.length > 0 ? rows.filter((row) => row.values[column] === null) : []
    for (const row of [...kept, ...agreeing]) {
      delete (row.values as Record<string, unknown>)[column]
      delete row.problems[column]
    }
  }
}

/** A cell as files are read: without the quote that keeps it from running as a formula. */
const asRead = (cell: string) =>
  cell
    .replaceAll('\u00a0', ' ')
    .replaceAll('\r\n', '\n')
    .trim()
    .replace(/^'(?=[=+\-@])/, '')

/** Says at each cell that changes something what was there before. */
function addRemarks<Saved extends SavedRecord, Input, Names>(
  { fields, description, exported }: RecordImport<Saved, Input, Names>,
  { rows, saved, remarks }: Pick<RecordGroup<Saved, Input>, 'rows' | 'saved' | 'remarks'>,
  { before, after }: { before: Input; after: Input },
): void {
  if (!saved) return
  for (const row of rows) {
    const said: Cells = {}
    for (const [column, field] of Object.entries(fields)) {
      if (!field || row.values[column] === undefined) continue
      if (JSON.stringify(before[field]) === JSON.stringify(after[field])) continue
      const was = savedCell(exported.sheet, description.columns[column]?.[0] ?? '', saved)
      said[column] = `Was ${was.replaceAll('\n', '; ') || 'empty'}.`
    }
    remarks.set(row, said)
  }
}

/** Refuses values that another record has, or another row of the file. */
async function refuseTaken<Saved extends SavedRecord, Input, Names>(
  { unique = [] }: RecordImport<Saved, Input, Names>,
  db: Db,
  groups: readonly RecordGroup<Saved, Input>[],
): Promise<void> {
  for (const { column, value, holders } of unique) {
    const wanted = groups.flatMap((group) => {
      const given = group.input === undefined || isWrong(group) ? [] : value(group.input)
      return [given].flat().flatMap((text) => (text === '' ? [] : [{ group, text }]))
    })
    const held = await holders(
      db,
      wanted.map(({ text }) => text),
    )
    const first = new Map<string, RecordGroup<Saved, Input>>()
    for (const { group, text } of wanted) {
      const holder = held.get(text)
      const earlier = first.get(text)
      const [row] = group.rows
      const place = typeof column === 'string' ? column : column(row)
      const isOwn = holder?.uid === group.saved?.uid || holder?.returnsAs === group.key
      if (holder && !isOwn) row.problems[place] ??= `${holder.name} has this already.`
      else if (earlier) row.problems[place] ??= `Also in ${nameRows(earlier.rows)}.`
      else first.set(text, group)
    }
  }
}

interface SaveCall {
  db: Db
  scope: Scope
}

export const CHANGED_SINCE = 'The records changed after the check. Please check the file again.'

async function saveRecords<Saved extends SavedRecord, Input, Names>(
  declared: RecordImport<Saved, Input, Names>,
  { db, scope }: SaveCall,
  good: readonly RecordGroup<Saved, Input>[],
  skipped: Skipped,
): Promise<SavedImport | null> {
  const { write, savedInput } = declared
  const inputs = good.flatMap(({ state, input }) =>
    state === 'new' && input !== undefined && !skipped.has('new') ? [input] : [],
  )
  const changes = good.flatMap(({ saved, input }) =>
    saved && input !== undefined && !skipped.has('changed') ? [{ saved, input }] : [],
  )
  if (inputs.length + changes.length === 0) return null
  // Changes go first: a value that one record gives up can be that of a new one.
  if (changes.length > 0) {
    await write.change(
      db,
      scope,
      changes.map(({ saved: { uid, version }, input }) => ({ uid, version, input })),
    )
  }
  const added = inputs.length > 0 ? await write.add(db, scope, inputs) : []
  if (added.length !== inputs.length) throw new AppError('staleVersion', { text: CHANGED_SINCE })
  const before = changes.map(({ saved }) => ({ uid: saved.uid, version: saved.version, input: savedInput(saved) }))
  return { added, changed: changes.length, states: await statesOf(db, write, added, before) }
}
