import { rowAccessFor, type ServerToWeb, shifts } from '@roadshow/contract'
import type { OpenPart } from '../../platform/sockets/index.ts'

const SHIFTS = 'shifts'
const ALL_DAYS = { from: '1970-01-01', to: '2199-12-31' }

type Days = Parameters<ServerToWeb['shifts-changed']>[0]

/** Tells open pages which days changed. It sends no shifts: the next call decides what each user may see. */
export const shiftSockets = (): OpenPart => (io) => ({
  webRooms: (user) => (rowAccessFor(user, shifts.list.access) ? [SHIFTS] : []),
  hears: { shifts_changed: (days) => void io.to(SHIFTS).emit('shifts-changed', JSON.parse(days) as Days) },
  // Any day may have changed while no notification was heard.
  missed: () => void io.to(SHIFTS).emit('shifts-changed', ALL_DAYS),
})
