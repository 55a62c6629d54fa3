import type { BodyOf, pixel } from '@roadshow/contract'
import { AppError } from '../app-error.ts'
import type { Db } from '../db/connection.ts'
import { lockPixelMap, trucksWith } from './queries.ts'

// As many as a person reads; the rest is a number.
const NAMED = 5

/** What a form gave, as a row of the table. */
export const toRow = ({ pitchUm, ...given }: BodyOf<typeof pixel.create>) => ({ ...given, pitch_um: pitchUm })

/** A pixel map that trucks have stays: players could not tell what to draw where. */
export async function refuseWhileUsed(db: Db, uid: string): Promise<void> {
  await lockPixelMap(db, uid)
  const numbers = await trucksWith(db, uid)
  if (numbers.length === 0) return
  const rest = numbers.length - NAMED
  const named = [...numbers.slice(0, NAMED), ...(rest > 0 ? [`${rest} more`] : [])]
  const list = named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : named[0]
  throw new AppError('pixelMapUsed', {
    text: `This pixel map is still used by ${numbers.length === 1 ? 'truck' : 'trucks'} ${list}. Give them another one first.`,
  })
}
