import type { Page } from '@roadshow/contract'
import { Download } from '../platform/http/download.ts'

interface Named {
  uid: string
  name: string
}

/** The records that a shift refers to. */
export interface Parties {
  truck: Named
  driver: Named | null
  program: Named
  client: Named
  market: Named
}

/** Replaces the nested records by uids and names. */
export const flatParties = <Row extends Parties>({ truck, driver, program, client, market, ...rest }: Row) => ({
  ...rest,
  truckUid: truck.uid,
  truckNumber: truck.name,
  driverUid: driver?.uid ?? null,
  driverName: driver?.name ?? null,
  programUid: program.uid,
  programName: program.name,
  clientUid: client.uid,
  clientName: client.name,
  marketUid: market.uid,
  marketName: market.name,
})

/** Converts a page of a list to its old shape; a file passes unchanged. */
export async function reshaped<New, Old>(
  listed: Promise<Page<New> | Download>,
  toOld: (row: New) => Old,
): Promise<Page<Old> | Download> {
  const found = await listed
  return found instanceof Download ? found : { ...found, data: found.data.map(toOld) }
}
