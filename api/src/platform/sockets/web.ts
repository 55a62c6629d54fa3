import type { SessionEndReason, SessionEvents, WebHandshake } from '@roadshow/contract'
import { AppError } from '../runtime/app-error.ts'
import type { App } from '../http/app.ts'
import type { SessionUser } from '../http/session.ts'
import { type ClientSocket, defineSockets, socketsIn } from './socket-module.ts'

const sessionRoom = (sessionUid: string) => `session:${sessionUid}`
const userRoom = (userUid: string) => `user:${userUid}`

/** The rooms of a user's pages: those that they are in, and those that they may join. */
type UserRooms = Record<'joined' | 'onRequest', (user: SessionUser) => string[]>

/**
 * The channel of web pages. Each page belongs to a session, disconnects when the session ends, and leaves the rooms that
 * are closed to its user as soon as the user's rights change. A socket never prolongs a session.
 */
export const webChannel = (app: App, rooms: UserRooms) =>
  defineSockets<SessionEvents>((io) => {
    type Page = ClientSocket<SessionEvents>
    const roomsOf = (user: SessionUser) => [sessionRoom(user.sessionUid), userRoom(user.uid), ...rooms.joined(user)]

    async function admit(handshake: Partial<WebHandshake>) {
      const { userUid, token } = handshake
      const user = typeof token === 'string' ? await app.kernel.peekSession(token) : undefined
      if (!user && typeof token === 'string' && (await app.kernel.isLimitedSession(token))) {
        throw new AppError('secondFactorNeeded')
      }
      if (!user || user.uid !== userUid || token === undefined) throw new AppError('signedOut')
      return { rooms: roomsOf(user), session: { uid: user.sessionUid, token } }
    }

    function disconnectSession(sessionUid: string, reason?: SessionEndReason): void {
      io.to(sessionRoom(sessionUid)).emit('session-ended', reason)
      io.in(sessionRoom(sessionUid)).disconnectSockets(true)
    }

    /** The page has to set up a second factor before it goes on. */
    function disconnectLimited(sessionUid: string): void {
      io.to(sessionRoom(sessionUid)).emit('session-limited')
      io.in(sessionRoom(sessionUid)).disconnectSockets(true)
    }

    /** Makes the rooms of a page those of its user now; answers whether any changed. */
    async function updateRooms(page: Page, user: SessionUser): Promise<boolean> {
      const wanted = roomsOf(user)
      const open = new Set([page.id, ...wanted, ...rooms.onRequest(user)])
      const closed = [...page.rooms].filter((room) => !open.has(room))
      const missing = wanted.filter((room) => !page.rooms.has(room))
      for (const room of closed) await page.leave(room)
      await page.join(missing)
      return closed.length + missing.length > 0
    }

    /** Brings a page in line with its session. With `isChanged` it is told even if its rooms stay the same. */
    async function recheck(page: Page, isChanged = false): Promise<void> {
      const { session } = page.data
      if (!session) return
      try {
        const user = await app.kernel.peekSession(session.token)
        if (!user && (await app.kernel.isLimitedSession(session.token))) disconnectLimited(session.uid)
        else if (!user) disconnectSession(session.uid, await app.kernel.sessionEndReason(session.token))
        else if ((await updateRooms(page, user)) || isChanged) page.emit('access-changed')
      } catch (error) {
        // A page whose rights are unknown gets nothing: it connects again and is admitted by the rights it has then.
        app.kernel.log(error)
        page.disconnect(true)
      }
    }

    return {
      channels: {
        web: { admit, recheck: async (pages) => void (await Promise.all(pages.map((page) => recheck(page)))) },
      },
      subscriptions: {
        session_ended(ended) {
          const [sessionUid = '', reason] = ended.split(' ')
          disconnectSession(sessionUid, reason as SessionEndReason | undefined)
        },
        session_limited: disconnectLimited,
        access_changed(userUid) {
          for (const page of socketsIn(io, userRoom(userUid))) app.kernel.inBackground(recheck(page, true))
        },
      },
    }
  })
