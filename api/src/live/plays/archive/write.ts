import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { NIL_UUID } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../../platform/db/connection.ts'
import { CopyTransaction } from '../../../platform/db/copy.ts'
import { download, type DuckSession, type ParquetFiles } from '../../../platform/parquet/index.ts'
import {
  COLUMN_NAMES,
  type DaySum,
  PLAIN_LINE,
  playsOfLines,
  playsOfParquet,
  sumInDuckdb,
  sumsInPostgres,
} from './columns.ts'
import {
  type ArchivedFile,
  dismissFiles,
  filesOfDays,
  lockDays,
  noteUnrecorded,
  recordFiles,
  type WrittenFile,
} from './files.ts'
import { addSums, blobOf, instantOfMicros, isSameSum, windowOfDays } from './rules.ts'
import type { PlayStores } from './stores.ts'

/** Whether a play `p` began on a day (UTC). */
export function onDay(day: string): RawBuilder<unknown> {
  const { from, until } = windowOfDays(day)
  return sql`p.started_at >= ${from}::timestamptz and p.started_at < ${until}::timestamptz`
}

/** What is to be archived of a day. */
interface DayContent {
  day: string
  /** Plays of the day that are in the database. */
  hot: DaySum[]
  /** The files of the same markets, which the new files replace. */
  old: ArchivedFile[]
}

/** Reads the plays of a day into a file of plain lines, all of one moment. */
async function readDay(db: Db, day: string, lines: string): Promise<DayContent> {
  const reading = await CopyTransaction.begin(db, 'repeatable read read only')
  try {
    const hot = await reading.query(sumsInPostgres(sql`select * from play p where ${onDay(day)}`))
    const files = await filesOfDays(reading.db, day, day)
    const select = sql`select ${PLAIN_LINE} from play p where ${onDay(day)}`
    await pipeline(reading.copyOut([select], 'text'), createWriteStream(lines, { mode: 0o600 }))
    await reading.commit()
    const markets = new Set(hot.map(({ market }) => market))
    return { day, hot, old: files.filter(({ market }) => markets.has(market)) }
  } finally {
    reading.end()
  }
}

// Small groups of rows, so that a page of one hour reads little.
const ROWS_AT_ONCE = sql.lit(20_480)
const IN_ORDER = sql.raw('started_at, device_uid, play_id')

const copyTo = (select: RawBuilder<unknown>, file: string, compression: 'zstd' | 'snappy') =>
  sql`copy (${select}) to ${sql.lit(file)} (format parquet, compression ${sql.raw(compression)}, row_group_size ${ROWS_AT_ONCE})`

const ofMarket = (market: string) =>
  market === NIL_UUID ? sql`market_uid is null` : sql`market_uid = ${sql.lit(market)}::uuid`

/** Writes a file for each market, sorted by time. Plays are sorted once by market, and then read market by market. */
async function writeFiles(
  session: DuckSession,
  plays: RawBuilder<unknown>,
  markets: readonly string[],
  folder: string,
) {
  const staged = path.join(folder, 'staged.parquet')
  await session.run(copyTo(sql`select * from (${plays}) p order by market_uid, ${IN_ORDER}`, staged, 'snappy'))
  const written: { market: string; file: string }[] = []
  for (const market of markets) {
    const file = path.join(folder, `${market}.parquet`)
    const select = sql`select ${COLUMN_NAMES} from read_parquet(${sql.lit(staged)}) where ${ofMarket(market)} order by ${IN_ORDER}`
    await session.run(copyTo(select, file, 'zstd'))
    written.push({ market, file })
  }
  return written
}

const PARQUET_TYPE = 'application/vnd.apache.parquet'

/** The sum of a file as the storage returns it. */
async function readBack(parquet: ParquetFiles, session: DuckSession, file: ArchivedFile, to: string): Promise<DaySum> {
  await download(parquet.blobs, file, to)
  const [sum] = await session.run(sumInDuckdb(playsOfParquet([to])))
  return { market: file.market, rows: sum?.rows ?? 0, checksum: sum?.checksum ?? '' }
}

/** When the newest play of a file arrived. */
async function newestArrival(session: DuckSession, file: string): Promise<string> {
  const [found] = await session.run(sql<{ micros: string }>`
    select epoch_us(max(received_at)) as micros from read_parquet(${sql.lit(file)})`)
  if (!found) throw new Error('A written file holds no play.')
  return instantOfMicros(Number(found.micros))
}

/** Stores the written files and compares what the storage returns with the plays of the database. */
async function storeFiles(
  { db, parquet }: PlayStores,
  session: DuckSession,
  { day, hot, old }: DayContent,
  written: readonly { market: string; file: string }[],
): Promise<WrittenFile[]> {
  const expected = addSums(hot, old)
  const files: WrittenFile[] = []
  for (const { market, file } of written) {
    const sum = expected.find((each) => each.market === market) as DaySum
    const blob = blobOf(day, market, randomBytes(8).toString('hex'))
    const receivedUntil = await newestArrival(session, file)
    files.push({ ...sum, day, blob, bytes: (await stat(file)).size, receivedUntil })
  }
  await noteUnrecorded(
    db,
    files.map(({ blob }) => blob),
  )
  const found: DaySum[] = []
  for (const [index, file] of files.entries()) {
    const local = (written[index] as { file: string }).file
    await parquet.blobs.writeFile(file.blob, local, PARQUET_TYPE)
    found.push(await readBack(parquet, session, file, `${local}.back`))
  }
  if (!isSameSum(found, expected)) throw new Error(`The files of ${day} differ from the plays of the database.`)
  return files
}

const blobsOf = (files: readonly ArchivedFile[]) =>
  files
    .map(({ blob }) => blob)
    .toSorted()
    .join()

/** The plays of a day have changed while they were archived. */
class DayChanged extends Error {}

/** Replaces the plays and the old files of a day by its new files, if nothing has changed meanwhile. */
const commitDay = (db: Db, { day, hot, old }: DayContent, files: readonly WrittenFile[]): Promise<void> =>
  inTransaction(db, async (db) => {
    await lockDays(db, [day], 'exclusive')
    const markets = new Set(files.map(({ market }) => market))
    const replaced = (await filesOfDays(db, day, day)).filter(({ market }) => markets.has(market))
    if (blobsOf(replaced) !== blobsOf(old)) throw new DayChanged()
    const { rows: gone } = await sql<DaySum>`
      with gone as (delete from play p where ${onDay(day)} returning p.*)
      ${sumsInPostgres(sql`select * from gone`)}`.execute(db)
    if (!isSameSum(gone, hot)) throw new DayChanged()
    await dismissFiles(db, old)
    await recordFiles(db, files)
  })

/**
 * Moves the plays of a day from the database into files. They leave the database only after the storage has returned the
 * same plays, in one transaction with the record of the files. Answers how many plays were moved; undefined if the day
 * changed meanwhile and is left for the next run.
 */
export const archiveDay = (stores: PlayStores, day: string): Promise<number | undefined> =>
  stores.parquet.inWorkFolder((folder) =>
    stores.parquet.inLargeSession(async (session) => {
      const lines = path.join(folder, 'plays.csv')
      const content = await readDay(stores.db, day, lines)
      if (content.hot.length === 0) return 0
      const files = await stores.parquet.withCopies(content.old, async (old) => {
        const plays =
          old.length === 0 ? playsOfLines(lines) : sql`${playsOfLines(lines)} union all ${playsOfParquet(old)}`
        const markets = content.hot.map(({ market }) => market)
        return storeFiles(stores, session, content, await writeFiles(session, plays, markets, folder))
      })
      try {
        await commitDay(stores.db, content, files)
      } catch (error) {
        if (error instanceof DayChanged) return undefined
        throw error
      }
      return content.hot.reduce((sum, { rows }) => sum + rows, 0)
    }),
  )
