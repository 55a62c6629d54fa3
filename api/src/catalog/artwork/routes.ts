import { artworkField, artworkSets, fitOfSet, truckSides } from '@roadshow/contract'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../platform/http/serve.ts'
import { artworkSheet } from './export.ts'
import { artworkRecords, trucksByPixelMap } from './queries.ts'
import {
  approveArtworkSet,
  createArtworkSet,
  removeArtworkSet,
  updateArtworkSet,
  withdrawArtworkApproval,
} from './save.ts'

export function artworkRoutes(app: App): void {
  serve(app, artworkSets.list, (call) => listOrExport(call, artworkRecords, artworkSheet))

  serve(app, artworkSets.get, async ({ db, scope, params }) => ({
    data: await artworkRecords.get(db, scope, params.uid),
  }))

  serve(app, artworkSets.create, async ({ db, scope, body }) => ({ data: await createArtworkSet(db, scope, body) }))

  serve(app, artworkSets.update, async ({ db, scope, body }) => ({ data: await updateArtworkSet(db, scope, body) }))

  serve(app, artworkSets.remove, async ({ db, scope, params }) => ({
    data: await removeArtworkSet(db, scope, params.uid),
  }))

  serve(app, artworkSets.approve, async ({ db, scope, body }) => ({
    data: await approveArtworkSet(db, scope, body.uid, body.filesHash),
  }))

  serve(app, artworkSets.withdraw, async ({ db, scope, body }) => ({
    data: await withdrawArtworkApproval(db, scope, body.uid),
  }))

  serve(app, artworkSets.trucks, async ({ db, scope }) => ({ data: await trucksByPixelMap(db, scope) }))

  serve(app, artworkSets.fit, async ({ db, scope, params }) => {
    const set = await artworkRecords.get(db, scope, params.uid)
    const files = Object.fromEntries(truckSides.map((side) => [side, set[artworkField[side]]])) as Parameters<
      typeof fitOfSet
    >[0]
    return {
      data: (await trucksByPixelMap(db, scope)).map((group) => ({ ...group, ...fitOfSet(files, group.panels) })),
    }
  })

  serveHistory(app, artworkSets.history, artworkRecords, {
    program_uid: 'client_program',
    driver_side_artwork_uid: 'stored_file',
    passenger_side_artwork_uid: 'stored_file',
    rear_artwork_uid: 'stored_file',
    approved_by: 'user_account',
  })
}
