import { addressColumns, addresses } from '@roadshow/contract'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { AppContext } from '../../platform/context.ts'
import { inTransaction } from '../../platform/db/connection.ts'
import { serveDeletion } from '../../platform/deletion/index.ts'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { byBody, byUid } from '../../platform/http/handlers.ts'
import { traceOf } from '../../platform/observability/trace.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../platform/http/serve.ts'
import { readTableRows } from '../../platform/spreadsheet/table-file.ts'
import { programRecords } from '../programs/index.ts'
import { addressSetSheet } from './export.ts'
import { createGeocoder } from './geocoder.ts'
import { checkAddressRows } from './import.ts'
import { addressSetRecords, artworkSetsByName, getAddressSet } from './queries.ts'
import { addressSetDeletion, createAddressSet, updateAddressSet } from './save.ts'

export function addressRoutes(app: App, { env: { geocoderUrl, brandName, publicUrl } }: AppContext): void {
  const locate = createGeocoder({
    url: geocoderUrl,
    agent: `${brandName} (${publicUrl})`,
    onFailure: (error, { traceId }) => app.log.warn({ err: error, traceId }),
  })

  serve(app, addresses.list, (call) => listOrExport(call, addressSetRecords, addressSetSheet))
  serve(app, addresses.get, byUid(getAddressSet))
  serve(app, addresses.create, byBody(createAddressSet))
  serve(app, addresses.update, byBody(updateAddressSet))
  serveDeletion(app, addresses, addressSetDeletion)

  serve(app, addresses.checkImport, async ({ db, scope, body, files }) => {
    const [file] = files.file
    if (!file) throw new AppError('badInput', { fields: { file: 'Choose a file.' } })
    const artwork = await inTransaction(db, async (db) => {
      await programRecords.requireRefs(db, scope, body)
      return artworkSetsByName(db, body.programUid)
    })
    return { data: await checkAddressRows(await readTableRows(file, addressColumns), artwork) }
  })

  // One after the other: public geocoders take one question at a time.
  serve(app, addresses.geocode, async ({ body, request }) => {
    const data = []
    for (const address of body.addresses) data.push((await locate(address, traceOf(request.raw))) ?? null)
    return { data }
  })

  const withAddresses = { ...addressSetRecords, outsiderColumns: [...addressSetRecords.outsiderColumns, 'address'] }
  serveHistory(app, addresses.history, withAddresses, {
    program_uid: 'client_program',
    artwork_set_uid: 'artwork_set',
  })
}
