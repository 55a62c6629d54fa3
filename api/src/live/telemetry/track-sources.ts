import type { PositionSourceKind } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { TimeRange } from './time-ranges.ts'

/** A stretch of a truck's track that one source gave. */
export interface SourceStretch extends TimeRange {
  name: string
  kind: PositionSourceKind
}

const MINUTE_MS = 60_000
// A tracker that speaks every few minutes is one stretch.
const GAP_MS = 10 * MINUTE_MS

/** Which sources gave a truck's track, to the minute. MyGeotab is left out. */
export async function sourcesBetween(db: Db, truckUid: string, { from, to }: TimeRange): Promise<SourceStretch[]> {
  const { rows } = await sql<{ at: number; source: string }>`
    select (extract(epoch from at) * 1000)::float8 as at, source_uid as source from position_minute
     where truck_uid = ${truckUid} and at >= ${new Date(from - MINUTE_MS)} and at < ${new Date(to)}
     order by at`.execute(db)
  if (rows.length === 0) return []
  const named = await db.selectFrom('position_source').select(['uid', 'name', 'kind']).execute()
  const names = new Map(named.map(({ uid, name, kind }) => [uid, { name, kind: kind as PositionSourceKind }]))
  const stretches: (SourceStretch & { source: string })[] = []
  for (const { at, source } of rows) {
    const last = stretches.at(-1)
    if (last?.source === source && at - last.to <= GAP_MS) last.to = at + MINUTE_MS
    else stretches.push({ from: at, to: at + MINUTE_MS, source, name: '', kind: 'json', ...names.get(source) })
  }
  return stretches.map(({ from, to: until, name, kind }) => ({ from, to: until, name, kind }))
}
