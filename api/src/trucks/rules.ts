import type { BodyOf, trucks } from '@roadshow/contract'
import { refuseFields } from '../app-error.ts'
import type { Db } from '../db/connection.ts'
import type { Scope } from '../db/scope.ts'
import { marketRecords } from '../markets/index.ts'
import { pixelMapRecords } from '../pixel/index.ts'

/** What a form gave, as a row of the table. A market or pixel map that is gone is refused. In a transaction. */
export async function toRow(db: Db, scope: Scope, input: BodyOf<typeof trucks.create>) {
  const { homeMarketUid, pixelMapUid, geotabDeviceId, ...given } = input
  refuseFields({
    ...(await marketRecords.missing(db, scope, { homeMarketUid })),
    ...(await pixelMapRecords.missing(db, scope, { pixelMapUid })),
  })
  return { ...given, home_market_uid: homeMarketUid, pixel_map_uid: pixelMapUid, geotab_device_id: geotabDeviceId }
}
