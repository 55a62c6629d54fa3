import { sql } from 'kysely'
import { copyInto, COPY_NULL } from '../../platform/db/copy.ts'
import { type Db, isRepeated } from '../../platform/db/connection.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import type { TrackerFix } from './records.ts'
import { precedesStored } from './truck-now.ts'

/** Stores positions and answers the new ones. Nearly always all are new, so COPY is tried first. */
export async function storePositions(db: Db, fixes: TrackerFix[]): Promise<TrackerFix[]> {
  if (fixes.length === 0) return fixes
  await sql`savepoint positions`.execute(db)
  try {
    await copyPositions(db, fixes)
  } catch (error) {
    if (!isRepeated(error)) throw error
    await sql`rollback to savepoint positions`.execute(db)
    return insertPositions(db, fixes)
  }
  await sql`release savepoint positions`.execute(db)
  return fixes
}

const copyPositions = (db: Db, fixes: readonly TrackerFix[]) =>
  copyInto(
    db,
    'position (truck_uid, at, latitude, longitude, speed_kmh)',
    fixes
      .map(
        ({ truck, at, latitude, longitude, speedKmh }) =>
          `${truck}\t${new Date(at).toISOString()}\t${latitude}\t${longitude}\t${speedKmh ?? COPY_NULL}\n`,
      )
      .join(''),
  )

/** Stores those that are not there yet or precede the stored one of their moment, and says which these are. */
async function insertPositions(db: Db, fixes: TrackerFix[]): Promise<TrackerFix[]> {
  const given = rowsAsTable(
    'g',
    fixes,
    {
      truck_uid: ['uuid', ({ truck }) => truck],
      ms: ['float8', ({ at }) => at],
      latitude: ['float8', ({ latitude }) => latitude],
      longitude: ['float8', ({ longitude }) => longitude],
      speed_kmh: ['float8', ({ speedKmh }) => speedKmh],
    },
    { ordinality: 'n' },
  )
  // As a value: each machine of a cluster has a now() of its own.
  const { rows: clock } = await sql<{ now: string }>`select now()::text as now`.execute(db)
  const receivedAt = sql`${clock[0]?.now}::timestamptz`
  await sql`
    insert into position (truck_uid, at, latitude, longitude, speed_kmh, received_at)
    select truck_uid, to_timestamp(ms / 1000), latitude, longitude, speed_kmh, ${receivedAt} from ${given}
        on conflict (truck_uid, at) do update
       set latitude = excluded.latitude, longitude = excluded.longitude, speed_kmh = excluded.speed_kmh,
           received_at = excluded.received_at
     where ${precedesStored('position')}`.execute(db)
  // Rows that this transaction received are new; rows that were there before have another `received_at`. The condition
  // on the outermost times limits the search to their days.
  const times = fixes.map(({ at }) => at)
  const { rows } = await sql<{ n: number }>`
    select g.n from ${given}
      join position p on p.truck_uid = g.truck_uid and p.at = to_timestamp(ms / 1000) and p.received_at = ${receivedAt}
     where p.at between ${new Date(times.reduce((one, other) => Math.min(one, other)))}
                    and ${new Date(times.reduce((one, other) => Math.max(one, other)))}`.execute(db)
  const fresh = new Set(rows.map(({ n }) => n - 1))
  return fixes.filter((_, index) => fresh.has(index))
}
