import { createReadStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { CopyTransaction } from '../../../platform/db/copy.ts'
import { withPartitions } from '../../../platform/db/partitions.ts'
import { COLUMN_NAMES, playsOfParquet, sumsInPostgres } from './columns.ts'
import { type ArchivedFile, dismissFiles, filesOfDays, lockDays } from './files.ts'
import { addSums, isSameSum } from './rules.ts'
import type { PlayStores } from './stores.ts'
import { onDay } from './write.ts'

/** Stores the plays of files in the database again and dismisses the files, in one transaction. */
async function loadDay(db: Db, day: string, files: readonly ArchivedFile[], lines: string): Promise<boolean> {
  const loading = await CopyTransaction.begin(db, 'read committed')
  try {
    await lockDays(loading.db, [day], 'exclusive')
    const known = new Set((await filesOfDays(loading.db, day, day)).map(({ blob }) => blob))
    if (known.size !== files.length || files.some(({ blob }) => !known.has(blob))) return false
    const sums = () => loading.query(sumsInPostgres(sql`select * from play p where ${onDay(day)}`))
    const before = await sums()
    await pipeline(
      createReadStream(lines),
      loading.copyIn(sql`copy play (${COLUMN_NAMES}) from stdin with (format csv)`),
    )
    if (!isSameSum(await sums(), addSums(before, files)))
      throw new Error(`The plays of ${day} differ from their files.`)
    await dismissFiles(loading.db, files)
    await loading.commit()
    return true
  } finally {
    loading.end()
  }
}

/** Brings the archived plays of a day (UTC) back into the database. The next run of the archive takes them again. */
export async function thawDay({ db, parquet }: PlayStores, day: string): Promise<void> {
  for (;;) {
    const files = await filesOfDays(db, day, day)
    if (files.length === 0) return
    const isLoaded = await parquet.inWorkFolder(async (folder) => {
      const lines = path.join(folder, 'plays.csv')
      await parquet.withCopies(files, (paths) =>
        parquet.inLargeSession((session) =>
          session.run(sql`copy (${playsOfParquet(paths)}) to ${sql.lit(lines)} (format csv, header false)`),
        ),
      )
      return withPartitions(db, 'play', new Set([day]), () => loadDay(db, day, files, lines))
    })
    if (isLoaded) return
  }
}

/** Brings all archived plays back into the database, oldest first. */
export async function restoreArchive(stores: PlayStores, onDay: (day: string) => void = () => {}): Promise<void> {
  for (;;) {
    const oldest = stores.db.selectFrom('play_archive').select('day').orderBy('day').limit(1)
    const day = (await oldest.executeTakeFirst())?.day
    if (!day) return
    await thawDay(stores, day)
    onDay(day)
  }
}
