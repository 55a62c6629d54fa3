import { finishGrading } from '../../../live/plays/index.ts'
import { finishMiles } from '../../../live/telemetry/index.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { BlobStore } from '../../../platform/files/index.ts'
import { parquetOf } from '../../../platform/parquet/index.ts'
import { regradePhotosOfProgram } from '../../photos/index.ts'

/** Measures the miles and grades the plays and photos of a program by all data that has arrived, so that a version shows what is known. */
export async function finishProgramGrading(db: Db, blobs: BlobStore, program: string): Promise<void> {
  await finishMiles(db, program)
  await finishGrading({ db, parquet: parquetOf({ blobs }) }, { program })
  await regradePhotosOfProgram(db, program)
}
