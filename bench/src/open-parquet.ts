import path from 'node:path'
import { openLocalStore } from '@roadshow/api/platform/files/index'
import { ParquetFiles } from '@roadshow/api/platform/parquet/index'
import type { BenchWorld } from './world.ts'

/** The archive of our server. */
export const openParquet = async ({ dataDir }: BenchWorld): Promise<ParquetFiles> =>
  new ParquetFiles(await openLocalStore(path.join(dataDir, 'blobs')), path.join(dataDir, 'parquet'))
