import { type BodyOf, type Inspection, type inspections, repairLabel } from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { resolveIssue } from '../fleet/index.ts'
import { inspectionRecords, loadInspection } from './queries.ts'

/** Certifies a defect as repaired or as needing no repair, once, and resolves its issue. */
export const certifyRepair = (
  db: Db,
  scope: Scope,
  { uid, itemUid, outcome, note }: BodyOf<typeof inspections.certify>,
): Promise<Inspection> =>
  inTransaction(db, async (db) => {
    await inspectionRecords.get(db, scope, uid)
    const line = await db
      .selectFrom('inspection_result')
      .select(['issue_uid', 'repair'])
      .where('inspection_uid', '=', uid)
      .where('item_uid', '=', itemUid)
      .forUpdate()
      .executeTakeFirst()
    if (!line?.issue_uid)
      throw new AppError('badInput', { fields: { itemUid: 'No defect was reported for this item.' } })
    if (line.repair !== null) throw new AppError('repairCertified')
    await db
      .updateTable('inspection_result')
      .set({
        repair: outcome,
        repair_note: note,
        repaired_by: scope.actor.uid,
        repaired_at: sql`now()`,
        repaired_from: scope.actor.address,
      })
      .where('inspection_uid', '=', uid)
      .where('item_uid', '=', itemUid)
      .execute()
    // The list of inspections says how many repairs are open: its totals are counted again.
    await db
      .updateTable('inspection')
      .set({ changed_by: scope.actor.uid, changed_from: scope.actor.address })
      .where('uid', '=', uid)
      .execute()
    const text = note === '' ? repairLabel[outcome] : `${repairLabel[outcome]}: ${note}`
    await resolveIssue(db, scope, line.issue_uid, text)
    return loadInspection(db, scope, uid)
  })
