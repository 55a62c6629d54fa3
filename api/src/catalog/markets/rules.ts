import type { BodyOf, markets } from '@roadshow/contract'
import { AppError, joinNames } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'
import { refuseIfPlanned } from '../in-use/index.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { marketRecords, namesUsingMarket } from './queries.ts'

/** What a form gave, as a row of the table. */
export const toMarketRow = ({ radiusM, outline, depots, ...given }: BodyOf<typeof markets.create>) => ({
  ...given,
  radius_m: radiusM,
  outline: outline && JSON.stringify(outline),
  depots: JSON.stringify(depots),
})

/** Deletes a market, unless trucks, programs or shifts need it. */
export const removeMarket = (db: Db, scope: Scope, uid: string): Promise<{ uid: string }> =>
  marketRecords.removeUnless(db, scope, uid, async (db) => {
    const needing = await namesUsingMarket(db, uid)
    if (needing.length > 0)
      throw new AppError('marketNeeded', { text: `This market is still needed by ${joinNames(needing)}.` })
    await refuseIfPlanned(db, 'market_uid', uid, 'market')
  })
