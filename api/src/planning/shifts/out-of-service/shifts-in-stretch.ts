import { type Shift, type ShiftDecision } from '@roadshow/contract'
import { sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { Scope } from '../../../platform/db/records/scope.ts'
import { refuseForShifts } from '../../../catalog/in-use/index.ts'
import { shiftRecords } from '../queries.ts'
import type { Resource } from './resource.ts'

interface Hours {
  startsAt: number
  endsAt: number
}

/** The planned shifts of a truck or a driver between two instants that are not over, as the database refuses them. */
export async function loadShiftsInStretch(
  db: Db,
  scope: Scope,
  { over, uid }: Resource,
  { startsAt, endsAt }: Hours,
): Promise<Shift[]> {
  const until = endsAt === Number.POSITIVE_INFINITY ? sql`null` : sql`to_timestamp(${endsAt / 1000}::float8)`
  const { rows } = await sql<{ uid: string }>`
    select t.uid from shift t
     where ${sql.ref(over === 'truck' ? 't.truck_uid' : 't.driver_uid')} = ${uid} and t.deleted_at is null and t.status = 'planned'
       and t.ends_at > now() and tstzrange(t.starts_at, t.ends_at) && tstzrange(to_timestamp(${startsAt / 1000}::float8), ${until})
     order by t.starts_at, t.uid`.execute(db)
  const found = await shiftRecords.findMany(
    db,
    scope,
    rows.map((row) => row.uid),
  )
  return found.filter((shift) => shift !== undefined)
}

/** The shifts with what was decided about each; a shift without a decision refuses the stretch. */
export async function decide(
  shifts: readonly Shift[],
  decisions: readonly ShiftDecision[],
  { over, uid, name }: Resource,
): Promise<{ shift: Shift; toUid: string | null }[]> {
  const byUid = new Map(decisions.map((decision) => [decision.uid, decision]))
  const open = shifts.filter((shift) => !byUid.has(shift.uid))
  if (open.length > 0) {
    const away = over === 'truck' ? 'in the shop' : 'off'
    refuseForShifts('shiftsInTheWay', {
      shifts: open.map((shift) => ({ uid: shift.uid, version: shift.version, status: shift.status, date: shift.date })),
      say: (some) => `${name} has ${some} while ${away}. Give them to others or cancel them first.`,
    })
  }
  return shifts.map((shift) => {
    const decision = byUid.get(shift.uid)
    if (decision?.version !== shift.version) throw new AppError('staleVersion')
    if (decision.toUid === uid) throw new AppError('outOfService', { text: `${name} is out of service at that time.` })
    return { shift, toUid: decision.toUid }
  })
}
