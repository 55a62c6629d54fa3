import type { Shift } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/** What decides how often each line of a rotation is shown, by the columns that the history names. */
const OF_PROGRAM = ['rotation_line', 'spot_seconds']
const OF_SETS = ['driver_side_artwork_uid', 'passenger_side_artwork_uid', 'rear_artwork_uid', 'status', 'approved_hash']
const OF_SHIFT = ['artwork_set_uid', 'program_uid', 'market_uid']

/** When what a shift shows in turn last changed after a moment, as the history tells; null if it did not. */
export async function loadRotationChange(
  db: Db,
  { uid, program }: Pick<Shift, 'uid' | 'program'>,
  since: Date,
): Promise<string | null> {
  const { rows } = await sql<{ at: string | null }>`
    select max(h.at) as at from history h
     where h.at > ${since} and h.action = 'changed'
       and ((h.table_name = 'client_program' and h.record_uid = ${program.uid} and h.changes ?| ${OF_PROGRAM}::text[])
         or (h.table_name = 'artwork_set' and h.changes ?| ${OF_SETS}::text[]
             and h.record_uid in (select artwork_set_uid from rotation_line where program_uid = ${program.uid}))
         or (h.table_name = 'shift' and h.record_uid = ${uid} and h.changes ?| ${OF_SHIFT}::text[]))`.execute(db)
  return rows[0]?.at ?? null
}
