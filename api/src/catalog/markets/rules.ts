import { AppError, joinNames } from '../../platform/runtime/app-error.ts'

/** Why a market cannot be deleted yet: trucks are based in it, or programs run in it. */
export function marketRemovalProblem(users: { trucks: readonly string[]; programs: readonly string[] }) {
  const names = [...users.trucks.map((number) => `truck ${number}`), ...users.programs.map((name) => `program ${name}`)]
  if (names.length === 0) return undefined
  return new AppError('marketNeeded', { text: `This market is still used by ${joinNames(names)}.` })
}
