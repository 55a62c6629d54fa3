import type { ShiftStatus } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { recordEvents } from '../../platform/outbox/index.ts'
import { PLANNED_JOINS, plannedColumns } from './queries.ts'

interface NamedRecord {
  uid: string
  name: string
}

/** A shift as its events tell it. Clients never see drivers: what goes to one leaves the driver out. */
export interface ShiftState {
  truck: NamedRecord
  driver: NamedRecord
  program: NamedRecord
  client: NamedRecord
  market: NamedRecord
  date: string
  start: string
  end: string
  zone: string
  startsAt: string
  endsAt: string
  status: ShiftStatus
  startedAt: string | null
  stoppedAt: string | null
}

type ShiftChange = 'added' | 'removed' | 'planned' | 'out' | 'completed' | 'cancelled' | 'noShow' | 'changed'

type ShiftStates = ReadonlyMap<string, ShiftState>

/** Shifts as they are now, without deleted ones. */
export async function loadShiftStates(db: Db, uids: readonly string[]): Promise<ShiftStates> {
  const { uid, ...columns } = plannedColumns
  const fields = Object.entries(columns).map(([name, column]) => sql`${column} as ${sql.ref(name)}`)
  const { rows } = await sql<ShiftState & { uid: string }>`
    select ${uid} as uid, ${sql.join(fields)}, t.status, t.started_at as "startedAt", t.stopped_at as "stoppedAt"
      from shift t ${PLANNED_JOINS} where t.uid = any(${[...uids]}::uuid[]) and t.deleted_at is null`.execute(db)
  return new Map(rows.map(({ uid, ...state }) => [uid, state]))
}

function changeOf(before: ShiftState | undefined, after: ShiftState | undefined): ShiftChange {
  if (!before) return 'added'
  if (!after) return 'removed'
  return before.status === after.status ? 'changed' : after.status
}

// Uploads change thousands of shifts at once, and a statement takes a limited number of values.
const AT_ONCE = 500

/** Keeps what happened to shifts since `before`, in the transaction of the change. */
export async function recordShiftChanges(
  db: Db,
  uids: readonly string[],
  before: ShiftStates = new Map(),
): Promise<void> {
  for (let from = 0; from < uids.length; from += AT_ONCE) {
    const some = uids.slice(from, from + AT_ONCE)
    const after = await loadShiftStates(db, some)
    const events = some
      .map((uid) => ({ uid, was: before.get(uid), is: after.get(uid) }))
      .filter(({ was, is }) => JSON.stringify(was) !== JSON.stringify(is))
      .map(({ uid, was, is }) => ({
        type: 'shift.changed',
        object: `shift ${uid}`,
        clientUid: (is ?? was)?.client.uid ?? null,
        data: { change: changeOf(was, is), shiftUid: uid, before: was ?? null, after: is ?? null },
      }))
    await recordEvents(db, events)
  }
}

/** Changes shifts and keeps what happened to them. Needs a transaction. */
export async function withShiftEvents<T>(db: Db, uids: readonly string[], change: () => Promise<T>): Promise<T> {
  const before = await loadShiftStates(db, uids)
  const result = await change()
  await recordShiftChanges(db, uids, before)
  return result
}
