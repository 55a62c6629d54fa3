import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'

/** Moments of a truck, in milliseconds since 1970, between which plays and photos are to be graded again. */
export interface EvidenceChange {
  truckUid: string
  from: number
  to: number
}

/**
 * Notes that evidence has changed. Jobs that grade find the notes by the time at which they were made, however old the
 * moments are.
 */
export async function noteEvidence(db: Db, changes: readonly EvidenceChange[]): Promise<void> {
  if (changes.length === 0) return
  const given = rowsAsTable('g', changes, {
    truck_uid: ['uuid', ({ truckUid }) => truckUid],
    from_ms: ['float8', ({ from }) => from],
    to_ms: ['float8', ({ to }) => to],
  })
  await sql`insert into evidence_change (truck_uid, first_at, last_at)
            select truck_uid, to_timestamp(from_ms / 1000), to_timestamp(to_ms / 1000) from ${given}`.execute(db)
}

// A truck that is silent for this long begins a new stretch.
const STRETCH_GAP_MS = 30 * 60_000

/** The stretches of time that fixes of trucks cover, for fixes ordered truck by truck. */
export function stretchesOf(fixes: readonly { truck: string; at: number }[]): EvidenceChange[] {
  const stretches: EvidenceChange[] = []
  let last: EvidenceChange | undefined
  for (const { truck, at } of fixes) {
    if (last?.truckUid === truck && at >= last.from - STRETCH_GAP_MS && at <= last.to + STRETCH_GAP_MS) {
      last.from = Math.min(last.from, at)
      last.to = Math.max(last.to, at)
    } else stretches.push((last = { truckUid: truck, from: at, to: at }))
  }
  return stretches
}
