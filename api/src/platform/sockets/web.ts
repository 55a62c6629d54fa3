import { rowAccessFor, type ServerToWeb, shifts, type WebHandshake } from '@roadshow/contract'
import { AppError } from '../runtime/app-error.ts'
import type { App } from '../http/app.ts'
import type { ClientSocket, OpenPart } from './part.ts'

const roomOf = (sessionUid: string) => `session:${sessionUid}`
const SHIFTS = 'shifts'

type Days = Parameters<ServerToWeb['shifts-changed']>[0]

/** The pages of the console: each with its own live session, told when that ends and when shifts change. */
export const webChannel =
  (app: App): OpenPart =>
  (io) => {
    async function admit(handshake: Partial<WebHandshake>) {
      const { userUid, token } = handshake
      const user = typeof token === 'string' ? await app.kernel.readSession(token) : undefined
      if (!user || user.uid !== userUid || token === undefined) throw new AppError('signedOut')
      const seesShifts = rowAccessFor(user, shifts.list.access) !== undefined
      return {
        rooms: [roomOf(user.sessionUid), ...(seesShifts ? [SHIFTS] : [])],
        session: { uid: user.sessionUid, token },
      }
    }

    function end(sessionUid: string): void {
      io.to(roomOf(sessionUid)).emit('session-ended')
      io.in(roomOf(sessionUid)).disconnectSockets(true)
    }

    async function endIfOver({ data: { session } }: ClientSocket): Promise<void> {
      if (session && !(await app.kernel.readSession(session.token))) end(session.uid)
    }

    return {
      channels: {
        web: { admit, recheck: async (sockets) => void (await Promise.all(sockets.map((each) => endIfOver(each)))) },
      },
      hears: {
        session_ended: end,
        // Which days, and nothing of the shifts: what somebody may see of them, their next call decides.
        shifts_changed: (days) => void io.to(SHIFTS).emit('shifts-changed', JSON.parse(days) as Days),
      },
      // Whatever changed meanwhile was not heard.
      missed: () => void io.to(SHIFTS).emit('shifts-changed', { from: '1970-01-01', to: '2199-12-31' }),
    }
  }
