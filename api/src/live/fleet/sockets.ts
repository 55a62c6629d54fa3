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

/** The rooms of pages that see every truck, and of pages that see only their own. */
const EVERY_TRUCK = 'geotab'
const OWN_TRUCKS = 'geotab-own'
const MOST_READS = 3

/** The live fleet for open pages: a snapshot on demand, then changes, and a note when issues or photos change. */
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

    let publications = 0
    // After a restart of the server all pages reconnect at once and ask for the same.
    const wholeFleet = coalesceCalls(async () => {
      const before = publications
      return { before, trucks: await liveTrucks(db, await sharedNow(db)) }
    })
    /** Reads again if an update was published meanwhile, which the older snapshot would undo. */
    async function readAll(scope: Scope): Promise<LiveTruck[]> {
      for (let reads = 1; ; reads++) {
        const { before, trucks } = await wholeFleet()
        const visible = await onlyVisible(db, scope, trucks)
        if (publications === before || reads === MOST_READS) return visible
      }
    }

    async function snapshot(_: unknown, socket: ClientSocket<ServerToWeb>): Promise<{ trucks: LiveTruck[] }> {
      const scope = await scopeOf(socket)
      // Joins first, so that no update from now on is missed.
      await socket.join(scope.rows === 'all' ? EVERY_TRUCK : OWN_TRUCKS)
      return { trucks: await readAll(scope) }
    }

    /** Visible trucks can change from one moment to the next, so they are read each time. */
    async function publishOwn(socket: ClientSocket<ServerToWeb>, trucks: LiveTruck[]): Promise<void> {
      try {
        const own = await onlyVisible(db, await scopeOf(socket), trucks)
        if (own.length > 0) socket.emit('geotab-feed', own)
      } catch {
        // The session has ended; the page learns this elsewhere.
        await socket.leave(OWN_TRUCKS)
      }
    }

    const listening = (room: string) => connectedSockets(io, 'web').filter((socket) => socket.rooms.has(room))
    const feed = startFleetFeed({
      db,
      hasListeners: () => listening(EVERY_TRUCK).length + listening(OWN_TRUCKS).length > 0,
      async publish(trucks) {
        publications++
        io.to(EVERY_TRUCK).emit('geotab-feed', trucks)
        await Promise.all(listening(OWN_TRUCKS).map((socket) => publishOwn(socket, trucks)))
      },
      log: (error) => app.log.error(error),
    })
    const publishIssues = () => void io.to([EVERY_TRUCK, OWN_TRUCKS]).emit('issues-changed')
    const publishPhotos = () => void io.to([EVERY_TRUCK, OWN_TRUCKS]).emit('photos-changed')

    return {
      events: { web: { 'get-all-geotab-stats': snapshot } },
      subscriptions: {
        trucks_moved: feed.nudge,
        shifts_changed: feed.replan,
        issues_changed: publishIssues,
        photos_changed: publishPhotos,
      },
      onReconnect() {
        feed.replan()
        publishIssues()
        publishPhotos()
      },
      close: () => app.kernel.inBackground(feed.close()),
    }
  })

async function onlyVisible(db: Db, scope: Scope, trucks: LiveTruck[]): Promise<LiveTruck[]> {
  const visible = await visibleTrucks(db, scope)
  return visible === 'all' ? trucks : trucks.filter(({ uid }) => visible.has(uid))
}
