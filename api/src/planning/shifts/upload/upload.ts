import { createHash } from 'node:crypto'
import {
  type BodyOf,
  NIL_UUID,
  requiredUploadColumns,
  type ShiftUploadColumn,
  shiftUploadColumns,
  type ShiftUploadResult,
  type shiftUpload,
  importRowStates,
} from '@roadshow/contract'
import { DatabaseError } from 'pg'
import { AppError, joinNames } from '../../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../../platform/db/connection.ts'
import type { Scope } from '../../../platform/db/records/scope.ts'
import type { ReceivedFile } from '../../../platform/http/multipart.ts'
import { openTable, tableRefusal, type Table } from '../../../platform/spreadsheet/table-file.ts'
import { lockShifts, recordPlanChange } from '../plan-changes/record.ts'
import { insertShifts, updateShifts } from '../bulk-write.ts'
import { recordShiftChanges, withShiftEvents } from '../changes.ts'
import { applyDriverEventsOf } from '../driver-events.ts'
import { loadShiftFacts } from '../facts.ts'
import type { ShiftFacts } from '../rules.ts'
import { toShiftRow } from '../shift-row.ts'
import { checkDrafts, type CheckedUpload, savedPlaceOf, type ShiftToSave } from './check.ts'
import { type DraftRow, readDraftRows } from './draft-rows.ts'
import { loadKnownNames } from './known-names.ts'
import { addShortRestRemarks } from './short-rests.ts'
import { addTravelRemarks } from './travel-remarks.ts'
import { loadSavedShifts } from './saved-shifts.ts'

type ScheduleTable = Table<ShiftUploadColumn>

/** Reads the file and refuses it if it cannot be a schedule. */
async function readSchedule(file: ReceivedFile): Promise<ScheduleTable> {
  const table = await openTable(file, shiftUploadColumns)
  const missing = requiredUploadColumns.filter((column) => !table.columns.includes(column))
  const titles = (columns: readonly ShiftUploadColumn[]) =>
    joinNames(columns.map((column) => shiftUploadColumns[column][0]))
  if (missing.length > 0) {
    throw tableRefusal(
      'badInput',
      `Missing ${missing.length === 1 ? 'column' : 'columns'}: ${titles(missing)}. The first row must name the columns.`,
    )
  }
  if (table.repeated.length > 0) {
    throw tableRefusal(
      'badInput',
      `More than one column has the meaning of ${table.repeated.join(', ')}. Remove or rename one.`,
    )
  }
  return table
}

/** Candidates of rows with unreadable cells, which find no record. */
const toCandidates = (drafts: readonly DraftRow[]) =>
  drafts.map(({ values: { artworkSetUid = null, addressSetUid = null, ...values } }) => ({
    ...values,
    truckUid: values.truckUid || NIL_UUID,
    driverUid: values.driverUid || NIL_UUID,
    programUid: values.programUid || NIL_UUID,
    marketUid: values.marketUid || NIL_UUID,
    artworkSetUid,
    addressSetUid,
  }))

/** Decides what saving a schedule would do with each row. */
export async function checkSchedule(
  db: Db,
  table: ScheduleTable,
): Promise<{ checked: CheckedUpload; facts: ShiftFacts }> {
  const drafts = readDraftRows(table, await loadKnownNames(db, table.rows))
  const facts = await loadShiftFacts(db, toCandidates(drafts))
  const checked = checkDrafts(drafts, facts, await loadSavedShifts(db, drafts, facts))
  const rows = await addShortRestRemarks(db, checked.rows, checked.planned)
  return { checked: { ...checked, rows: await addTravelRemarks(db, rows, checked.planned) }, facts }
}

/** What would be saved of a shift, as text. */
export const fingerprintOf = ({ input, saved, inactiveProgram }: ShiftToSave): string =>
  JSON.stringify([saved?.uid, saved?.version, input, inactiveProgram])

/** Identifies the shifts to save: a different digest means different shifts. */
function digestOf(toSave: readonly ShiftToSave[]): string {
  const hash = createHash('sha256')
  for (const shift of toSave) hash.update(fingerprintOf(shift))
  return hash.digest('hex')
}

const toResult = ({ ignored }: ScheduleTable, { rows, toSave }: CheckedUpload, saved: boolean): ShiftUploadResult => {
  const inactive = toSave.filter(({ inactiveProgram }) => inactiveProgram !== undefined).length
  const counts = Object.fromEntries(importRowStates.map((state) => [state, 0])) as ShiftUploadResult['counts']
  for (const { state } of rows) counts[state]++
  return { saved, digest: digestOf(toSave), counts, inactive, ignored, rows, undoUid: null }
}

/** Checks the file or, with the digest of a check, saves its good rows. */
export async function checkOrSaveUpload(
  db: Db,
  scope: Scope,
  { save, digest = '' }: BodyOf<typeof shiftUpload.upload>,
  [file]: readonly ReceivedFile[],
): Promise<ShiftUploadResult> {
  if (!file) throw new AppError('badInput', { fields: { file: 'Choose a file.' } })
  return save ? saveUpload(db, scope, file, digest) : checkUpload(db, file)
}

/** Shows what saving would do with each row. */
async function checkUpload(db: Db, file: ReceivedFile): Promise<ShiftUploadResult> {
  const table = await readSchedule(file)
  return toResult(table, (await checkSchedule(db, table)).checked, false)
}

const CHANGED = 'The schedule changed after the check. Please check the file again.'

/** Saves the good rows of a check, all or none, and only if a new check gives the same result. */
async function saveUpload(db: Db, scope: Scope, file: ReceivedFile, digest: string): Promise<ShiftUploadResult> {
  const table = await readSchedule(file)
  return explainClash(
    inTransaction(db, async (db) => {
      const { checked, facts } = await checkSchedule(db, table)
      const result = toResult(table, checked, true)
      if (result.digest !== digest) throw new AppError('staleVersion', { text: CHANGED })
      const { undoUid } = await writeShifts(db, scope, checked.toSave, facts)
      return { ...result, undoUid }
    }),
  )
}

/** Saves changes before additions: a shift that moves away frees its hours for a new one. */
export async function writeShifts(
  db: Db,
  scope: Scope,
  toSave: readonly ShiftToSave[],
  facts: ShiftFacts,
): Promise<{ undoUid: string | null; added: string[] }> {
  const added = toSave.filter(({ saved }) => !saved).map(({ input }) => toShiftRow(input, facts))
  const changed = toSave.flatMap(({ input, saved }) =>
    saved ? [{ uid: saved.uid, version: saved.version, ...toShiftRow(input, facts, savedPlaceOf(saved)) }] : [],
  )
  const uids = changed.map(({ uid }) => uid)
  const before = await lockShifts(db, uids)
  return withShiftEvents(db, uids, async () => {
    const count = await updateShifts(db, scope, changed)
    if (count !== changed.length) throw new AppError('staleVersion', { text: CHANGED })
    const addedUids = await insertShifts(db, scope, added)
    await recordShiftChanges(db, addedUids)
    // Other hours may make stored events count.
    await applyDriverEventsOf(db, uids, { userUid: scope.actor.uid, address: scope.actor.address })
    const { undoUid } = await recordPlanChange(db, scope, { kind: 'save', before, added: addedUids })
    return { undoUid, added: addedUids }
  })
}

const EXCLUSION = '23P01'
const DEADLOCK = '40P01'

/** The database refuses a shift that clashes with one saved at the same moment. */
export async function explainClash<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const isClash = error instanceof DatabaseError && (error.code === EXCLUSION || error.code === DEADLOCK)
    throw isClash ? new AppError('shiftClash', { text: CHANGED }) : error
  }
}
