import { type DeviceClientType, type DeviceKind, deviceHandshake } from '@roadshow/contract'
import { AppError } from '../../platform/runtime/app-error.ts'
import { authenticateDevice, devicesWithCurrentKey } from '../../catalog/devices/index.ts'
import type { App } from '../../platform/http/app.ts'
import { defineSockets } from '../../platform/sockets/index.ts'
import { commandDelivery } from './command-delivery.ts'
import {
  type ConnectedDevice,
  connectedDevices,
  type DeviceData,
  type DeviceEvents,
  type DeviceServer,
} from './connected-devices.ts'
import { storeHealth } from './health.ts'
import { planPushes } from './plan-pushes.ts'
import { storePlays } from '../plays/index.ts'
import { ownPlaces } from './own-places.ts'
import { storeDriverIssues, storeDriverEvents } from '../driver-events/index.ts'
import { trackPresence } from './presence.ts'
import { SCREENS_ROOM, screenRooms } from './screens.ts'
import { truckPositions } from './truck-positions.ts'

const kindOf: Record<DeviceClientType, DeviceKind> = { driver: 'driver', player: 'player', 'player-web': 'player' }

function deviceOf({ data: { device } }: ConnectedDevice) {
  if (!device) throw new AppError('forbidden')
  return device
}

/** The channels of driver apps and players. A device reaches only its own truck. */
export const deviceChannels = (app: App) =>
  defineSockets<DeviceEvents, DeviceData>((io) => {
    const { db } = app.kernel
    const pushes = planPushes(app, io)
    const revocations = keyRevocations(app, io)
    const touch = trackPresence(app, io)
    const commands = commandDelivery(app, io)
    const positions = truckPositions(app, io)
    const places = ownPlaces(db)

    async function admit(handshake: Record<string, unknown>) {
      const { data } = deviceHandshake.safeParse(handshake)
      if (!data) throw new AppError('badInput', { text: 'A device must send its clientType, macAddress and key.' })
      const { uid, truckUid, kind, keyHash } = await authenticateDevice(db, data.macAddress, data.key)
      if (kind !== kindOf[data.clientType]) throw new AppError('deviceKind')
      const device = { uid, truckUid, keyHash }
      touch.note({ device, clientType: data.clientType })
      return { rooms: [], device }
    }

    const channel = { admit, recheck: revocations.recheck }
    const plan = (_payload: unknown, socket: ConnectedDevice) => pushes.answer(socket)
    const playerPlan = async (payload: unknown, socket: ConnectedDevice) => {
      const answer = await plan(payload, socket)
      commands.deliverTo(socket)
      return answer
    }
    const health = async (payload: unknown, socket: ConnectedDevice) => {
      const device = deviceOf(socket)
      const { answer, newest } = await storeHealth(db, device.uid, payload)
      if (newest) places.note(device, newest)
      if (newest && socket.data.clientType !== 'driver') positions.note(socket, newest.screen)
      return answer
    }
    const plays = async (payload: unknown, socket: ConnectedDevice) => {
      const device = deviceOf(socket)
      await places.keep(device, payload)
      const { answer, playedAt } = await storePlays(db, device, payload)
      touch.played(device.truckUid, playedAt)
      return answer
    }
    const reporter = (socket: ConnectedDevice) => {
      const device = deviceOf(socket)
      const take = (rows: number) => app.kernel.takeReports(`device ${device.uid}`, rows)
      return { ...device, address: socket.data.address, take }
    }

    return {
      channels: { driver: channel, player: channel, 'player-web': channel },
      events: {
        driver: {
          'get-driver-data': plan,
          'driver-shift': (payload, socket) => storeDriverEvents(db, reporter(socket), payload),
          'driver-issue': (payload, socket) => storeDriverIssues(db, reporter(socket), payload),
          'device-health': health,
        },
        player: { 'get-player-data': playerPlan, 'player-plays': plays, 'device-health': health },
        'player-web': { 'get-player-data-web': playerPlan, 'player-plays': plays, 'device-health': health },
      },
      webRooms: screenRooms,
      subscriptions: {
        ...pushes.subscriptions,
        device_ended: revocations.onEnded,
        device_command_asked: (deviceUid) => commands.onAsked(deviceUid),
        device_commands_changed: (truckUid) => void io.to(SCREENS_ROOM).emit('screens-changed', truckUid),
        trucks_moved: positions.onMoved,
      },
      onReconnect: pushes.onReconnect,
      close: () => {
        pushes.close()
        touch.close()
        positions.close()
      },
    }
  })

/** Closes the sockets of devices whose key was revoked or replaced. */
function keyRevocations(app: App, io: DeviceServer) {
  async function recheck(sockets: ConnectedDevice[]): Promise<void> {
    const paired = await devicesWithCurrentKey(
      app.kernel.db,
      sockets.map((socket) => deviceOf(socket)),
    )
    for (const socket of sockets.filter((each) => !paired.has(deviceOf(each)))) {
      socket.emit('device-ended')
      socket.disconnect(true)
    }
  }

  return {
    recheck,
    // A device that was paired again may already be back with its new key.
    onEnded: (deviceUid: string) => {
      const own = connectedDevices(io).filter((socket) => deviceOf(socket).uid === deviceUid)
      if (own.length > 0) app.kernel.inBackground(recheck(own))
    },
  }
}
