import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

interface MissingPlays {
  /** The first and the last number of the hole. */
  from: number
  to: number
}

/** The numbers of a player's plays that have not arrived, although later ones have. */
export async function missingPlays(db: Db, deviceUid: string): Promise<MissingPlays[]> {
  const { rows } = await sql<MissingPlays>`
    select lower(hole) as "from", upper(hole) - 1 as "to"
      from play_sequence q, unnest(int8multirange(int8range(1, upper(q.received))) - q.received) hole
     where q.device_uid = ${deviceUid} and not isempty(q.received)
     order by 1`.execute(db)
  return rows
}
