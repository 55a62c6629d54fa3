import type { DependentKind, RecordKindName } from '@roadshow/contract'
import type { Db } from './db/connection.ts'

/** What one module knows to hang on records of other kinds. */
export interface DependentSource {
  kind: DependentKind
  /** How many hang on a record; undefined for kinds of records that have none. */
  count: (db: Db, record: DeletableRecord) => Promise<number> | undefined
  /** The screen that lists them; undefined where there is none. */
  screen?: (record: DeletableRecord) => string | undefined
}

export interface DeletableRecord {
  kind: RecordKindName
  uid: string
}
