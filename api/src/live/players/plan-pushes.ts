import { createHash } from 'node:crypto'
import type { DriverData, PlayerData } from '@roadshow/contract'
import { sql } from 'kysely'
import type { App } from '../../platform/http/app.ts'
import { type ClientSocket, connected, type SocketServer } from '../../platform/sockets/index.ts'
import { driverData, playerData } from './manifest.ts'

// What is saved at once comes as many notifications.
const GATHER_MS = 200
// Time alone brings new shifts, and takes the addresses of files out of date.
const LOOK_AGAIN_MS = 15 * 60_000

const eventOf = {
  driver: 'get-driver-data',
  player: 'get-player-data',
  'player-web': 'get-player-data-web',
} as const

/** The devices that are connected to this node. */
export const devicesOf = (io: SocketServer) => connected(io, 'driver', 'player', 'player-web')

/** Tells devices what they have to know, when they ask and when it has changed. */
export function planPushes(app: App, io: SocketServer) {
  const { db } = app.kernel
  // What each was told last. The moment of telling is no news.
  const told = new WeakMap<ClientSocket, string>()
  const trucks = new Set<string>()
  const programs = new Set<string>()
  let isEverything = false
  let gathering: NodeJS.Timeout | undefined
  let pushing: Promise<void> = Promise.resolve()

  const dataFor = ({ data: { clientType } }: ClientSocket, truckUid: string): Promise<DriverData | PlayerData> =>
    clientType === 'driver' ? driverData(db, truckUid) : playerData(db, truckUid)

  const digest = (data: DriverData | PlayerData) =>
    createHash('sha1')
      .update(JSON.stringify({ ...data, serverTime: '' }))
      .digest('base64')

  async function answer(socket: ClientSocket): Promise<DriverData | PlayerData> {
    for (;;) {
      const before = told.get(socket) ?? ''
      told.set(socket, before)
      const data = await dataFor(socket, socket.data.device?.truckUid ?? '')
      // Pushed meanwhile: what was read here is older, and must not come after it.
      if (told.get(socket) !== before) continue
      told.set(socket, digest(data))
      return data
    }
  }

  async function push(): Promise<void> {
    gathering = undefined
    const sockets = await affected()
    const known = new Map<string, Promise<DriverData | PlayerData>>()
    for (const socket of sockets) {
      const { clientType, device } = socket.data
      if (!device || clientType === 'web') continue
      const key = `${device.truckUid} ${clientType === 'driver'}`
      const coming = known.get(key) ?? dataFor(socket, device.truckUid)
      known.set(key, coming)
      const data = await coming
      if (told.get(socket) === digest(data)) continue
      told.set(socket, digest(data))
      // Each client type has its own data under its own event.
      socket.emit(eventOf[clientType] as 'get-driver-data', data as DriverData)
    }
  }

  /** The devices of this node that what was heard may concern: who never asked is told when they do. */
  async function affected(): Promise<ClientSocket[]> {
    const heard = { trucks: new Set(trucks), programs: [...programs], isEverything }
    trucks.clear()
    programs.clear()
    isEverything = false
    const sockets = devicesOf(io).filter((socket) => told.has(socket))
    if (heard.isEverything || sockets.length === 0) return sockets
    if (heard.programs.length > 0) {
      const { rows } = await sql<{ truck_uid: string }>`
        select distinct truck_uid from shift
         where program_uid = any(${heard.programs}) and deleted_at is null
           and ends_at > now() and starts_at < now() + interval '48 hours'`.execute(db)
      for (const { truck_uid } of rows) heard.trucks.add(truck_uid)
    }
    return sockets.filter(({ data }) => heard.trucks.has(data.device?.truckUid ?? ''))
  }

  function gather(): void {
    gathering ??= setTimeout(() => {
      pushing = pushing.then(push).catch((error: unknown) => app.log.error(error))
      app.kernel.inBackground(pushing)
    }, GATHER_MS)
  }

  function everything(): void {
    isEverything = true
    gather()
  }

  const timer = setInterval(everything, LOOK_AGAIN_MS)
  timer.unref()

  return {
    answer,
    hears: {
      truck_plan_changed: (truckUid: string) => {
        trucks.add(truckUid)
        gather()
      },
      program_plan_changed: (programUid: string) => {
        programs.add(programUid)
        gather()
      },
    },
    missed: everything,
    close: () => {
      clearInterval(timer)
      clearTimeout(gathering)
    },
  }
}
