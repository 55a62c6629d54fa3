import { devices, screenPairings } from '@roadshow/contract'
import { forgetFailures, rememberNetwork } from '../../accounts/sign-in/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { inTransaction } from '../../platform/db/connection.ts'
import { serveDeletion } from '../../platform/deletion/index.ts'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../platform/http/serve.ts'
import { deviceSheet } from './export.ts'
import { hashPairingCode, newPairingCode, pairDevice } from './pairing.ts'
import { deviceRecords, truckReferences, revokeDeviceKey, setPairingCode } from './queries.ts'
import { claimScreen, collectKey, openScreenPairing } from './screen-pairing.ts'

export function deviceRoutes(app: App): void {
  serve(app, devices.list, (call) => listOrExport(call, deviceRecords, deviceSheet))

  serve(app, devices.create, async ({ db, scope, body: { truckUid, kind, macAddress } }) => ({
    data: await inTransaction(db, async (db) => {
      await truckReferences.requireRefs(db, scope, { truckUid })
      return deviceRecords.create(db, scope, { truck_uid: truckUid, kind, mac_address: macAddress })
    }),
  }))

  serve(app, devices.code, async ({ db, scope, params }) => {
    const code = newPairingCode()
    const set = await setPairingCode(db, scope, params.uid, hashPairingCode(params.uid, code))
    if (!set) throw new AppError('notFound')
    // The code is new, and often typed where it was created: strangers' failures at the old one do not delay it.
    await forgetFailures(db, { what: 'pairing', subject: set.mac_address })
    await rememberNetwork(db, params.uid, scope.actor.address)
    return { data: { code, expiresAt: set.code_expires_at } }
  })

  serve(app, devices.revoke, async ({ db, scope, params }) => {
    await revokeDeviceKey(db, scope, params.uid)
    return { data: await deviceRecords.get(db, scope, params.uid) }
  })

  serveDeletion(app, devices, {
    kind: 'device',
    records: deviceRecords,
    needed: { truck_uid: ['truck', 'truck'] },
  })
  serveHistory(app, devices.history, deviceRecords)

  serve(app, devices.pair, async ({ db, body, request }) => ({
    data: { key: await pairDevice(db, { ...body, address: request.ip }) },
  }))

  serve(app, screenPairings.open, async ({ db, body: { macAddress }, request }) => ({
    data: await openScreenPairing(db, { macAddress, address: request.ip }),
  }))

  serve(app, screenPairings.collect, async ({ db, body: { secret }, request }) => ({
    data: await collectKey(db, { secret, address: request.ip }),
  }))

  serve(app, screenPairings.claim, async ({ db, scope, body, request }) => {
    const data = await claimScreen(db, scope, body)
    await app.kernel.audit(request, { kind: 'screenClaimed', actorUid: scope.actor.uid, subject: data.macAddress })
    return { data }
  })
}
