import type { ShiftUploadColumn } from '@roadshow/contract'
import type { ImportKind } from '../../../platform/import-kind.ts'
import type { Table } from '../../../platform/spreadsheet/table-file.ts'
import { shiftSheet } from '../export.ts'
import { undoPlanChange } from '../plan-changes/undo.ts'
import { shiftRecords } from '../queries.ts'
import { checkSchedule, explainClash, fingerprintOf, writeShifts } from './upload.ts'

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
      save: (skipped) => {
        const wanted = toSave.filter(({ saved }) => !skipped.has(saved ? 'changed' : 'new'))
        return explainClash(writeShifts(db, scope, wanted, facts))
      },
    }
  },
  undo: async (db, scope, uid) => {
    const { changed } = await undoPlanChange(db, scope, { uid })
    return { removed: 0, restored: changed.length }
  },
  exported: { sheet: shiftSheet, stream: (db, scope) => shiftRecords.stream(db, scope, { page: 1, pageSize: 100 }) },
}
