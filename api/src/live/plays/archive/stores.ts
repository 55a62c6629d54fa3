import { type Db, inSnapshot } from '../../../platform/db/connection.ts'
import type { ParquetFiles } from '../../../platform/parquet/index.ts'

/** The database and the archive of plays. */
export interface PlayStores {
  db: Db
  parquet: ParquetFiles
}

/** Reads both as of one moment: a play that is moved meanwhile is seen once. */
export const inPlaySnapshot = <T>(stores: PlayStores, work: (stores: PlayStores) => Promise<T>): Promise<T> =>
  inSnapshot(stores.db, (db) => work({ ...stores, db }))
