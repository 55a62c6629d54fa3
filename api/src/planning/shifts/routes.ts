import { daySheet, markets, shiftPlanChanges, shifts, shiftUpload } from '@roadshow/contract'
import { serveDeletion } from '../../platform/deletion/index.ts'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { fillToday, fillWeek } from '../../platform/http/fill-in.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../platform/http/serve.ts'
import { applyPlanChange } from './plan-changes/apply.ts'
import { undoPlanChange } from './plan-changes/undo.ts'
import { loadBoard } from './board.ts'
import { pageOfDriverShifts } from './by-driver.ts'
import { driverOptions, programOptions, chosenTrucks, truckOptions } from './select-options.ts'
import { copyShifts } from './copy.ts'
import { loadDaySheet } from './day-sheet.ts'
import { shiftSheet } from './export.ts'
import { shiftRecords } from './queries.ts'
import { correctTimes, moveShift } from './move.ts'
import { shiftDeletion } from './deletion.ts'
import { createShift, previewShift, updateShift } from './save.ts'
import { importTemplate } from '../../platform/imports/index.ts'
import { checkOrSaveUpload } from './upload/upload.ts'
import { changeZone, previewZoneChange } from './zone-change/change.ts'

/** What drivers and dispatch say to each other, as the history keeps it. */
const DRIVER_WORDS = [
  'driver_answer',
  'decline_reason',
  'driver_message',
  'dispatch_message',
  'requested_truck',
  'request_note',
  'request_dismissed',
]

export function shiftRoutes(app: App): void {
  serve(app, shifts.list, (call) => listOrExport(call, shiftRecords, shiftSheet))
  serve(app, shifts.byDriver, ({ db, scope, query }) => pageOfDriverShifts(db, scope, query), fillWeek)
  serve(app, shifts.board, async ({ db, scope, query }) => ({ data: await loadBoard(db, scope, query) }), fillWeek)
  serve(app, daySheet.get, async ({ db, query }) => ({ data: await loadDaySheet(db, query) }), fillToday)
  serve(app, shifts.get, async ({ db, scope, params }) => ({ data: await shiftRecords.get(db, scope, params.uid) }))
  serve(app, shifts.create, async ({ db, scope, body }) => ({ data: await createShift(db, scope, body) }))
  serve(app, shifts.update, async ({ db, scope, body }) => ({ data: await updateShift(db, scope, body) }))
  serveDeletion(app, shifts, shiftDeletion)
  serve(app, shifts.move, async ({ db, scope, body }) => ({ data: await moveShift(db, scope, body) }))
  serve(app, shifts.correctTimes, async ({ db, scope, body }) => ({ data: await correctTimes(db, scope, body) }))
  serve(app, shifts.clashes, async ({ db, scope, body }) => ({ data: await previewShift(db, scope, body) }))
  serve(app, shifts.copy, async ({ db, scope, body }) => ({ data: await copyShifts(db, scope, body) }))
  serve(app, shiftPlanChanges.apply, async ({ db, scope, body }) => ({
    data: await applyPlanChange(db, scope, body, app.kernel.dependents),
  }))
  serve(app, shiftPlanChanges.undo, async ({ db, scope, body }) => {
    const { changed } = await undoPlanChange(db, scope, body)
    return { data: { changed } }
  })
  serve(app, shifts.trucks, ({ db, scope, query }) => (query.uid ? chosenTrucks : truckOptions).page(db, scope, query))
  serve(app, shifts.drivers, ({ db, scope, query }) => driverOptions.page(db, scope, query))
  serve(app, shifts.programs, ({ db, scope, query }) => programOptions.page(db, scope, query))
  serve(app, shiftUpload.upload, async ({ db, scope, body, files }) => ({
    data: await checkOrSaveUpload(db, scope, body, files.file),
  }))
  serve(app, shiftUpload.template, async ({ query }) => importTemplate('shifts', query.format))
  serve(app, markets.zoneChange, async ({ db, scope, params, query }) => ({
    data: await previewZoneChange(db, scope, params.uid, query),
  }))
  serve(app, markets.changeZone, async ({ db, scope, params, body }) => ({
    data: await changeZone(db, scope, params.uid, body),
  }))
  const withHistory = {
    ...shiftRecords,
    outsiderColumns: [...shiftRecords.outsiderColumns, 'local_date', 'start_time', 'end_time'],
    personalColumns: DRIVER_WORDS,
  }
  serveHistory(app, shifts.history, withHistory, {
    truck_uid: 'truck',
    driver_uid: 'user_account',
    program_uid: 'client_program',
    market_uid: 'market',
    artwork_set_uid: 'artwork_set',
    address_set_uid: 'address_set',
  })
}
