import {
  type DailyDetails,
  dailySchedule,
  addDays,
  type DriverShifts,
  type DriverWeek,
  type QueryOf,
  type Shift,
  userSchedule,
} from '@roadshow/contract'
import { serveDeletion } from '../platform/deletion/index.ts'
import type { App } from '../platform/http/app.ts'
import { fillMonday, fillToday } from '../platform/http/fill-in.ts'
import { byBody } from '../platform/http/handlers.ts'
import { listOrExport } from '../platform/spreadsheet/list-or-export.ts'
import { serve } from '../platform/http/serve.ts'
import { type ShiftDetails, shiftDetailSheet, shiftDetailsFor } from '../live/shift-details/index.ts'
import {
  checkOrSaveUpload,
  createShift,
  pageOfDriverShifts,
  shiftDeletion,
  shiftRecords,
  shiftSheet,
  updateShift,
} from '../planning/shifts/index.ts'
import { flatParties, reshaped } from './flat.ts'

export function oldScheduleRoutes(app: App): void {
  serve(
    app,
    dailySchedule.list,
    ({ db, scope, query }) =>
      reshaped(listOrExport({ db, scope, query: ofDay(query) }, shiftRecords, shiftSheet), toDaily),
    fillToday,
  )
  serve(
    app,
    dailySchedule.details,
    ({ db, scope, query }) =>
      reshaped(
        listOrExport({ db, scope, query: ofDay(query) }, shiftDetailsFor(scope), shiftDetailSheet),
        toDailyDetails,
      ),
    fillToday,
  )
  serve(
    app,
    dailySchedule.create,
    byBody(async (db, scope, body) => toDaily(await createShift(db, scope, body))),
  )
  serve(
    app,
    dailySchedule.update,
    byBody(async (db, scope, body) => toDaily(await updateShift(db, scope, body))),
  )
  serveDeletion(app, dailySchedule, shiftDeletion)
  serve(app, dailySchedule.upload, async ({ db, scope, body, files }) => ({
    data: await checkOrSaveUpload(db, scope, body, files.file),
  }))
  serve(
    app,
    userSchedule.list,
    ({ db, scope, query }) => reshaped(pageOfDriverShifts(db, scope, { ...query, to: addDays(query.from, 6) }), toWeek),
    fillMonday,
  )
}

const ofDay = ({ date, ...query }: QueryOf<typeof dailySchedule.list>) => ({ ...query, from: date, to: date })

const toDaily = <Row extends Shift>({ artworkSet, addressSet, stops: _stops, ...shift }: Row) => ({
  ...flatParties(shift),
  artworkSetUid: artworkSet?.uid ?? null,
  artworkSetName: artworkSet?.name ?? null,
  addressSetUid: addressSet?.uid ?? null,
  addressSetName: addressSet?.name ?? null,
})

function toDailyDetails({ plays, distance, issues, ...details }: ShiftDetails): DailyDetails {
  const { isWithoutPlays: _, startSetBy: _start, stopSetBy: _stop, ...shift } = details
  return {
    ...toDaily(shift),
    plays: plays.count,
    playsVerified: plays.verified,
    playsConflict: plays.conflict,
    metres: distance?.metres ?? null,
    metresSource: distance?.source ?? null,
    estimatedMetres: distance?.estimatedMetres ?? null,
    coverage: distance?.coverage ?? null,
    issues: issues.length,
    openIssues: issues.filter(({ status }) => status !== 'resolved').length,
  }
}

const toWeek = ({ driver, shifts }: DriverShifts): DriverWeek => ({
  driverUid: driver?.uid ?? null,
  driverName: driver?.name ?? null,
  shifts: shifts.map((shift) => toDaily(shift)),
})
