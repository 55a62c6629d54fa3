import type { WebHandshake } from '@roadshow/contract'
import { AppError } from '../runtime/app-error.ts'
import type { App } from '../http/app.ts'
import type { SessionUser } from '../http/session.ts'
import type { ClientSocket, OpenPart } from './part.ts'

const roomOf = (sessionUid: string) => `session:${sessionUid}`

/** The pages of the console: each has its own live session, and hears when that ends. */
export const webChannel =
  (app: App, roomsFor: (user: SessionUser) => string[]): OpenPart =>
  (io) => {
    async function admit(handshake: Partial<WebHandshake>) {
      const { userUid, token } = handshake
      const user = typeof token === 'string' ? await app.kernel.readSession(token) : undefined
      if (!user || user.uid !== userUid || token === undefined) throw new AppError('signedOut')
      return {
        rooms: [roomOf(user.sessionUid), ...roomsFor(user)],
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
      hears: { session_ended: end },
    }
  }
