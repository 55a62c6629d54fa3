import type { MarketArea } from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, prepared } from '../../platform/db/connection.ts'
import { trackAround } from '../evidence/index.ts'
import type { DrivenShift, PlayEvidence } from './grade.ts'

interface ShiftRow extends Omit<MarketArea, 'radiusM'> {
  uid: string
  program_uid: string
  market_uid: string
  starts_at: string
  ends_at: string
  radius_m: number | null
}

const iso = (ms: number) => new Date(ms).toISOString()

/** The evidence for plays of a truck at these moments. */
export async function evidenceFor(
  db: Db,
  truckUid: string,
  moments: readonly number[],
  outsideByM: number,
): Promise<PlayEvidence> {
  const times = moments.toSorted((a, b) => a - b)
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return { shifts: [], track: [], outsideByM }
  const [since, until] = [sql`${iso(first)}::timestamptz`, sql`${iso(last)}::timestamptz`]
  // A shift starts and stops at most a day before and after its plan, by which the index finds it.
  const { rows } = await prepared(sql<ShiftRow>`
    select s.uid, s.program_uid, s.market_uid, extract(epoch from lower(driven_hours(s))) * 1000 as starts_at,
           extract(epoch from upper(driven_hours(s))) * 1000 as ends_at, m.latitude, m.longitude, m.radius_m, m.outline
      from shift s join market m on m.uid = s.market_uid
     where s.truck_uid = ${truckUid} and s.deleted_at is null
       and s.starts_at > ${since} - interval '3 days' and s.starts_at < ${until} + interval '2 days'
       and driven_hours(s) && tstzrange(${since}, ${until}, '[]')
     order by 4, s.starts_at`).execute(db)
  return { shifts: rows.map(shiftOf), track: await trackAround(db, truckUid, times), outsideByM }
}

const shiftOf = ({ latitude, longitude, radius_m, outline, ...row }: ShiftRow): DrivenShift => ({
  uid: row.uid,
  programUid: row.program_uid,
  marketUid: row.market_uid,
  startsAt: Number(row.starts_at),
  endsAt: Number(row.ends_at),
  area: { latitude, longitude, radiusM: radius_m, outline },
})
