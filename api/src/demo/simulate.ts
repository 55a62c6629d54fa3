import { createHash, createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Camera } from '@roadshow/simulator'
import { CompiledQuery } from 'kysely'
import { isDemoLoaded } from '../console/setup/index.ts'
import { assignMissingKeys } from '../catalog/devices/index.ts'
import { startPoller } from '../live/telemetry/index.ts'
import type { NodeContext } from '../platform/context.ts'
import type { Db } from '../platform/db/connection.ts'
import type { Service } from '../platform/module.ts'
import { asWork, keepTrying } from '../platform/runtime/named-work.ts'
import { demoClients } from './clients.ts'
import { startDriverPhones } from './driver-phones.ts'
import { loadSimulator } from './load-simulator.ts'
import { onOneNode } from './on-one-node.ts'
import { loadPast, nextSequences as sequencesAfter } from './past-shifts.ts'
import { DEMO_PASSWORD } from './people.ts'
import { utcOffsetMinutes, drawStreetPhoto } from './street.ts'

interface Options {
  /** What the keys of simulated devices are made of, so that they are the same after every start. */
  secret: Buffer
  log: (error: unknown) => void
  /** How long screens show a picture. */
  pictureMs?: number
  /** The least number of the next play, by the uid of the truck. */
  nextSequences?: ReadonlyMap<string, number>
}

interface SimulatedFleet extends Service {
  /** The account of the MyGeotab that knows these trucks. */
  account: { server: string; database: string; user: string; password: string }
  /** How far back it can tell where they were. */
  pastMs: number
  /** Lets players and driver apps connect, on one node of all that share the database. */
  connect(url: string): void
}

const RETRY_MS = 5000

/** What a driver's phone sees: drawn for the clients of the demo, whose artwork is. */
const draw: Camera['draw'] = async ({ client: name, zone, at: { at, latitude, longitude }, seed }) => {
  const client = demoClients.find((each) => each.name === name)
  const offsetMinutes = utcOffsetMinutes(zone, at)
  const number = createHash('sha256').update(seed).digest().readUInt16BE()
  return client && drawStreetPhoto({ client, seed: number, camera: { at, offsetMinutes, latitude, longitude } })
}

async function sequencesByMac(db: Db, byTruck: ReadonlyMap<string, number>): Promise<Map<string, number>> {
  const players = await db
    .selectFrom('device')
    .select(['mac_address as mac', 'truck_uid'])
    .where('kind', '=', 'player')
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(players.map(({ mac, truck_uid }) => [mac, byTruck.get(truck_uid) ?? 1]))
}

/** Brings the demo fleet to life. Only ever for a demo: the devices of a real fleet keep their keys. */
export async function simulateFleet(
  db: Db,
  { secret, log, pictureMs, nextSequences = new Map() }: Options,
): Promise<SimulatedFleet> {
  const { startSimulator } = await loadSimulator()
  const query = async <Row>(text: string, values: unknown[]) =>
    (await db.executeQuery<Row>(CompiledQuery.raw(text, values))).rows
  const simulator = await startSimulator({
    query,
    log,
    camera: { password: DEMO_PASSWORD, draw },
    firstSequences: await sequencesByMac(db, nextSequences),
    ...(pictureMs !== undefined && { pictureMs }),
  })
  const stopping = new AbortController()
  let devices: Promise<void> = Promise.resolve()
  const waited = () => sleep(RETRY_MS, true, { signal: stopping.signal }).catch(() => false)
  const deviceKey = (mac: string) => createHmac('sha256', secret).update(`device ${mac}`).digest('base64url')

  async function connectDevices(url: string): Promise<void> {
    await simulator.refresh()
    simulator.connect(url, await assignMissingKeys(db, deviceKey))
    // It may have been stopped meanwhile.
    if (stopping.signal.aborted) return
    await new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()))
  }

  /** Only the process that holds the lock runs the devices: two players with one key would both number their plays. */
  async function runDevices(url: string): Promise<void> {
    while (!(await onOneNode(db, 'simulate devices', () => connectDevices(url)))) if (!(await waited())) return
  }

  return {
    account: simulator.account,
    pastMs: simulator.pastMs,
    connect: (url) => void (devices = keepTrying(() => runDevices(url), { signal: stopping.signal, log })),
    async stop() {
      stopping.abort()
      await devices
      await simulator.stop()
    },
  }
}

/** How long the screens of a living fleet show a picture: seldom enough that a demo of months stays small. */
const PICTURE_MS = 120_000

interface Simulation {
  secret: Buffer
  /** Where its devices connect. */
  address: string
  /** How long the first pause between two attempts lasts. */
  firstMs?: number
}

const WORK = 'simulator'

/**
 * Simulates the demo fleet, and tries again where that fails: it comes last, people use the node meanwhile, and no error of
 * it ends the node. Answers how it is stopped.
 */
export function keepSimulating(context: Pick<NodeContext, 'db' | 'log'>, { firstMs, ...given }: Simulation) {
  const stopping = new AbortController()
  const { signal } = stopping
  const log = (error: unknown) => context.log(error, { job: WORK })
  const services: Service[] = []
  const start = async () => void services.push(...(await startSimulation(context.db, log, given)))
  const starting = asWork(WORK, () => keepTrying(start, { signal, log, ...(firstMs !== undefined && { firstMs }) }))
  const stop = async (): Promise<void> => {
    stopping.abort()
    await starting
    await Promise.all(services.splice(0).map((service) => service.stop()))
  }
  void asWork(WORK, () => whileDemo(context.db, { signal, log })).then(stop)
  return stop
}

const LOOK_MS = 1000

/** Settles when the demo is to be emptied, by whichever node, or when the node stops. */
export async function whileDemo(db: Db, { signal, log }: { signal: AbortSignal; log: (error: unknown) => void }) {
  while (!signal.aborted) {
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined)
    const isThere = await isDemoLoaded(db).catch((error: unknown) => {
      if (!signal.aborted) log(error)
      return true
    })
    if (!isThere) return
  }
}

/** Simulates the demo fleet and polls its positions. */
async function startSimulation(
  db: Db,
  log: (error: unknown) => void,
  { secret, address }: Simulation,
): Promise<Service[]> {
  // The past of the demo is recorded meanwhile; players go on with the numbers after it.
  const nextPlays = sequencesAfter(await loadPast(db))
  const fleet = await simulateFleet(db, { secret, log, pictureMs: PICTURE_MS, nextSequences: nextPlays })
  // The first start shows where trucks have been since their shifts began.
  const poller = startPoller({ db, account: fleet.account, seedMs: fleet.pastMs, log })
  fleet.connect(address)
  return [fleet, poller, startDriverPhones(db, log)]
}
