import { startPoller } from '../live/telemetry/index.ts'
import type { NodeContext } from '../platform/context.ts'
import type { Service } from '../platform/module.ts'
import { loadPast, nextSequences } from './past-shifts.ts'
import { startDriverPhones } from './driver-phones.ts'
import { simulateFleet } from './simulate.ts'

/** How long the screens of a living fleet show a picture: seldom enough that a demo of months stays small. */
const PICTURE_MS = 120_000

/** Simulates the demo fleet and polls its positions. Its devices connect to the given address. */
export async function startSimulation(
  { db, log }: NodeContext,
  { secret, address }: { secret: Buffer; address: string },
): Promise<Service[]> {
  // The past of the demo is recorded meanwhile; players go on with the numbers after it.
  const nextPlays = nextSequences(await loadPast(db))
  const fleet = await simulateFleet(db, { secret, log, pictureMs: PICTURE_MS, nextSequences: nextPlays })
  // The first start shows where trucks have been since their shifts began.
  const poller = startPoller({ db, account: fleet.account, seedMs: fleet.pastMs, log })
  fleet.connect(address)
  return [fleet, poller, startDriverPhones(db, log)]
}
