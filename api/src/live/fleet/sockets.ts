import { fleet, type LiveTruck, rowAccessFor, type ServerToWeb } from '@roadshow/contract'
import { AppError } from '../../platform/runtime/app-error.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { App } from '../../platform/http/app.ts'
import type { SessionUser } from '../../platform/http/session.ts'
import { type ClientSocket, defineSockets, hasSocketsIn, type SocketServer } from '../../platform/sockets/index.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import { coalesceCalls } from '../../platform/runtime/coalesce-calls.ts'
import { viewOfClient } from './client-view.ts'
import { startFleetUpdates } from './updates.ts'
import { type FleetChanges, type Watched, watchedTrucks } from './live-trucks.ts'

/** The room of pages that see every truck, that of pages that see trucks of their client, and one for each client. */
const EVERY_TRUCK = 'geotab'
const CLIENT_TRUCKS = 'geotab-client'
const roomOfClient = (clientUid: string) => `${CLIENT_TRUCKS}:${clientUid}`
const MOST_READS = 3

/** The rooms of a user who asks for the live fleet; none if the user may not see it. */
function fleetRooms(user: SessionUser): string[] {
  const rows = rowAccessFor(user, fleet.figures.access)
  if (rows === 'all') return [EVERY_TRUCK]
  return rows && user.clientUid ? [CLIENT_TRUCKS, roomOfClient(user.clientUid)] : []
}

interface Snapshot {
  /** How many updates had been published before it was read. */
  before: number
  trucks: Watched[]
}

const trucksFor = ({ trucks }: Snapshot, user: SessionUser): LiveTruck[] =>
  fleetRooms(user).includes(EVERY_TRUCK)
    ? trucks.map(({ truck }) => truck)
    : trucks.filter(({ clientUid }) => clientUid !== null && clientUid === user.clientUid).map(viewOfClient)

/** Sends each client its own trucks, by the room of the client: no socket is asked who it is. */
function publishToClients(io: SocketServer<ServerToWeb>, { changed, left }: FleetChanges): void {
  for (const { truckUid, clientUid } of left)
    io.to(clientUid === null ? CLIENT_TRUCKS : roomOfClient(clientUid)).emit('trucks-left', [truckUid])
  for (const [clientUid, trucks] of groupBy(changed, (each) => each.clientUid)) {
    const room = clientUid === null ? undefined : roomOfClient(clientUid)
    if (room && hasSocketsIn(io, room)) io.to(room).emit('geotab-feed', trucks.map(viewOfClient))
  }
}

/** The live fleet for open pages: a snapshot on demand, then changes, and a note when issues or photos change. */
export const fleetSockets = (app: App) =>
  defineSockets<ServerToWeb>((io) => {
    const { db } = app.kernel

    async function userOf({ data: { session } }: ClientSocket<ServerToWeb>): Promise<SessionUser> {
      const user = session && (await app.kernel.peekSession(session.token))
      if (!user) throw new AppError('signedOut')
      return user
    }

    let publications = 0
    // After a restart of the server all pages reconnect at once and ask for the same.
    const wholeFleet = coalesceCalls(async (): Promise<Snapshot> => {
      const before = publications
      return { before, trucks: await watchedTrucks(db, await sharedNow(db)) }
    })
    /** Reads again if an update was published meanwhile, which the older snapshot would undo. */
    async function readAll(): Promise<Snapshot> {
      for (let reads = 1; ; reads++) {
        const read = await wholeFleet()
        if (publications === read.before || reads === MOST_READS) return read
      }
    }

    /** Joins first, so that no update from now on is missed, and then looks whether the right still holds. */
    async function joinRooms(socket: ClientSocket<ServerToWeb>): Promise<void> {
      await socket.join(fleetRooms(await userOf(socket)))
      const user = await userOf(socket)
      const open = fleetRooms(user)
      const closed = [...socket.rooms].filter((room) => room.startsWith(EVERY_TRUCK) && !open.includes(room))
      for (const room of closed) await socket.leave(room)
      if (!rowAccessFor(user, fleet.figures.access)) throw new AppError('forbidden')
    }

    async function snapshot(_: unknown, socket: ClientSocket<ServerToWeb>): Promise<{ trucks: LiveTruck[] }> {
      await joinRooms(socket)
      const read = await readAll()
      return { trucks: trucksFor(read, await userOf(socket)) }
    }

    const updates = startFleetUpdates({
      db,
      hasListeners: () => hasSocketsIn(io, EVERY_TRUCK) || hasSocketsIn(io, CLIENT_TRUCKS),
      publish(changes) {
        publications++
        const gone = changes.left.flatMap(({ truckUid, clientUid }) => (clientUid === null ? [truckUid] : []))
        const trucks = changes.changed.map(({ truck }) => truck)
        if (gone.length > 0) io.to(EVERY_TRUCK).emit('trucks-left', gone)
        if (trucks.length > 0) io.to(EVERY_TRUCK).emit('geotab-feed', trucks)
        publishToClients(io, changes)
      },
      log: app.kernel.log,
    })
    const publishIssues = () => void io.to([EVERY_TRUCK, CLIENT_TRUCKS]).emit('issues-changed')
    const publishPhotos = () => void io.to([EVERY_TRUCK, CLIENT_TRUCKS]).emit('photos-changed')

    return {
      events: { web: { 'get-all-geotab-stats': snapshot } },
      roomsOnRequest: fleetRooms,
      subscriptions: {
        trucks_moved: updates.nudge,
        shifts_changed: updates.replan,
        issues_changed: publishIssues,
        photos_changed: publishPhotos,
      },
      onReconnect() {
        updates.replan()
        publishIssues()
        publishPhotos()
      },
      close: () => app.kernel.inBackground(updates.close()),
    }
  })
