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
  /** Saves in the transaction of the check; null if nothing was saved. */
  save: (skipped: Skipped) => Promise<SavedImport | null>
}

/** A record of an import. */
export interface ImportState {
  uid: string
  /** After the import. */
  version: number
  /** What its form would have saved before; null if the import added it. */
  before: unknown
  /** Before the import; absent if the import added it. */
  versionBefore?: number
  /** What belonged to it after the import, where its version does not count that. */
  parts?: string | undefined
}

/** What an import saved, and the way back. */
export interface SavedImport {
  /** The uid under which another table keeps the way back. */
  uid?: string
  added: readonly string[]
  changed: number
  /** The records, where no other table keeps the way back. */
  states?: ImportState[]
}

/** An import whose way back is kept. */
export interface ImportRun {
  uid: string
  states: ImportState[]
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
  /** Why an import can't be undone as things are; undefined if nothing is known to be in the way. */
  findObstacle: (db: Db, run: ImportRun) => Promise<string | undefined>
  /** Undoes an import as a whole, or refuses. Runs in the transaction that has locked the import. */
  undo: (db: Db, scope: Scope, run: ImportRun) => Promise<UndoneImport>
  // oxlint-disable-next-line typescript/no-explicit-any
  exported: ImportExport<any>
}
