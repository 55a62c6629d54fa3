import { AppError, joinNames } from '../../platform/runtime/app-error.ts'

/** Why a client cannot be deleted yet. */
export function clientRemovalProblem(openPrograms: readonly string[]): AppError | undefined {
  if (openPrograms.length === 0) return undefined
  return new AppError('stillNeeded', {
    text: `This client has programs that are not completed: ${joinNames(openPrograms)}. Complete or delete them first.`,
  })
}

/** The logo to claim for a client: a file that is not its logo yet. */
export const newLogo = (logoFileUid: string | null, current: { uid: string } | null): string | undefined =>
  logoFileUid && logoFileUid !== current?.uid ? logoFileUid : undefined
