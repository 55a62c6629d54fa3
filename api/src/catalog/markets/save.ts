import type { BodyOf, markets } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { refuseIfPlanned } from '../in-use/index.ts'
import { marketRecords, namesUsingMarket } from './queries.ts'
import { marketRemovalProblem } from './rules.ts'

export const toMarketRow = ({ radiusM, outline, depots, ...input }: BodyOf<typeof markets.create>) => ({
  ...input,
  radius_m: radiusM,
  outline: outline && JSON.stringify(outline),
  depots: JSON.stringify(depots),
})

/** Deletes a market, unless trucks, programs or shifts use it. */
export const removeMarket = (db: Db, scope: Scope, uid: string): Promise<{ uid: string }> =>
  marketRecords.removeUnless(db, scope, uid, async (db) => {
    const problem = marketRemovalProblem(await namesUsingMarket(db, uid))
    if (problem) throw problem
    await refuseIfPlanned(db, 'market_uid', uid, 'market')
  })
