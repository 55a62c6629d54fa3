import { DAY_MS } from '@roadshow/contract'
import { sql } from 'kysely'
import { LOCK_NOT_AVAILABLE, withBriefLocks } from './concurrent-indexes.ts'
import { type Db, hasFailedWith } from './connection.ts'

/** The tables that are partitioned by week: Monday 00:00 UTC to the next. Older databases also have single days. */
export const partitionedTables = ['position', 'play', 'position_minute', 'position_spare'] as const
export type PartitionedTable = (typeof partitionedTables)[number]

/** A partition, and the time that it covers in milliseconds since 1970; `until` is the first moment after it. */
export interface Partition {
  name: string
  from: number
  until: number
}

const WEEK_MS = 7 * DAY_MS
// 1970-01-01 was a Thursday.
const FIRST_MONDAY_MS = 4 * DAY_MS

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The Monday 00:00 UTC at or before a moment. */
export const weekOf = (at: number): number => Math.floor((at - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS

// A statement locks every partition that it may read, and each of their indexes. What reads more time goes in steps.
const WINDOW_MS = 8 * WEEK_MS

/** Divides a time into windows that one statement may read, oldest first. */
export function windowsOf({ from, until }: Omit<Partition, 'name'>): Omit<Partition, 'name'>[] {
  const count = Math.max(1, Math.ceil((until - from) / WINDOW_MS))
  return Array.from({ length: count }, (_, index) => ({
    from: from + index * WINDOW_MS,
    until: Math.min(until, from + (index + 1) * WINDOW_MS),
  }))
}

/** Divides rows in the order of their time, up or down, into groups that one statement may read. */
export function groupsOfWindow<T>(rows: readonly T[], timeOf: (row: T) => number): T[][] {
  const groups: T[][] = []
  for (const row of rows) {
    const [first] = groups.at(-1) ?? []
    if (first && Math.abs(timeOf(row) - timeOf(first)) <= WINDOW_MS) groups.at(-1)?.push(row)
    else groups.push([row])
  }
  return groups
}

/** The oldest moment that is kept with this retention. */
export const keptSince = (days: number, now: number): number => (Math.floor(now / DAY_MS) - days) * DAY_MS

/** The partitions of a table, oldest first. */
export async function listPartitions(db: Db, table: PartitionedTable): Promise<Partition[]> {
  const { rows } = await sql<Partition>`
    select name, (extract(epoch from starts_at) * 1000)::float8 as "from",
           (extract(epoch from ends_at) * 1000)::float8 as until from partitions_of(${table})`.execute(db)
  return rows
}

/** Creates the missing partitions of a table for these days. */
export async function ensurePartitions(db: Db, table: PartitionedTable, days: Iterable<string>): Promise<void> {
  for (const day of [...days].toSorted()) await sql`call ensure_week(${table}, ${day}::date)`.execute(db)
}

/** Days whose partitions are known to exist. Empty after a start, and after a partition was found missing. */
const found = Object.fromEntries(partitionedTables.map((table) => [table, new Set<string>()])) as Record<
  PartitionedTable,
  Set<string>
>

/** Whether rows have no partition. */
const isPartitionMissing = (error: unknown) => hasFailedWith(error, '23514', 'no partition of relation')

/** Writes rows of some days after creating their partitions; known partitions are not checked again. */
export async function withPartitions<T>(
  db: Db,
  table: PartitionedTable,
  days: ReadonlySet<string>,
  write: () => Promise<T>,
): Promise<T> {
  const known = found[table]
  const ensure = async () => {
    const missing = [...days].filter((day) => !known.has(day))
    await ensurePartitions(db, table, missing)
    for (const day of days) known.add(day)
  }
  await ensure()
  try {
    return await write()
  } catch (error) {
    if (!isPartitionMissing(error)) throw error
    known.clear()
    await ensure()
    return write()
  }
}

// Changing partitions waits for readers of the table, and later readers wait behind it: better to try again soon.
const LOCK_WAIT_MS = 2000

/** Runs a reading step of a transaction and gives up the locks that it took: the next step takes others. */
export async function releaseLocksAfter<T>(db: Db, read: () => Promise<T>): Promise<T> {
  if (!db.isTransaction) return read()
  await sql`savepoint reading`.execute(db)
  const result = await read()
  await sql`rollback to savepoint reading`.execute(db)
  await sql`release savepoint reading`.execute(db)
  return result
}

/** A change of partitions is not possible right now: it is undone, and may be tried again. */
export class NotNow extends Error {}

/** Runs a short change of partitions in a transaction of its own; answers false if readers were in its way. */
export async function withShortLocks(db: Db, work: (db: Db) => Promise<unknown>): Promise<boolean> {
  try {
    await withBriefLocks(db, LOCK_WAIT_MS, work)
    return true
  } catch (error) {
    if (error instanceof NotNow || (error as { code?: string }).code === LOCK_NOT_AVAILABLE) return false
    throw error
  }
}

/** Drops a partition with the rights of its owner: the role of a node may have none to drop tables. */
export const dropPartition = (db: Db, table: PartitionedTable, name: string): Promise<unknown> =>
  sql`call drop_partition(${table}, ${name})`.execute(db)

/** Drops the weeks that are older than the lifetime of their rows as a whole. Where readers are in its way, the next run does. */
export const dropOldWeeks =
  (table: PartitionedTable) =>
  async ({ db, signal }: { db: Db; signal: AbortSignal }, before: string): Promise<boolean> => {
    await dropPartitionsBefore(db, table, { before: Date.parse(before), signal })
    return false
  }

/**
 * Drops the partitions that end at or before a moment, oldest first, until a reader is in its way: it would be in the way
 * of all of them. Answers how many are left for the next run.
 */
export async function dropPartitionsBefore(
  db: Db,
  table: PartitionedTable,
  { before, signal }: { before: number; signal?: AbortSignal | undefined },
): Promise<number> {
  const old = (await listPartitions(db, table)).filter(({ until }) => until <= before)
  for (const [done, { name }] of old.entries()) {
    // One transaction each, which frees its disk.
    const isDropped = !signal?.aborted && (await withShortLocks(db, (db) => dropPartition(db, table, name)))
    if (!isDropped) return old.length - done
  }
  return 0
}
