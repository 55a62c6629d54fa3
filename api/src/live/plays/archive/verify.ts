import path from 'node:path'
import { countOf } from '@roadshow/contract'
import { download, type DuckSession, type ParquetFiles } from '../../../platform/parquet/index.ts'
import { playsOfParquet, sumInDuckdb } from './columns.ts'
import { type ArchivedFile, filesOfDays } from './files.ts'
import { isSameSum } from './rules.ts'
import type { PlayStores } from './stores.ts'

/** Every file of the archive, oldest first. */
export const listArchive = ({ db }: Pick<PlayStores, 'db'>): Promise<ArchivedFile[]> =>
  filesOfDays(db, '-infinity', 'infinity')

/** Why a file is not what was archived; undefined if it is. */
async function problemOf(parquet: ParquetFiles, session: DuckSession, file: ArchivedFile): Promise<string | undefined> {
  return parquet.inWorkFolder(async (folder) => {
    const copy = path.join(folder, 'file.parquet')
    try {
      await download(parquet.blobs, file, copy)
    } catch (error) {
      const { cause } = error as { cause?: Error }
      return `cannot be read: ${cause?.message.split('\n')[0] ?? 'no answer'}`
    }
    try {
      const [sum] = await session.run(sumInDuckdb(playsOfParquet([copy])))
      if (!sum) return 'cannot be read'
      if (sum.rows !== file.rows) return `has ${countOf(sum.rows, 'play')} instead of ${file.rows}`
      return isSameSum([{ ...sum, market: file.market }], [file]) ? undefined : 'has other plays than were archived'
    } catch (error) {
      return `is damaged: ${(error as Error).message.split('\n')[0]}`
    }
  })
}

interface ArchiveReport {
  files: number
  plays: number
  bytes: number
  /** What is wrong, by the name of the file. */
  problems: { blob: string; problem: string }[]
}

/** Reads every file from the storage and compares it with its row. */
export async function verifyArchive(
  { db, parquet }: PlayStores,
  onProblem: (blob: string, problem: string) => void = () => {},
): Promise<ArchiveReport> {
  const report: ArchiveReport = { files: 0, plays: 0, bytes: 0, problems: [] }
  await parquet.inLargeSession(async (session) => {
    for (const file of await listArchive({ db })) {
      const problem = await problemOf(parquet, session, file)
      report.files++
      report.plays += file.rows
      report.bytes += file.bytes
      if (problem === undefined) continue
      report.problems.push({ blob: file.blob, problem })
      onProblem(file.blob, problem)
    }
  })
  return report
}
