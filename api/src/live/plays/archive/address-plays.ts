import { DAY_MS, NIL_UUID } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { dayOf } from '../../../platform/db/partitions.ts'
import { rowsAsTable } from '../../../platform/db/rows-as-table.ts'
import type { ParquetFiles } from '../../../platform/parquet/index.ts'
import { filesOfDays } from './files.ts'
import { queryFiles } from './read.ts'

/** An archived play that was shown for an SD address. */
export interface AddressPlay {
  truck_uid: string
  shift_uid: string
  address_uid: string
  started_at: string
  duration_ms: number
}

interface AddressPlayQuery {
  program: string
  /** Without one, all markets count. */
  market?: string | undefined
  /** In milliseconds since 1970. */
  from: number
  until: number
}

/**
 * The archived plays for SD addresses of a program in a market or in all. Plays of the hours around are included: those of a night
 * shift belong to the day before. `db` is the snapshot that the other plays are read from.
 */
export async function archivedAddressPlays(
  db: Db,
  parquet: ParquetFiles,
  { program, market, from, until }: AddressPlayQuery,
): Promise<AddressPlay[]> {
  const [first, last] = [dayOf(from - DAY_MS), dayOf(until + 2 * DAY_MS)]
  const files = (await filesOfDays(db, first, last)).filter((file) =>
    market === undefined ? file.market !== NIL_UUID : file.market === market,
  )
  if (files.length === 0) return []
  return queryFiles(
    parquet,
    files,
    (plays) => sql<AddressPlay>`
      select truck_uid, shift_uid, address_uid, started_at, duration_ms from (${plays}) p
       where program_uid = ${program}::uuid and address_uid is not null`,
  )
}

/** PostgreSQL: archived plays for SD addresses as a table. */
export const addressPlayTable = (alias: string, plays: readonly AddressPlay[]): RawBuilder<unknown> =>
  rowsAsTable(alias, plays, {
    truck_uid: ['uuid', (play) => play.truck_uid],
    shift_uid: ['uuid', (play) => play.shift_uid],
    address_uid: ['uuid', (play) => play.address_uid],
    started_at: ['timestamptz', (play) => play.started_at],
    duration_ms: ['int4', (play) => play.duration_ms],
  })
