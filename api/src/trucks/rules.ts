import type { BodyOf, trucks } from '@roadshow/contract'
import { AppError } from '../app-error.ts'
import type { Db } from '../db/connection.ts'
import type { Scope } from '../db/scope.ts'
import { marketRecords } from '../markets/index.ts'

/** What a form gave, as a row of the table. A market that is gone is refused. */
export async function toRow(db: Db, scope: Scope, { homeMarketUid, ...given }: BodyOf<typeof trucks.create>) {
  if (homeMarketUid && !(await marketRecords.find(db, { ...scope, rows: 'all' }, homeMarketUid))) {
    throw new AppError('badInput', { fields: { homeMarketUid: 'There is no such market.' } })
  }
  return { ...given, home_market_uid: homeMarketUid }
}
