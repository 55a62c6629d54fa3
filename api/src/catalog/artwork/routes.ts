import { artworkField, artworkSets, fitOfSet, truckSides } from '@roadshow/contract'
import { serveDeletion } from '../../platform/deletion/index.ts'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { byBody, byUid } from '../../platform/http/handlers.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../platform/http/serve.ts'
import { artworkSheet } from './export.ts'
import { artworkRecords, trucksByPixelMap } from './queries.ts'
import {
  approveArtworkSet,
  artworkDeletion,
  createArtworkSet,
  updateArtworkSet,
  withdrawArtworkApproval,
} from './save.ts'

export function artworkRoutes(app: App): void {
  serve(app, artworkSets.list, (call) => listOrExport(call, artworkRecords, artworkSheet))
  serve(app, artworkSets.get, byUid(artworkRecords.get))
  serve(app, artworkSets.create, byBody(createArtworkSet))
  serve(app, artworkSets.update, byBody(updateArtworkSet))
  serveDeletion(app, artworkSets, artworkDeletion)
  serve(app, artworkSets.approve, byBody(approveArtworkSet))
  serve(app, artworkSets.withdraw, byBody(withdrawArtworkApproval))
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
