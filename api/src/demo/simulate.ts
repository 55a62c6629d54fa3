import { createHash, createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Camera } from '@roadshow/simulator'
import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../platform/db/connection.ts'
import { assignMissingKeys } from '../catalog/devices/index.ts'
import { demoClients } from './clients.ts'
import { loadSimulator } from './load-simulator.ts'
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

interface SimulatedFleet {
  /** The account of the MyGeotab that knows these trucks. */
  account: { server: string; database: string; user: string; password: string }
  /** How far back it can tell where they were. */
  pastMs: number
  /** Lets players and driver apps connect, on one node of all that share the database. */
  connect(url: string): void
  stop(): Promise<void>
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

  /** Only the process that holds the lock runs the devices: two players with one key would both number their plays. */
  const runDevices = (url: string) =>
    db.connection().execute(async (held) => {
      const isFree = async () =>
        (await sql<{ got: boolean }>`select pg_try_advisory_lock(hashtext('simulate devices')) as got`.execute(held))
          .rows[0]?.got === true
      while (!(await isFree())) if (!(await waited())) return
      await simulator.refresh()
      simulator.connect(url, await assignMissingKeys(db, deviceKey))
      await new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()))
      await sql`select pg_advisory_unlock(hashtext('simulate devices'))`.execute(held)
    })

  return {
    account: simulator.account,
    pastMs: simulator.pastMs,
    connect: (url) => void (devices = runDevices(url).catch(log)),
    async stop() {
      stopping.abort()
      await devices
      await simulator.stop()
    },
  }
}
