import type { ScreenHealth } from '@roadshow/contract'
import type { NotNull } from 'kysely'
import { anyOf } from '../../platform/db/any-of.ts'
import type { App } from '../../platform/http/app.ts'
import { type ConnectedDevice, connectedDevices, type DeviceServer } from './connected-devices.ts'

const MOST_OFTEN_MS = 1000

/** Whether a player says that it has no GPS of its own. Older players say nothing of it. */
const needsPosition = (screen: ScreenHealth | null | undefined): boolean =>
  Boolean(screen) && (screen?.gpsSource ?? 'server') === 'server'

/** Sends players without GPS the position of their truck, whenever it has moved. */
export function truckPositions(app: App, io: DeviceServer) {
  const { db } = app.kernel
  /** The time of the last position that each such player got. */
  const sent = new WeakMap<ConnectedDevice, string>()
  let scheduled: NodeJS.Timeout | undefined
  let isBusy = false
  let isMoved = false

  async function push(): Promise<void> {
    const listening = connectedDevices(io).filter((socket) => sent.has(socket))
    if (listening.length === 0) return
    const trucks = [...new Set(listening.map(({ data }) => data.device?.truckUid ?? ''))]
    const seen = db.selectFrom('truck_now').where('truck_uid', '=', anyOf(trucks)).where('at', 'is not', null)
    const places = seen.select(['truck_uid as truckUid', 'at', 'latitude', 'longitude', 'speed_kmh as speedKmh'])
    const rows = await places.$narrowType<{ at: NotNull; latitude: NotNull; longitude: NotNull }>().execute()
    const positions = new Map(rows.map(({ truckUid, ...position }) => [truckUid, position]))
    for (const socket of listening) {
      const position = positions.get(socket.data.device?.truckUid ?? '')
      if (!position || sent.get(socket) === position.at) continue
      sent.set(socket, position.at)
      socket.emit('truck-position', position)
    }
  }

  function schedule(): void {
    isMoved = true
    if (scheduled || isBusy) return
    scheduled = setTimeout(() => {
      scheduled = undefined
      isBusy = true
      isMoved = false
      const pushing = push()
        .catch(app.kernel.log)
        .finally(() => {
          isBusy = false
          if (isMoved) schedule()
        })
      app.kernel.inBackground(pushing)
    }, MOST_OFTEN_MS)
  }

  return {
    /** A player reported where its fixes come from. */
    note(socket: ConnectedDevice, screen: ScreenHealth | null | undefined): void {
      if (!needsPosition(screen)) sent.delete(socket)
      else if (!sent.has(socket)) {
        sent.set(socket, '')
        schedule()
      }
    },
    onMoved: schedule,
    close: () => clearTimeout(scheduled),
  }
}
