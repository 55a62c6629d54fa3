import { createHash } from 'node:crypto'
import {
  type BodyOf,
  requiredUploadColumns,
  type ShiftUploadColumn,
  shiftUploadColumns,
  type ShiftUploadResult,
  type shiftUpload,
  uploadRowStates,
} from '@roadshow/contract'
import { DatabaseError } from 'pg'
import { AppError, joinNames } from '../../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../../platform/db/connection.ts'
import type { Scope } from '../../../platform/db/records/scope.ts'
import type { ReceivedFile } from '../../../platform/http/multipart.ts'
import { openTable, tableRefusal, type Table } from '../../../platform/spreadsheet/table-file.ts'
import { type ShiftFacts, loadShiftFacts } from '../facts.ts'
import { toShiftRow } from '../rules.ts'
import { insertShifts, updateShifts } from '../save.ts'
import { checkDrafts, type CheckedUpload, savedPlaceOf, type ShiftToSave } from './check.ts'
import { type DraftRow, readDraftRows } from './drafts.ts'
import { loadKnownNames } from './names.ts'
import { addShortRestRemarks } from './rests.ts'
import { loadSavedShifts } from './saved.ts'

type Uploaded = Table<ShiftUploadColumn>

/** Reads the file and refuses one that cannot be a schedule. */
async function readSchedule(file: ReceivedFile): Promise<Uploaded> {
  const table = await openTable(file, shiftUploadColumns)
  const lacking = requiredUploadColumns.filter((column) => !table.columns.includes(column))
  const titles = (columns: readonly ShiftUploadColumn[]) =>
    joinNames(columns.map((column) => shiftUploadColumns[column][0]))
  if (lacking.length > 0) {
    throw tableRefusal(
      'badInput',
      `The file lacks ${lacking.length === 1 ? 'the column' : 'the columns'} ${titles(lacking)}. Its first row must name the columns.`,
    )
  }
  if (table.repeated.length > 0) {
    throw tableRefusal(
      'badInput',
      `More than one column could be meant: ${table.repeated.join(', ')}. Remove or rename it.`,
    )
  }
  return table
}

/** What can be checked of candidates that could not be read whole: nothing is found under an empty uid. */
const candidatesOf = (drafts: readonly DraftRow[]) =>
  drafts.map(({ said: { artworkSetUid = null, addressSetUid = null, ...said } }) => ({
    ...said,
    truckUid: said.truckUid || NOTHING,
    driverUid: said.driverUid || NOTHING,
    programUid: said.programUid || NOTHING,
    marketUid: said.marketUid || NOTHING,
    artworkSetUid,
    addressSetUid,
  }))
const NOTHING = '00000000-0000-0000-0000-000000000000'

async function check(db: Db, table: Uploaded): Promise<{ checked: CheckedUpload; facts: ShiftFacts }> {
  const drafts = readDraftRows(table, await loadKnownNames(db, table.rows))
  const facts = await loadShiftFacts(db, candidatesOf(drafts))
  const checked = checkDrafts(drafts, facts, await loadSavedShifts(db, drafts, facts))
  return { checked: { ...checked, rows: await addShortRestRemarks(db, checked.rows, checked.planned) }, facts }
}

/** Names what would be saved: another digest means that something else would be. */
function digestOf(toSave: readonly ShiftToSave[]): string {
  const hash = createHash('sha256')
  for (const { input, saved } of toSave) {
    hash.update(JSON.stringify([saved?.uid, saved?.version, input]))
  }
  return hash.digest('hex')
}

const answer = ({ ignored }: Uploaded, { rows, toSave }: CheckedUpload, saved: boolean): ShiftUploadResult => {
  const counts = Object.fromEntries(uploadRowStates.map((state) => [state, 0])) as ShiftUploadResult['counts']
  for (const { state } of rows) counts[state]++
  return { saved, digest: digestOf(toSave), counts, ignored, rows }
}

/** Checks the file or, with the digest of a check, saves what it found good. */
export async function checkOrSaveUpload(
  db: Db,
  scope: Scope,
  { save, digest = '' }: BodyOf<typeof shiftUpload.upload>,
  [file]: readonly ReceivedFile[],
): Promise<ShiftUploadResult> {
  if (!file) throw new AppError('badInput', { fields: { file: 'Choose a file.' } })
  return save ? saveUpload(db, scope, file, digest) : checkUpload(db, file)
}

/** Tells of every row what saving would do. */
async function checkUpload(db: Db, file: ReceivedFile): Promise<ShiftUploadResult> {
  const table = await readSchedule(file)
  return answer(table, (await check(db, table)).checked, false)
}

const CHANGED = 'The schedule changed since the check; check again.'

/** Saves what a check found good: all of it or nothing, and nothing that the check did not say. */
async function saveUpload(db: Db, scope: Scope, file: ReceivedFile, digest: string): Promise<ShiftUploadResult> {
  const table = await readSchedule(file)
  return explained(
    inTransaction(db, async (db) => {
      const { checked, facts } = await check(db, table)
      const found = answer(table, checked, true)
      if (found.digest !== digest) throw new AppError('staleVersion', { text: CHANGED })
      await save(db, scope, checked.toSave, facts)
      return found
    }),
  )
}

/** Changes first: what moves away makes place for what is new. */
async function save(db: Db, scope: Scope, toSave: readonly ShiftToSave[], facts: ShiftFacts): Promise<void> {
  const added = toSave.filter(({ saved }) => !saved).map(({ input }) => toShiftRow(input, facts))
  const changed = toSave.flatMap(({ input, saved }) =>
    saved ? [{ uid: saved.uid, version: saved.version, ...toShiftRow(input, facts, savedPlaceOf(saved)) }] : [],
  )
  const count = await updateShifts(db, scope, changed)
  if (count !== changed.length) throw new AppError('staleVersion', { text: CHANGED })
  await insertShifts(db, scope, added)
}

const EXCLUSION = '23P01'
const DEADLOCK = '40P01'

/** What another writer did in the very moment, the database refuses. */
async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const isClash = error instanceof DatabaseError && (error.code === EXCLUSION || error.code === DEADLOCK)
    throw isClash ? new AppError('shiftClash', { text: CHANGED }) : error
  }
}
