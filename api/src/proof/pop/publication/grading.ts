import { finishGrading } from '../../../live/plays/index.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { regradePhotosOfProgram } from '../../photos/index.ts'

/** Grades plays and photos of a program by all data that has arrived, so that a version shows what is known. */
export async function finishProgramGrading(db: Db, program: string): Promise<void> {
  await finishGrading(db, { program })
  await regradePhotosOfProgram(db, program)
}
