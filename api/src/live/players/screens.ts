import { deviceCommandLabel, rowAccessFor, type ScreenState, screens } from '@roadshow/contract'
import { sql } from 'kysely'
import { deviceRecords } from '../../catalog/devices/index.ts'
import { truckRecords } from '../../catalog/trucks/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { sendBlob } from '../../platform/files/index.ts'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import type { SessionUser } from '../../platform/http/session.ts'
import { deviceOfPicture, giveCommand, newestCommands, pictureBlob } from './commands.ts'

/** The room of pages whose users see every truck, and with it its screens. */
export const SCREENS_ROOM = 'screens'
export const screenRooms = (user: SessionUser): string[] =>
  rowAccessFor(user, screens.list.access) === 'all' ? [SCREENS_ROOM] : []

/** The players of a truck with their newest health and commands. */
async function screensOf(db: Db, truckUid: string): Promise<ScreenState[]> {
  const { rows } = await sql<Omit<ScreenState, 'commands'>>`
    select d.uid as "deviceUid", d.mac_address as "macAddress", d.key_hash is not null as "isPaired",
           (select s.seen_at from device_seen s where s.device_uid = d.uid) as "seenAt",
           case when h.device_uid is not null then json_build_object('at', to_json(h.at at time zone 'UTC') #>> '{}' || 'Z',
             'appVersion', h.app_version, 'freeBytes', h.free_bytes, 'hasGpsFix', h.gps_fix,
             'clockOffsetMs', h.clock_offset_ms, 'screen', h.screen) end as health
      from device d left join device_health h on h.device_uid = d.uid
     where d.truck_uid = ${truckUid} and d.kind = 'player' and d.deleted_at is null
     order by d.created_at, d.uid`.execute(db)
  const commands = await newestCommands(
    db,
    rows.map(({ deviceUid }) => deviceUid),
  )
  return rows.map((row) => ({ ...row, commands: commands.get(row.deviceUid) ?? [] }))
}

export function screenRoutes(app: App): void {
  serve(app, screens.list, async ({ db, scope, params: { uid } }) => {
    await truckRecords.get(db, scope, uid)
    return { data: await screensOf(db, uid) }
  })

  serve(app, screens.command, async ({ db, scope, params: { uid }, body, request }) => {
    const { macAddress } = await deviceRecords.get(db, scope, uid)
    const data = await giveCommand(db, scope, uid, body)
    await app.kernel.audit(request, {
      kind: 'deviceCommand',
      actorUid: scope.actor.uid,
      subject: macAddress,
      detail: deviceCommandLabel[body.kind],
    })
    return { data }
  })

  serve(app, screens.picture, async ({ db, scope, params: { uid }, request }) => {
    // Only users who may see the device, and with it its truck.
    await deviceRecords.get(db, scope, await deviceOfPicture(db, uid))
    return sendBlob(app.blobs, pictureBlob(uid), {
      name: 'screen.jpg',
      type: 'image/jpeg',
      range: request.headers.range,
      cacheSeconds: 0,
    })
  })
}
