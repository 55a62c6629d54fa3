import { createHash } from 'node:crypto'
import type { DriverData, PlayerData } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import type { App } from '../../platform/http/app.ts'
import { type ConnectedDevice, connectedDevices, type DeviceServer } from './connected-devices.ts'
import { driverData, playerData, UPCOMING } from './manifest.ts'

// One save sends many signals; they are pushed together.
const GATHER_MS = 200
// As time passes, new shifts come up and the signed URLs of files expire.
const REFRESH_MS = 15 * 60_000

const eventOf = {
  driver: 'get-driver-data',
  player: 'get-player-data',
  'player-web': 'get-player-data-web',
} as const

type DevicePlan = DriverData | PlayerData

/** Trucks and programs whose plans changed since the last push. */
interface PlanChanges {
  trucks: Set<string>
  programs: Set<string>
  /** Every plan may have changed. */
  isEverything: boolean
}

const noChanges = (): PlanChanges => ({ trucks: new Set(), programs: new Set(), isEverything: false })

const loadPlan = (db: Db, { data: { clientType } }: ConnectedDevice, truckUid: string): Promise<DevicePlan> =>
  clientType === 'driver' ? driverData(db, truckUid) : playerData(db, truckUid)

/** Two plans that differ only in the server's time have the same digest. */
const digestOf = (plan: DevicePlan) =>
  createHash('sha1')
    .update(JSON.stringify({ ...plan, serverTime: '' }))
    .digest('base64')

/** The devices that the changes concern. */
async function affectedDevices(db: Db, sockets: ConnectedDevice[], changes: PlanChanges): Promise<ConnectedDevice[]> {
  if (changes.isEverything || sockets.length === 0) return sockets
  const trucks = new Set(changes.trucks)
  if (changes.programs.size > 0) {
    const planned = await db
      .selectFrom('shift as s')
      .select('s.truck_uid')
      .distinct()
      .where('s.program_uid', 'in', [...changes.programs])
      .where(UPCOMING)
      .execute()
    for (const { truck_uid } of planned) trucks.add(truck_uid)
  }
  return sockets.filter(({ data }) => trucks.has(data.device?.truckUid ?? ''))
}

/** Sends plans to devices and remembers the digest of the last plan that each device received. */
function planSender(db: Db) {
  const sent = new WeakMap<ConnectedDevice, string>()

  async function answer(socket: ConnectedDevice): Promise<DevicePlan> {
    for (;;) {
      const before = sent.get(socket) ?? ''
      sent.set(socket, before)
      const plan = await loadPlan(db, socket, socket.data.device?.truckUid ?? '')
      // A push in the meantime was newer than this plan, which must not arrive after it.
      if (sent.get(socket) !== before) continue
      sent.set(socket, digestOf(plan))
      return plan
    }
  }

  /** Pushes each device its plan if it differs from the last one. Devices of one truck share a query. */
  async function push(sockets: readonly ConnectedDevice[]): Promise<void> {
    const plans = new Map<string, Promise<DevicePlan>>()
    for (const socket of sockets) {
      const { clientType, device } = socket.data
      if (!device) continue
      const key = `${device.truckUid} ${clientType === 'driver'}`
      const loading = plans.get(key) ?? loadPlan(db, socket, device.truckUid)
      plans.set(key, loading)
      const plan = await loading
      const digest = digestOf(plan)
      if (sent.get(socket) === digest) continue
      sent.set(socket, digest)
      // Each client type has its own data under its own event.
      socket.emit(eventOf[clientType] as 'get-driver-data', plan as DriverData)
    }
  }

  return { answer, push, hasAsked: (socket: ConnectedDevice) => sent.has(socket) }
}

/** Answers devices that ask for their plan, and pushes the plan when it changes. */
export function planPushes(app: App, io: DeviceServer) {
  const { db } = app.kernel
  const sender = planSender(db)
  let changes = noChanges()
  let scheduled: NodeJS.Timeout | undefined
  let pushing: Promise<void> = Promise.resolve()

  async function push(): Promise<void> {
    scheduled = undefined
    const pending = changes
    changes = noChanges()
    // A device that never asked gets its plan when it asks.
    await sender.push(await affectedDevices(db, connectedDevices(io).filter(sender.hasAsked), pending))
  }

  function schedulePush(): void {
    scheduled ??= setTimeout(() => {
      pushing = pushing.then(push).catch(app.kernel.log)
      app.kernel.inBackground(pushing)
    }, GATHER_MS)
  }

  function pushEverything(): void {
    changes.isEverything = true
    schedulePush()
  }

  const timer = setInterval(pushEverything, REFRESH_MS)
  timer.unref()

  return {
    answer: sender.answer,
    subscriptions: {
      truck_plan_changed: (truckUid: string) => {
        changes.trucks.add(truckUid)
        schedulePush()
      },
      program_plan_changed: (programUid: string) => {
        changes.programs.add(programUid)
        schedulePush()
      },
      player_fallback_changed: pushEverything,
    },
    onReconnect: pushEverything,
    close: () => {
      clearInterval(timer)
      clearTimeout(scheduled)
    },
  }
}
