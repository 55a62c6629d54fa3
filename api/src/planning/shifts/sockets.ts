import { rowAccessFor, type ShiftEvents, shifts } from '@roadshow/contract'
import { defineSockets } from '../../platform/sockets/index.ts'

const SHIFTS = 'shifts'
const ALL_DAYS = { from: '1970-01-01', to: '2199-12-31' }

type Days = Parameters<ShiftEvents['shifts-changed']>[0]

/** Tells open pages which days changed. It sends no shifts: the next call decides what each user may see. */
export const shiftSockets = () =>
  defineSockets<ShiftEvents>((io) => ({
    webRooms: (user) => (rowAccessFor(user, shifts.list.access) ? [SHIFTS] : []),
    subscriptions: { shifts_changed: (days) => void io.to(SHIFTS).emit('shifts-changed', JSON.parse(days) as Days) },
    // Any day may have changed while the connection was lost.
    onReconnect: () => void io.to(SHIFTS).emit('shifts-changed', ALL_DAYS),
  }))
