import type { BodyOf, pixel } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { pixelMapRecords, trucksWithPixelMap } from './queries.ts'
import { pixelMapRemovalProblem } from './rules.ts'

export const toPixelMapRow = ({ pitchUm, ...input }: BodyOf<typeof pixel.create>) => ({ ...input, pitch_um: pitchUm })

/** Deletes a pixel map, unless trucks use it. */
export const removePixelMap = (db: Db, scope: Scope, uid: string): Promise<{ uid: string }> =>
  pixelMapRecords.removeUnless(db, scope, uid, async (db) => {
    const problem = pixelMapRemovalProblem(await trucksWithPixelMap(db, uid))
    if (problem) throw problem
  })
