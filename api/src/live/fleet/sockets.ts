import { fleet, type LiveTruck, rowAccessFor, type ServerToWeb } from '@roadshow/contract'
import { AppError } from '../../platform/runtime/app-error.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import type { App } from '../../platform/http/app.ts'
import { type ClientSocket, connectedSockets, defineSockets } from '../../platform/sockets/index.ts'
import { coalesceCalls } from '../../platform/runtime/coalesce-calls.ts'
import { startFleetFeed } from './feed.ts'
import { liveTrucks, visibleTrucks } from './live-trucks.ts'

/** Those who see every truck; the others are told each of their own. */
const EVERY_TRUCK = 'geotab'
const OWN_TRUCKS = 'geotab-own'
const MOST_READS = 3

/** The live fleet for open pages: a snapshot on demand, then what changes, and a word when issues or photos do. */
export const fleetSockets = (app: App) =>
  defineSockets<ServerToWeb>((io) => {
    const { db } = app.kernel

    async function scopeOf({ data: { session, address } }: ClientSocket<ServerToWeb>): Promise<Scope> {
      const user = session && (await app.kernel.readSession(session.token))
      if (!user) throw new AppError('signedOut')
      const rows = rowAccessFor(user, fleet.figures.access)
      if (!rows) throw new AppError('forbidden')
      return { rows, actor: { ...user, address } }
    }

    let tells = 0
    // After a new start of the server all pages come back at once and ask for the same.
    const wholeFleet = coalesceCalls(async () => {
      const before = tells
      return { before, trucks: await liveTrucks(db, await sharedNow(db)) }
    })
    /** As it is between two tells: one that came in between would be undone by what was read before it. */
    async function readAll(scope: Scope): Promise<LiveTruck[]> {
      for (let reads = 1; ; reads++) {
        const { before, trucks } = await wholeFleet()
        const seen = await seenBy(db, scope, trucks)
        if (tells === before || reads === MOST_READS) return seen
      }
    }

    async function snapshot(_: unknown, socket: ClientSocket<ServerToWeb>): Promise<{ trucks: LiveTruck[] }> {
      const scope = await scopeOf(socket)
      // First, so that nothing which is told from now on is missed.
      await socket.join(scope.rows === 'all' ? EVERY_TRUCK : OWN_TRUCKS)
      return { trucks: await readAll(scope) }
    }

    /** What somebody may see can change from one moment to the next, so it is asked each time. */
    async function tellOwn(socket: ClientSocket<ServerToWeb>, trucks: LiveTruck[]): Promise<void> {
      try {
        const own = await seenBy(db, await scopeOf(socket), trucks)
        if (own.length > 0) socket.emit('geotab-feed', own)
      } catch {
        // Whose session ended is told so elsewhere.
        await socket.leave(OWN_TRUCKS)
      }
    }

    const listening = (room: string) => connectedSockets(io, 'web').filter((socket) => socket.rooms.has(room))
    const feed = startFleetFeed({
      db,
      isHeard: () => listening(EVERY_TRUCK).length + listening(OWN_TRUCKS).length > 0,
      async tell(trucks) {
        tells++
        io.to(EVERY_TRUCK).emit('geotab-feed', trucks)
        await Promise.all(listening(OWN_TRUCKS).map((socket) => tellOwn(socket, trucks)))
      },
      log: (error) => app.log.error(error),
    })
    const tellIssues = () => void io.to([EVERY_TRUCK, OWN_TRUCKS]).emit('issues-changed')
    const tellPhotos = () => void io.to([EVERY_TRUCK, OWN_TRUCKS]).emit('photos-changed')

    return {
      events: { web: { 'get-all-geotab-stats': snapshot } },
      subscriptions: {
        trucks_moved: feed.nudge,
        shifts_changed: feed.replan,
        issues_changed: tellIssues,
        photos_changed: tellPhotos,
      },
      onReconnect() {
        feed.replan()
        tellIssues()
        tellPhotos()
      },
      close: () => app.kernel.inBackground(feed.close()),
    }
  })

async function seenBy(db: Db, scope: Scope, trucks: LiveTruck[]): Promise<LiveTruck[]> {
  const visible = await visibleTrucks(db, scope)
  return visible === 'all' ? trucks : trucks.filter(({ uid }) => visible.has(uid))
}
