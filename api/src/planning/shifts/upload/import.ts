import type { Shift, ShiftUploadColumn } from '@roadshow/contract'
import { sql } from 'kysely'
import { marketNamer } from '../../../catalog/markets/index.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { Scope } from '../../../platform/db/records/scope.ts'
import type { ImportKind } from '../../../platform/import-kind.ts'
import type { Table } from '../../../platform/spreadsheet/table-file.ts'
import { shiftSheet } from '../export.ts'
import { findUndoObstacle, undoPlanChange } from '../plan-changes/undo.ts'
import { shiftRecords } from '../queries.ts'
import { checkSchedule, explainClash, fingerprintOf, writeShifts } from './upload.ts'

/** Names drivers as a file must, which can be read again: by email address where several users have the name. */
async function driverNamer(db: Db): Promise<(driver: Shift['driver']) => Shift['driver']> {
  const { rows } = await sql<{ uid: string; email: string }>`
    select uid, email::text from user_account
     where lower(name) in (select lower(name) from user_account group by 1 having count(*) > 1)`.execute(db)
  const emails = new Map(rows.map(({ uid, email }) => [uid, email]))
  return (driver) => driver && { ...driver, name: emails.get(driver.uid) ?? driver.name }
}

async function* exportedShifts(db: Db, scope: Scope): AsyncGenerator<Shift> {
  const [driverNamed, marketNamed] = [await driverNamer(db), await marketNamer(db)]
  for await (const shift of shiftRecords.stream(db, scope, { page: 1, pageSize: 100 })) {
    yield { ...shift, driver: driverNamed(shift.driver), market: marketNamed(shift.market) }
  }
}

/** Shifts from spreadsheets, by the checks of their upload; undone as any other change of the plan. */
export const shiftImport: ImportKind = {
  kind: 'shifts',
  check: async (db, scope, table) => {
    const { checked, facts } = await checkSchedule(db, table as Table<ShiftUploadColumn>)
    const { rows, toSave } = checked
    return {
      rows,
      records: {
        new: toSave.filter(({ saved }) => !saved).length,
        changed: toSave.filter(({ saved }) => saved).length,
      },
      inactive: toSave.filter(({ inactiveProgram }) => inactiveProgram !== undefined).length,
      fingerprints: toSave.map(fingerprintOf),
      save: async (skipped) => {
        const wanted = toSave.filter(({ saved }) => !skipped.has(saved ? 'changed' : 'new'))
        const { undoUid, added } = await explainClash(writeShifts(db, scope, wanted, facts))
        return undoUid === null ? null : { uid: undoUid, added, changed: wanted.length - added.length }
      },
    }
  },
  findObstacle: (db, { uid }) => findUndoObstacle(db, uid),
  undo: async (db, scope, { uid }) => {
    const { added, changed } = await undoPlanChange(db, scope, { uid }, { ofAnyone: true })
    return { removed: added, restored: changed.length - added }
  },
  exported: { sheet: shiftSheet, stream: exportedShifts },
}
