import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { DeviceClientType, DeviceToServer, Play, ServerToDevice } from '@roadshow/contract'
import { sql } from 'kysely'
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client'
import { afterAll } from 'vitest'
import type { App } from '../../platform/http/app.ts'
import type { World } from '@roadshow/test-kit/world'
import { noteEvidence, stretchesOf } from '../evidence/index.ts'
import { NO_UID } from '../plays/index.ts'
import { deviceChannels } from './index.ts'

export type DeviceSocket = Socket<ServerToDevice, DeviceToServer>

export interface TestDevice {
  uid: string
  truckUid: string
  macAddress: string
  key: string
}

const MINUTE = 60_000
export const minutesAgo = (minutes: number, from = Date.now()) => new Date(from - minutes * MINUTE).toISOString()

/** Dallas, of the market that test shifts are in; a degree of latitude is 111 km. */
export const DALLAS = { latitude: 32.78, longitude: -96.8 }
export const northOf = ({ latitude, longitude }: typeof DALLAS, meters: number) => ({
  latitude: latitude + meters / 111_195,
  longitude,
})

/** A zone whose clock never changes, with the local time of an instant as ISO text. */
interface FixedZone {
  name: string
  localTime: (at: number) => string
}

const UTC: FixedZone = { name: 'UTC', localTime: (at) => new Date(at).toISOString() }

/** A zone in which it is about this hour now, so that the hours before and after are today's whenever a test runs. */
export function zoneWhereItIs(hour: number): FixedZone {
  const offset = hour - new Date().getUTCHours()
  return {
    name: `Etc/GMT${offset < 0 ? '+' : '-'}${Math.abs(offset)}`,
    localTime: (at) => new Date(at + offset * 60 * MINUTE).toISOString(),
  }
}

export interface FleetShift {
  truckUid: string
  programUid: string
  marketUid: string
  from: number
  to: number
  fixedZone?: FixedZone
}

/** Trucks with devices on real sockets, as many nodes as are opened, and what their plays are judged by. */
export function fleetOf(world: World) {
  const { db } = world

  const channels = (node: App) => [deviceChannels(node)]
  const openNode = () => world.openNode(channels)
  const openSecondNode = () => world.openSecondNode(channels)

  const addTruck = async (values: object = {}): Promise<string> =>
    (
      await db
        .insertInto('truck')
        .values({ number: `T ${randomUUID()}`, kind: 'led', state: 'active', ...values })
        .returning('uid')
        .executeTakeFirstOrThrow()
    ).uid

  async function addDevice(truckUid: string, kind: 'player' | 'driver' = 'player'): Promise<TestDevice> {
    const key = randomBytes(32).toString('base64url')
    const mac_address = (randomBytes(6).toString('hex').toUpperCase().match(/../g) ?? []).join(':')
    const key_hash = createHash('sha256').update(key).digest()
    const { uid } = await db
      .insertInto('device')
      .values({ truck_uid: truckUid, kind, mac_address, key_hash, paired_at: new Date() })
      .returning('uid')
      .executeTakeFirstOrThrow()
    return { uid, truckUid, macAddress: mac_address, key }
  }

  function open(url: string, auth: object, more: Partial<ManagerOptions & SocketOptions> = {}): DeviceSocket {
    const socket: DeviceSocket = io(url, {
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      auth,
      ...more,
    })
    afterAll(() => void socket.disconnect())
    return socket
  }

  /** What a handshake is refused with, or that it was let in. */
  const knock = (url: string, auth: object, more: object = {}) =>
    new Promise<string>((resolve) => {
      const socket = open(url, auth, more)
      socket.on('connect_error', (error: Error & { data?: { code: string } }) => {
        socket.disconnect()
        resolve(error.data?.code ?? error.message)
      })
      socket.on('connect', () => {
        socket.disconnect()
        resolve('let in')
      })
    })

  async function come(
    url: string,
    { macAddress, key }: TestDevice,
    clientType: DeviceClientType = 'player',
  ): Promise<DeviceSocket> {
    const socket = open(url, { clientType, macAddress, key })
    await new Promise<void>((resolve, reject) => {
      socket.on('connect', resolve)
      socket.on('connect_error', reject)
    })
    return socket
  }

  /** A market around Dallas, with a radius of 20 km. */
  async function addMarket(): Promise<string> {
    const { uid } = await world.addMarket(`Dallas ${randomUUID()}`)
    await db
      .updateTable('market')
      .set({ ...DALLAS, radius_m: 20_000 })
      .where('uid', '=', uid)
      .execute()
    return uid
  }

  /** An artwork set with three files; approved unless said otherwise. */
  async function addArtwork(programUid: string, status: 'draft' | 'approved' = 'approved') {
    const files = await db
      .insertInto('stored_file')
      .values(
        ['driver', 'passenger', 'rear'].map((side) => ({
          blob_name: randomUUID(),
          purpose: 'artwork',
          original_name: `${side}.png`,
          content_type: 'image/png',
          size_bytes: 100,
          sha256: createHash('sha256').update(randomUUID()).digest('hex'),
          stored_at: new Date(),
          claimed_at: new Date(),
        })),
      )
      .returning(['uid', 'sha256'])
      .execute()
    const hash = createHash('sha256')
      .update(files.map(({ sha256 }) => sha256).join('\n'))
      .digest('hex')
    const { uid } = await db
      .insertInto('artwork_set')
      .values({
        program_uid: programUid,
        name: `Art ${randomUUID()}`,
        status,
        driver_side_artwork_uid: files[0]?.uid ?? null,
        passenger_side_artwork_uid: files[1]?.uid ?? null,
        rear_artwork_uid: files[2]?.uid ?? null,
        approved_hash: status === 'approved' ? hash : null,
      })
      .returning('uid')
      .executeTakeFirstOrThrow()
    return { uid, sha256: files[0]?.sha256 ?? '', files }
  }

  /** A shift between two instants, whole minutes of UTC. */
  async function addShift({
    truckUid,
    programUid,
    marketUid,
    from,
    to,
    fixedZone = UTC,
    ...more
  }: FleetShift & Record<string, unknown>) {
    const [starts, ends] = [from, to].map((at) => new Date(Math.floor(at / MINUTE) * MINUTE).toISOString())
    const [localStart, localEnd] = [from, to].map(fixedZone.localTime)
    const driver = await world.addUser('driver')
    const { uid } = await db
      .insertInto('shift')
      .values({
        truck_uid: truckUid,
        driver_uid: driver.uid,
        program_uid: programUid,
        market_uid: marketUid,
        local_date: String(localStart).slice(0, 10),
        start_time: String(localStart).slice(11, 16),
        end_time: String(localEnd).slice(11, 16),
        zone: fixedZone.name,
        starts_at: String(starts),
        ends_at: String(ends),
        ...more,
      })
      .returning('uid')
      .executeTakeFirstOrThrow()
    return { uid, driver, startsAt: String(starts), endsAt: String(ends) }
  }

  /** A truck with a player, on a shift with approved artwork that runs from three hours ago until in three hours. */
  async function addRunning() {
    const truckUid = await addTruck()
    const marketUid = await addMarket()
    const { uid: programUid } = await world.addProgram()
    const art = await addArtwork(programUid)
    const span = { from: Date.now() - 180 * MINUTE, to: Date.now() + 180 * MINUTE }
    const shift = await addShift({ truckUid, programUid, marketUid, ...span, artwork_set_uid: art.uid })
    return { truckUid, marketUid, programUid, art, shift, device: await addDevice(truckUid) }
  }

  async function addPosition(truckUid: string, at: string, place: typeof DALLAS): Promise<void> {
    await sql`call ensure_week('position', ${at.slice(0, 10)}::date)`.execute(db)
    await db
      .insertInto('position')
      .values({ truck_uid: truckUid, at, ...place })
      .execute()
    await noteEvidence(db, stretchesOf([{ truck: truckUid, at: Date.parse(at) }]))
  }

  let count = 0
  const aPlay = (art: { uid: string; sha256: string }, more: Partial<Play> = {}): Play => ({
    playId: randomUUID(),
    sequence: ++count,
    artworkSetUid: art.uid,
    sha256: art.sha256,
    side: 'rear',
    // One after another: plays that overlap on one side are in conflict.
    startedAt: minutesAgo(10 + (count % 600) * 0.15),
    durationMs: 8000,
    ...more,
  })

  /** The hours counted from the plays themselves, and as they are kept. */
  async function countedAndKept() {
    const counted = await sql`
      select date_trunc('hour', started_at) as hour, truck_uid, coalesce(shift_uid, ${NO_UID}) as shift_uid, program_uid,
             coalesce(market_uid, ${NO_UID}) as market_uid, day, side, count(*)::int as plays,
             sum(duration_ms)::bigint as duration_ms, (count(*) filter (where grade = 'verified'))::int as verified,
             (count(*) filter (where grade = 'conflict'))::int as conflict,
             (count(*) filter (where reason = 'noTrack'))::int as no_track, count(address_uid)::int as for_address
        from play group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7`.execute(db)
    const kept = await sql`
      select hour, truck_uid, shift_uid, program_uid, market_uid, day, side, plays, duration_ms, verified, conflict, no_track,
             for_address
        from play_hour order by 1, 2, 3, 4, 5, 6, 7`.execute(db)
    return [counted.rows, kept.rows] as const
  }

  return {
    openNode,
    openSecondNode,
    addTruck,
    addDevice,
    open,
    knock,
    come,
    addMarket,
    addArtwork,
    addShift,
    addRunning,
    addPosition,
    aPlay,
    countedAndKept,
  }
}
