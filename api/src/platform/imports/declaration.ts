import type { ImportDescription, ImportKindName } from '@roadshow/contract'
import type { ZodType } from 'zod'
import type { Db } from '../db/connection.ts'
import type { Scope } from '../db/records/scope.ts'
import type { ImportExport } from '../import-kind.ts'
import type { RecordGroup } from './check-records.ts'
import type { Cells, ReadCell, ReadRow } from './read-rows.ts'

/** A record that is there. */
export interface SavedRecord {
  uid: string
  version: number
}

interface Holder {
  uid: string
  name: string
  /** The key with which a new record brings this deleted one back. */
  returnsAs?: string
}

/** A value that only one record may have, or several of them. */
interface Unique<Input> {
  /** Where a problem is shown; it may depend on what the row says. */
  column: string | ((row: ReadRow) => string)
  value: (input: Input) => string | readonly string[]
  /** Who has these values. */
  holders: (db: Db, values: string[]) => Promise<Map<string, Holder>>
}

/** How records of one kind are imported: declared once, read and saved by the one engine of imports. */
export interface RecordImport<Saved extends SavedRecord, Input, Names> {
  kind: ImportKindName
  description: ImportDescription
  columns: Readonly<Record<string, ReadCell<Names>>>
  /** The field of the input that a column fills, for what changes; those of parts fill none. */
  fields: Readonly<Partial<Record<string, keyof Input & string>>>
  /** Columns of which each row of a record has its own; without them a record is one row. */
  partColumns?: readonly string[]
  /** Columns that say something only together: a cell of them is read even where it is as it was. */
  jointColumns?: readonly string[]
  /** Where problems of a whole row are shown. */
  mainColumn: string
  /** Loads what the names in the cells stand for, in a few statements for any number of rows. */
  loadNames: (db: Db, scope: Scope, rows: readonly Cells[]) => Promise<Names>
  /** Problems that only several cells of a row together show. */
  checkRow?: (row: ReadRow, names: Names) => Cells
  /** Identifies the record of a row; undefined where a cell that it needs is empty or wrong. */
  keyOf: (row: ReadRow, names: Names) => string | undefined
  loadSaved: (db: Db, scope: Scope, keys: readonly string[], names: Names) => Promise<Map<string, Saved>>
  /** What the rows of a record make of it, to be checked by the schema of its form. */
  toInput: (rows: readonly ReadRow[], saved: Saved | undefined, names: Names) => unknown
  /** The record as its form would save it again. */
  savedInput: (saved: Saved) => Input
  schema: ZodType<Input>
  /** Where a message of the schema is shown: the column, and the row of the record. */
  placeOf: (
    path: readonly PropertyKey[],
    rows: readonly ReadRow[],
    input: unknown,
  ) => { column: string; row?: ReadRow | undefined }
  unique?: readonly Unique<Input>[]
  /** Adds to the rows what the rules of the domain have against them. */
  check?: (db: Db, scope: Scope, groups: RecordGroup<Saved, Input>[], names: Names) => Promise<void>
  /** The records as their export writes them; its rows are the records where `fields` names columns. */
  // oxlint-disable-next-line typescript/no-explicit-any
  exported: ImportExport<any>
  write: RecordWrites<Saved, Input>
}

/** The owner's own functions; each works on any number of records in a few statements. */
interface RecordWrites<Saved, Input> {
  /** Adds records and answers their uids, in the same order. */
  add: (db: Db, scope: Scope, inputs: Input[]) => Promise<string[]>
  /** Changes records that still have their versions. */
  change: (db: Db, scope: Scope, changes: { uid: string; version: number; input: Input }[]) => Promise<void>
  /** The table of the records. */
  table: Saved extends SavedRecord ? string : never
  /** What belongs to records and is not counted by their versions: with another text a record was changed. */
  partsOf?: (db: Db, uids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Names of records, for sentences. */
  namesOf: (db: Db, uids: readonly string[]) => Promise<string[]>
  /** Why records that an import added cannot go again; undefined if they can. */
  inUse: (db: Db, uids: readonly string[]) => Promise<string | undefined>
}
