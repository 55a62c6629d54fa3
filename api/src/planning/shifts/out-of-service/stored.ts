import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import type { Scope } from '../../../platform/db/records/scope.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { StoredStretchRow, StretchChange } from '../plan-changes/record.ts'
import type { Resource } from './resource.ts'
import type { resolveStretch } from './rules.ts'

type Stretch = NonNullable<ReturnType<typeof resolveStretch>['stretch']>

/** The columns of a stretch that passed the rules. */
export function toStretchRow({ over, uid }: Resource, { clocks, startsAt, endsAt }: Stretch, reason: string) {
  const isEndless = clocks.to === null
  return {
    truck_uid: over === 'truck' ? uid : null,
    driver_uid: over === 'driver' ? uid : null,
    starts_on: clocks.from,
    start_time: clocks.startTime,
    ends_on: clocks.to,
    end_time: isEndless ? null : (clocks.endTime ?? '24:00'),
    zone: clocks.zone,
    starts_at: new Date(startsAt).toISOString(),
    ends_at: isEndless ? null : new Date(endsAt).toISOString(),
    reason,
  }
}

const findStretch = (db: Db, uid: string) =>
  db
    .selectFrom('out_of_service as t')
    .select(['t.uid', 't.version', 't.truck_uid', 't.driver_uid'])
    .select([
      sql`to_jsonb(t)`.$castTo<StoredStretchRow>().as('row'),
      sql<boolean>`t.deleted_at is not null`.as('isDeleted'),
    ])
    .where('t.uid', '=', uid)
    .forUpdate()
    .executeTakeFirst()

type StoredStretch = NonNullable<Awaited<ReturnType<typeof findStretch>>>

/** Locks a stretch for a change. Needs a transaction. */
export async function lockStretch(db: Db, uid: string): Promise<StoredStretch> {
  const found = await findStretch(db, uid)
  if (!found || found.isDeleted) throw new AppError('notFound')
  return found
}

const RESTORED_COLUMNS = [
  'starts_on',
  'start_time',
  'ends_on',
  'end_time',
  'zone',
  'starts_at',
  'ends_at',
  'reason',
  'deleted_at',
] as const

/** Brings a stretch back to what it was before a change, unless it changed since. */
export async function revertStretch(db: Db, { actor }: Scope, { uid, version, before }: StretchChange): Promise<void> {
  const now = await findStretch(db, uid)
  if (now?.version !== version) {
    throw new AppError('undoRefused', {
      text: "This can't be undone, because the time out of service was changed since.",
    })
  }
  const restored = before && Object.fromEntries(RESTORED_COLUMNS.map((name) => [name, before[name] as string]))
  await db
    .updateTable('out_of_service')
    .set(restored ?? { deleted_at: sql<string>`now()` })
    .set({ changed_by: actor.uid, changed_from: actor.address })
    .where('uid', '=', uid)
    .execute()
}
