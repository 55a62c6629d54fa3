import { AppError, joinNames } from '../../platform/runtime/app-error.ts'

/** Why a pixel map cannot be deleted yet: the players of these trucks draw by it. */
export function pixelMapRemovalProblem(truckNumbers: readonly string[]): AppError | undefined {
  if (truckNumbers.length === 0) return undefined
  const trucks = `${truckNumbers.length === 1 ? 'truck' : 'trucks'} ${joinNames(truckNumbers)}`
  return new AppError('pixelMapUsed', {
    text: `This pixel map is still used by ${trucks}. Choose another one for ${truckNumbers.length === 1 ? 'it' : 'them'} first.`,
  })
}
