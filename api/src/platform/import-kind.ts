import type { ImportKindName, ImportRow } from '@roadshow/contract'
import type { Db } from './db/connection.ts'
import type { Scope } from './db/records/scope.ts'
import type { Sheet } from './spreadsheet/sheet.ts'
import type { ChosenTable } from './spreadsheet/table-file.ts'

/** What an import leaves out although it is good: new records, or changes of those that are there. */
export type Skipped = ReadonlySet<'new' | 'changed'>

/** A checked file: what saving would do with each row, and how it is saved. */
export interface CheckedImport {
  rows: ImportRow[]
  /** Records to add and to change; several rows can make one. */
  records: { new: number; changed: number }
  /** Shifts of draft or paused programs. */
  inactive: number
  /** Texts that together say what would be saved: other texts mean other records. */
  fingerprints: Iterable<string>
  /** Saves in the transaction of the check. Answers what can be undone; null if nothing was saved. */
  save: (skipped: Skipped, fileName: string) => Promise<string | null>
}

/** How an import is undone: what was added is deleted, what was changed is as before. */
export interface UndoneImport {
  removed: number
  restored: number
}

/** All records of a kind as a file with the columns of its import. */
export interface ImportExport<Row> {
  sheet: Sheet<Row>
  stream: (db: Db, scope: Scope) => AsyncIterable<Row>
}

/** A kind of record that is imported: the reading of its rows, their saving and the way back. */
export interface ImportKind {
  kind: ImportKindName
  check: (db: Db, scope: Scope, table: ChosenTable) => Promise<CheckedImport>
  undo: (db: Db, scope: Scope, uid: string) => Promise<UndoneImport>
  // oxlint-disable-next-line typescript/no-explicit-any
  exported: ImportExport<any>
}
