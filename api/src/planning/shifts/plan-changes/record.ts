import type { ShiftPlanChangeKind } from '@roadshow/contract'
import { sql } from 'kysely'
import { anyOf } from '../../../platform/db/any-of.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { Scope } from '../../../platform/db/records/scope.ts'

/** A whole row of a shift, as PostgreSQL writes it in JSON. */
export type StoredShift = Record<string, string | number | boolean | null>

/** A shift of a change. */
export interface PlanChangeState {
  uid: string
  /** After the change. */
  version: number
  /** Null if the change added the shift. */
  before: StoredShift | null
}

/** Locks shifts, deleted ones too, in the order of their uids, and loads their rows. Needs a transaction. */
export const lockShifts = (db: Db, uids: readonly string[]) =>
  db
    .selectFrom('shift as t')
    .select(['t.uid', 't.version', sql<StoredShift>`to_jsonb(t)`.as('row')])
    .where('t.uid', '=', anyOf(uids))
    .orderBy('t.uid')
    .forUpdate()
    .execute()

/** The versions of shifts as they are now. */
export const loadVersions = (db: Db, uids: readonly string[]) =>
  db.selectFrom('shift').select(['uid', 'version']).where('uid', '=', anyOf(uids)).orderBy('uid').execute()

/** A whole row of a time out of service, as PostgreSQL writes it in JSON. */
export type StoredStretchRow = Record<string, string | number | boolean | null>

/** What a change did to a time out of service. */
export interface StretchChange {
  uid: string
  /** After the change. */
  version: number
  /** Its whole row before the change; null if the change added it. */
  before: StoredStretchRow | null
}

interface PlanChange {
  /** A save is that of a form or of a file. */
  kind: ShiftPlanChangeKind | 'save' | 'outOfService'
  /** The rows before the change; empty for a change that added all of its shifts. */
  before?: Awaited<ReturnType<typeof lockShifts>>
  added?: readonly string[]
  outOfService?: StretchChange
}

/** Keeps what a change changed, so that it can be undone. Needs the transaction of the change. */
export async function recordPlanChange(
  db: Db,
  { actor }: Scope,
  { kind, before = [], added = [], outOfService }: PlanChange,
) {
  const rows = new Map(before.map(({ uid, row }) => [uid, row]))
  const changed = await loadVersions(db, [...rows.keys(), ...added])
  if (changed.length === 0 && !outOfService) return { undoUid: null, changed }
  const states: PlanChangeState[] = changed.map(({ uid, version }) => ({ uid, version, before: rows.get(uid) ?? null }))
  const { uid } = await db
    .insertInto('shift_act')
    .values({
      kind,
      by_uid: actor.uid,
      states: JSON.stringify(states),
      out_of_service: outOfService ? JSON.stringify(outOfService) : null,
    })
    .returning('uid')
    .executeTakeFirstOrThrow()
  return { undoUid: uid, changed }
}
