import { isOutsider, rowAccessFor, type ShiftEvents, shifts } from '@roadshow/contract'
import { defineSockets } from '../../platform/sockets/index.ts'

const SHIFTS = 'shifts'
/** Clients do not learn on which days shifts of others change. */
const SHIFTS_OF_CLIENTS = 'shifts-of-clients'
const ALL_DAYS = { from: '1970-01-01', to: '2199-12-31' }

type Days = Parameters<ShiftEvents['shifts-changed']>[0]

/** Tells open pages which days changed. It sends no shifts: the next call decides what each user may see. */
export const shiftSockets = () =>
  defineSockets<ShiftEvents>((io) => ({
    webRooms(user) {
      if (!rowAccessFor(user, shifts.list.access)) return []
      return [isOutsider(user) ? SHIFTS_OF_CLIENTS : SHIFTS]
    },
    subscriptions: {
      shifts_changed(days) {
        io.to(SHIFTS).emit('shifts-changed', JSON.parse(days) as Days)
        io.to(SHIFTS_OF_CLIENTS).emit('shifts-changed', ALL_DAYS)
      },
    },
    // Any day may have changed while the connection was lost.
    onReconnect: () => void io.to([SHIFTS, SHIFTS_OF_CLIENTS]).emit('shifts-changed', ALL_DAYS),
  }))
