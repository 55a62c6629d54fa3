import type { SessionEvents, WebHandshake } from '@roadshow/contract'
import { AppError } from '../runtime/app-error.ts'
import type { App } from '../http/app.ts'
import type { SessionUser } from '../http/session.ts'
import { type ClientSocket, defineSockets } from './socket-module.ts'

const sessionRoom = (sessionUid: string) => `session:${sessionUid}`

/** The channel of web pages. Each page belongs to a session, and disconnects when the session ends. */
export const webChannel = (app: App, roomsFor: (user: SessionUser) => string[]) =>
  defineSockets<SessionEvents>((io) => {
    async function admit(handshake: Partial<WebHandshake>) {
      const { userUid, token } = handshake
      const user = typeof token === 'string' ? await app.kernel.readSession(token) : undefined
      if (!user || user.uid !== userUid || token === undefined) throw new AppError('signedOut')
      return {
        rooms: [sessionRoom(user.sessionUid), ...roomsFor(user)],
        session: { uid: user.sessionUid, token },
      }
    }

    function disconnectSession(sessionUid: string): void {
      io.to(sessionRoom(sessionUid)).emit('session-ended')
      io.in(sessionRoom(sessionUid)).disconnectSockets(true)
    }

    async function disconnectIfEnded({ data: { session } }: ClientSocket<SessionEvents>): Promise<void> {
      if (session && !(await app.kernel.readSession(session.token))) disconnectSession(session.uid)
    }

    return {
      channels: {
        web: {
          admit,
          recheck: async (sockets) => void (await Promise.all(sockets.map((each) => disconnectIfEnded(each)))),
        },
      },
      subscriptions: { session_ended: disconnectSession },
    }
  })
