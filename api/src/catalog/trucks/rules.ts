import type { BodyOf, trucks } from '@roadshow/contract'
import { marketRecords } from '../markets/index.ts'
import { pixelMapRecords } from '../pixel-maps/index.ts'

/** What a form gave, as a row of the table. */
export const toTruckRow = ({ homeMarketUid, pixelMapUid, geotabDeviceId, ...given }: BodyOf<typeof trucks.create>) => ({
  ...given,
  home_market_uid: marketRecords.ref('homeMarketUid', homeMarketUid),
  pixel_map_uid: pixelMapRecords.ref('pixelMapUid', pixelMapUid),
  geotab_device_id: geotabDeviceId,
})
