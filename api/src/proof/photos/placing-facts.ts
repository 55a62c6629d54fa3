import { DAY_MS } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { heldHours } from '../../planning/shifts/index.ts'
import { fixesAround } from '../../live/evidence/index.ts'
import type { CandidateShift, LocatedCandidate, PhotoData, PlacedMarket } from './placing-rules.ts'

const shiftColumns = sql`
  s.uid, s.program_uid as "programUid", s.market_uid as "marketUid", s.truck_uid as "truckUid", s.zone,
  (extract(epoch from coalesce(lower(${heldHours('s')}), s.starts_at)) * 1000)::float8 as "from",
  (extract(epoch from coalesce(upper(${heldHours('s')}), s.ends_at)) * 1000)::float8 as "to"`

export async function loadShift(db: Db, uid: string): Promise<CandidateShift | undefined> {
  const found = sql<CandidateShift>`select ${shiftColumns} from shift s where s.uid = ${uid} and s.deleted_at is null`
  return (await found.execute(db)).rows[0]
}

interface ShiftFilter {
  programUid: string | undefined
  marketUid: string | undefined
  /** Null: shifts of every driver. */
  driverUid: string | null
}

/** Shifts that took place within a day of an instant, which is only approximate without a zone. */
export async function loadShiftsAround(db: Db, instant: number, filter: ShiftFilter): Promise<CandidateShift[]> {
  const { programUid = null, marketUid = null, driverUid } = filter
  const [from, to] = [new Date(instant - DAY_MS), new Date(instant + DAY_MS)]
  const { rows } = await sql<CandidateShift>`
    select ${shiftColumns} from shift s
     where s.deleted_at is null
       and s.starts_at > ${from}::timestamptz - interval '3 days' and s.starts_at < ${to}::timestamptz + interval '2 days'
       and ${heldHours('s')} && tstzrange(${from}, ${to}, '[]')
       ${programUid === null ? sql`` : sql`and s.program_uid = ${programUid}`}
       ${marketUid === null ? sql`` : sql`and s.market_uid = ${marketUid}`}
       ${driverUid === null ? sql`` : sql`and s.driver_uid = ${driverUid}`}`.execute(db)
  return rows
}

/** The markets of a program in its order, or all markets. */
export function loadMarkets(db: Db, programUid: string | undefined): Promise<PlacedMarket[]> {
  const markets = db
    .selectFrom('market as m')
    .select([
      'm.uid',
      'm.zone',
      'm.earlier_zones as earlierZones',
      'm.latitude',
      'm.longitude',
      'm.radius_m as radiusM',
      'm.outline',
    ])
    .$narrowType<Pick<PlacedMarket, 'outline' | 'earlierZones'>>()
    .where('m.deleted_at', 'is', null)
  if (!programUid) return markets.execute()
  const ofProgram = markets.innerJoin('program_market as pm', 'pm.market_uid', 'm.uid')
  return ofProgram.where('pm.program_uid', '=', programUid).orderBy('pm.position').execute()
}

/** Adds where the trucks of shifts were when a photo was taken; a photo without a place skips the query. */
export async function locateTrucks(
  db: Db,
  shifts: readonly CandidateShift[],
  { instantIn, place }: PhotoData,
): Promise<LocatedCandidate[]> {
  const moments = shifts.map(({ truckUid, zone }) => ({ truckUid, at: instantIn(zone) ?? 0 }))
  const fixes = await fixesAround(db, place ? moments : [])
  return shifts.map((shift, index) => {
    const at = moments[index]?.at ?? 0
    const nearest = fixes[index]?.toSorted((one, other) => Math.abs(one.at - at) - Math.abs(other.at - at))[0]
    return { ...shift, truckAt: nearest ?? null }
  })
}
