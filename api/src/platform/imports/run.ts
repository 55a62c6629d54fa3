import { createHash } from 'node:crypto'
import {
  type BodyOf,
  importAccess,
  importDescriptions,
  type ImportResult,
  importRowStates,
  type imports,
  rowAccessFor,
} from '@roadshow/contract'
import { type Db, inTransaction } from '../db/connection.ts'
import type { Scope } from '../db/records/scope.ts'
import type { ReceivedFile } from '../http/multipart.ts'
import { AppError, joinNames } from '../runtime/app-error.ts'
import { type ChosenTable, openChosenTable, tableRefusal } from '../spreadsheet/table-file.ts'
import type { CheckedImport, ImportKind } from '../import-kind.ts'
import { loadChosenColumns, rememberColumns } from './headings.ts'
import { CHANGED_SINCE } from './record-import.ts'
import { recordImportRun } from './runs.ts'

export type ImportBody = BodyOf<typeof imports.run>

/** Refuses an import of records that the caller may not add by hand. */
export function refuseUnlessAllowed({ actor }: Scope, kind: ImportBody['kind']): void {
  if (rowAccessFor(actor, importAccess(kind)) !== 'all') throw new AppError('forbidden')
}

/** Checks a file or, with the digest of a check, saves its good rows. */
export async function runImport(
  db: Db,
  scope: Scope,
  kind: ImportKind,
  { body, file }: { body: ImportBody; file: ReceivedFile | undefined },
): Promise<ImportResult> {
  if (!file) throw new AppError('badInput', { fields: { file: 'Choose a file.' } })
  refuseUnlessAllowed(scope, body.kind)
  const { columns } = importDescriptions[body.kind]
  const remembered = body.columns ? {} : await loadChosenColumns(db, body.kind)
  const table = await openChosenTable(file, columns, { given: body.columns, remembered })
  const problem = findTableProblem(table, body.kind)
  if (problem !== undefined) {
    if (body.save) throw tableRefusal('badInput', problem)
    return toResult(table, { body, checked: NO_ROWS, problem })
  }
  applyCorrections(table, body.corrections ?? [])
  if (!body.save) return toResult(table, { body, checked: await kind.check(db, scope, table) })
  return inTransaction(db, async (db) => {
    const checked = await kind.check(db, scope, table)
    const result = toResult(table, { body, checked })
    if (result.digest !== body.digest) throw new AppError('staleVersion', { text: CHANGED_SINCE })
    const saved = await checked.save(new Set(body.skip))
    const skipped = result.counts.wrong + (body.skip ?? []).reduce((sum, state) => sum + result.counts[state], 0)
    const run = { kind: body.kind, fileName: file.name, skipped }
    const undoUid = saved && (await recordImportRun(db, scope, run, saved))
    if (body.columns)
      await rememberColumns(db, scope, { kind: body.kind, key: table.headingsKey, columns: body.columns })
    return { ...result, saved: true, undoUid, addedUids: [...(saved?.added ?? [])] }
  })
}

const NO_ROWS: Omit<CheckedImport, 'save'> = {
  rows: [],
  records: { new: 0, changed: 0 },
  inactive: 0,
  fingerprints: [],
}

/** Why no row of a table can be read yet. */
function findTableProblem(table: ChosenTable, kind: ImportBody['kind']): string | undefined {
  const { columns, required } = importDescriptions[kind]
  const titles = (missing: readonly string[]) => joinNames(missing.map((column) => columns[column]?.[0] ?? column))
  if (table.columns.length === 0) return `No heading was recognized. Choose what each column holds.`
  const missing = required.filter((column) => !table.columns.includes(column))
  if (missing.length > 0) return `Missing ${missing.length === 1 ? 'column' : 'columns'}: ${titles(missing)}.`
  if (table.rows.length === 0) return 'The file has no rows below the header row.'
  return undefined
}

/** Puts cells that were corrected on the screen in place of those of the file. */
function applyCorrections(table: ChosenTable, corrections: NonNullable<ImportBody['corrections']>): void {
  const rows = new Map(table.rows.map((row) => [row.row, row]))
  for (const { row: number, column, text } of corrections) {
    const row = rows.get(number)
    if (!row || !table.columns.includes(column)) continue
    const value = text.trim()
    if (value === '') delete row.cells[column]
    else row.cells[column] = value
    if (row.formulas) row.formulas = row.formulas.filter((each) => each !== column)
  }
}

interface Shown {
  body: ImportBody
  checked: Omit<CheckedImport, 'save'>
  problem?: string
}

function toResult(table: ChosenTable, { body, checked, problem }: Shown): ImportResult {
  const counts = Object.fromEntries(importRowStates.map((state) => [state, 0])) as ImportResult['counts']
  for (const { state } of checked.rows) counts[state]++
  const hash = createHash('sha256')
  for (const fingerprint of checked.fingerprints) hash.update(fingerprint).update('\n')
  const leftOut = new Set(importDescriptions[body.kind].leftOut.map((title) => title.toLowerCase()))
  return {
    saved: false,
    digest: hash.digest('hex'),
    counts,
    records: checked.records,
    inactive: checked.inactive,
    headerRow: table.headerRow,
    headings: table.headings.map((heading) => ({
      ...heading,
      isLeftOut: heading.column === null && leftOut.has(heading.title.toLowerCase()),
    })),
    problem: problem ?? null,
    rows: checked.rows,
    undoUid: null,
    addedUids: [],
  }
}
