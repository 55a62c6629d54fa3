import type { Page } from '@roadshow/contract'
import { Download } from '../platform/http/download.ts'

interface Named {
  uid: string
  name: string
}

/** Who drives which truck for whom and where. */
export interface Parties {
  truck: Named
  driver: Named
  program: Named
  client: Named
  market: Named
}

/** Names beside uids, instead of records in a record. */
export const flatParties = <Row extends Parties>({ truck, driver, program, client, market, ...rest }: Row) => ({
  ...rest,
  truckUid: truck.uid,
  truckNumber: truck.name,
  driverUid: driver.uid,
  driverName: driver.name,
  programUid: program.uid,
  programName: program.name,
  clientUid: client.uid,
  clientName: client.name,
  marketUid: market.uid,
  marketName: market.name,
})

/** A list as its old call answers it; a file goes out as it is. */
export async function reshaped<New, Old>(
  listed: Promise<Page<New> | Download>,
  toOld: (row: New) => Old,
): Promise<Page<Old> | Download> {
  const found = await listed
  return found instanceof Download ? found : { ...found, data: found.data.map(toOld) }
}
