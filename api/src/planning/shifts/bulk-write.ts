import { sql } from 'kysely'
import { anyOf } from '../../platform/db/any-of.ts'
import type { Db } from '../../platform/db/connection.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { loadShiftFacts } from './facts.ts'
import type { ShiftValues } from './rules.ts'
import { type ShiftRow, toShiftRow } from './shift-row.ts'

// One JSON text carries all rows: thousands of rows are one parameter, not tens of thousands.
const asTable = (rows: object[]) => sql`json_populate_recordset(null::shift, ${JSON.stringify(rows)}::json)`

const COLUMNS = [
  'truck_uid',
  'driver_uid',
  'program_uid',
  'market_uid',
  'local_date',
  'start_time',
  'end_time',
  'zone',
  'starts_at',
  'ends_at',
  'artwork_set_uid',
  'address_set_uid',
  'pay_option',
  'note',
  'stops',
] as const satisfies (keyof ShiftRow)[]

const columns = sql.raw(COLUMNS.join(', '))

/** Adds checked shifts in one statement; answers their uids. */
export async function insertShifts(db: Db, { actor }: Scope, rows: ShiftRow[]): Promise<string[]> {
  if (rows.length === 0) return []
  const added = await sql<{ uid: string }>`insert into shift (${columns}, changed_by, changed_from)
            select ${columns}, ${actor.uid}::uuid, ${actor.address} from ${asTable(rows)} returning uid`.execute(db)
  return added.rows.map(({ uid }) => uid)
}

type ChangedRow = ShiftRow & { uid: string; version: number }

/** Changes checked shifts in one statement and returns how many were still at their version. */
export async function updateShifts(db: Db, { actor }: Scope, rows: ChangedRow[]): Promise<number> {
  if (rows.length === 0) return 0
  const sets = sql.raw(COLUMNS.map((name) => `${name} = n.${name}`).join(', '))
  const { numAffectedRows } = await sql`
    update shift t set ${sets}, changed_by = ${actor.uid}::uuid, changed_from = ${actor.address}
      from ${asTable(rows)} n
     where t.uid = n.uid and t.version = n.version and t.deleted_at is null`.execute(db)
  return Number(numAffectedRows)
}

interface ZonedShift {
  uid: string
  zone: string
  /** In milliseconds since 1970. */
  startsAt: number
  endsAt: number
}

/** Gives locked and checked shifts another zone with the instants at which its clocks show their times. */
export async function moveToZone(db: Db, { actor }: Scope, shifts: readonly ZonedShift[]): Promise<void> {
  if (shifts.length === 0) return
  const given = rowsAsTable('n', shifts, {
    uid: ['uuid', ({ uid }) => uid],
    zone: ['text', ({ zone }) => zone],
    starts_at: ['timestamptz', ({ startsAt }) => new Date(startsAt).toISOString()],
    ends_at: ['timestamptz', ({ endsAt }) => new Date(endsAt).toISOString()],
  })
  await sql`
    update shift t set zone = n.zone, starts_at = n.starts_at, ends_at = n.ends_at,
           changed_by = ${actor.uid}::uuid, changed_from = ${actor.address}
      from ${given} where t.uid = n.uid`.execute(db)
}

const RESTORED_COLUMNS = [
  ...COLUMNS,
  'status',
  'reason',
  'started_at',
  'stopped_at',
  'times_reason',
  'start_corrected',
  'stop_corrected',
  'starts_count_from',
  'stops_count_from',
  'deleted_at',
]

interface FormerShifts {
  /** Whole rows, as `to_jsonb` gave them. */
  rows: readonly object[]
  /** The shifts that were not there. */
  removed: readonly string[]
}

/** Brings locked and checked shifts back to former rows, and deletes those that were not there. */
export async function restoreShifts(db: Db, { actor }: Scope, { rows, removed }: FormerShifts): Promise<void> {
  if (rows.length > 0) {
    // A row from before shifts had stops knows none.
    const valueOf = (name: string) => (name === 'stops' ? `coalesce(n.stops, t.stops)` : `n.${name}`)
    const sets = sql.raw(RESTORED_COLUMNS.map((name) => `${name} = ${valueOf(name)}`).join(', '))
    await sql`update shift t set ${sets}, changed_by = ${actor.uid}::uuid, changed_from = ${actor.address}
                 from ${asTable([...rows])} n where t.uid = n.uid`.execute(db)
  }
  if (removed.length === 0) return
  const removal = { deleted_at: sql<string>`now()`, changed_by: actor.uid, changed_from: actor.address }
  await db.updateTable('shift').set(removal).where('uid', '=', anyOf(removed)).execute()
}

/** Adds shifts without checking them, such as those of the demo. */
export async function saveShifts(db: Db, scope: Scope, shifts: ShiftValues[]): Promise<void> {
  const facts = await loadShiftFacts(db, shifts)
  await insertShifts(
    db,
    scope,
    shifts.map((values) => toShiftRow(values, facts)),
  )
}
