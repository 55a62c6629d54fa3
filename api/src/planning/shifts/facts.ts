import type { BodyOf, shifts, TruckState } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/** A shift as somebody would like to have it. */
export type ShiftCandidate = Omit<BodyOf<typeof shifts.create>, 'payOption' | 'note'>

interface Dates {
  startsOn: string
  endsOn: string
}

/** What the records that shifts refer to say about them, by uid. What is deleted is not there. */
export interface ShiftFacts {
  trucks: Map<string, { number: string; state: TruckState }>
  drivers: Map<string, { name: string; role: string }>
  programs: Map<string, Dates & { name: string }>
  markets: Map<string, { name: string; zone: string }>
  /** By program and market. */
  programMarkets: Map<string, { startsOn: string | null; endsOn: string | null }>
  artworkSets: Map<string, { programUid: string }>
  addressSets: Map<string, { programUid: string }>
  /** Days whose pay is locked, in order. */
  lockedPay: { from: string; to: string }[]
}

export const inMarket = (programUid: string, marketUid: string) => `${programUid} ${marketUid}`

/**
 * Everything that is to be known of some shifts before they are saved, in a few statements however many they are.
 * In a transaction the records are held until it ends. Trucks and drivers are taken one writer at a time, in the order
 * of their uids: whoever comes second sees what the first one planned.
 */
export async function loadShiftFacts(db: Db, candidates: readonly ShiftCandidate[]): Promise<ShiftFacts> {
  const uids = (field: keyof ShiftCandidate) => [...new Set(candidates.map((each) => each[field] ?? []).flat())]
  const lock = (strength: 'share' | 'no key update') => (db.isTransaction ? sql.raw(`for ${strength}`) : sql``)
  const map = async <Row extends { uid: string }>(query: ReturnType<typeof sql<Row>>) =>
    new Map((await query.execute(db)).rows.map((row) => [row.uid, row]))

  const trucks = await map(sql<{ uid: string; number: string; state: TruckState }>`
    select uid, number, state from truck where uid = any(${uids('truckUid')}) and deleted_at is null
     order by uid ${lock('no key update')}`)
  const drivers = await map(sql<{ uid: string; name: string; role: string }>`
    select uid, name, role from user_account where uid = any(${uids('driverUid')}) and deleted_at is null
     order by uid ${lock('no key update')}`)
  const programs = await map(sql<{ uid: string; name: string } & Dates>`
    select uid, name, starts_on as "startsOn", ends_on as "endsOn" from client_program
     where uid = any(${uids('programUid')}) and deleted_at is null order by uid ${lock('share')}`)
  const markets = await map(sql<{ uid: string; name: string; zone: string }>`
    select uid, name, zone from market where uid = any(${uids('marketUid')}) and deleted_at is null
     order by uid ${lock('share')}`)
  // A program's markets change only with its own row, which is held.
  const programMarkets = await map(sql<{ uid: string; startsOn: string | null; endsOn: string | null }>`
    select program_uid || ' ' || market_uid as uid, starts_on as "startsOn", ends_on as "endsOn" from program_market
     where program_uid = any(${uids('programUid')})`)
  const artworkSets = await map(sql<{ uid: string; programUid: string }>`
    select uid, program_uid as "programUid" from artwork_set
     where uid = any(${uids('artworkSetUid')}) and deleted_at is null order by uid ${lock('share')}`)
  const addressSets = await map(sql<{ uid: string; programUid: string }>`
    select uid, program_uid as "programUid" from address_set
     where uid = any(${uids('addressSetUid')}) and deleted_at is null order by uid ${lock('share')}`)
  const { rows: lockedPay } = await sql<{ from: string; to: string }>`
    select starts_on as "from", ends_on as "to" from pay_period where state = 'locked' order by starts_on`.execute(db)
  return { trucks, drivers, programs, markets, programMarkets, artworkSets, addressSets, lockedPay }
}
