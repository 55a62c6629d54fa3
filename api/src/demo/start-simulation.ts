import { startPoller } from '../live/telemetry/index.ts'
import type { NodeContext } from '../platform/context.ts'
import type { Service } from '../platform/module.ts'
import { simulateFleet } from './simulate.ts'

/** Simulates the demo fleet and polls its positions. Its devices connect to the given address. */
export async function startSimulation(
  { db, databaseUrl, log }: NodeContext,
  { secret, address }: { secret: Buffer; address: string },
): Promise<Service[]> {
  const fleet = await simulateFleet(db, { secret, log })
  // The first start shows where trucks have been since their shifts began.
  const poller = startPoller({ db, url: databaseUrl, account: fleet.account, seedMs: fleet.pastMs, log })
  fleet.connect(address)
  return [fleet, poller]
}
