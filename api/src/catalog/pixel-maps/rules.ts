import type { BodyOf, pixel } from '@roadshow/contract'
import { AppError, joinNames } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { pixelMapRecords, trucksWithPixelMap } from './queries.ts'

/** What a form gave, as a row of the table. */
export const toPixelMapRow = ({ pitchUm, ...given }: BodyOf<typeof pixel.create>) => ({ ...given, pitch_um: pitchUm })

/** Deletes a pixel map, unless trucks have it: players could not tell what to draw where. */
export const removePixelMap = (db: Db, scope: Scope, uid: string): Promise<{ uid: string }> =>
  pixelMapRecords.removeUnless(db, scope, uid, async (db) => {
    const numbers = await trucksWithPixelMap(db, uid)
    if (numbers.length === 0) return
    const trucks = `${numbers.length === 1 ? 'truck' : 'trucks'} ${joinNames(numbers)}`
    throw new AppError('pixelMapUsed', {
      text: `This pixel map is still used by ${trucks}. Give them another one first.`,
    })
  })
