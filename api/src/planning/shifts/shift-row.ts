import { type Shift, shiftRange } from '@roadshow/contract'
import { type ShiftCandidate, type ShiftFacts, type ShiftValues, zoneOfPlace } from './rules.ts'

/** The driver of a shift that staff works with. Only clients get shifts without one. */
export function driverOf({ uid, driver }: Shift): NonNullable<Shift['driver']> {
  if (!driver) throw new Error(`The driver of shift ${uid} was not read.`)
  return driver
}

/** A saved shift as a person would fill it in. */
export const toShiftValues = (shift: Shift): ShiftValues => ({
  truckUid: shift.truck.uid,
  driverUid: driverOf(shift).uid,
  programUid: shift.program.uid,
  marketUid: shift.market.uid,
  date: shift.date,
  start: shift.start,
  end: shift.end,
  artworkSetUid: shift.artworkSet?.uid ?? null,
  addressSetUid: shift.addressSet?.uid ?? null,
  payOption: shift.payOption,
  note: shift.note,
  stops: shift.stops,
})

/** Where and on which day a shift was saved, and its zone. */
export type SavedPlace = { market: { uid: string }; date: string; zone: string }

type MarketFacts = Pick<ShiftFacts, 'markets'>

/** When a shift starts and ends. On the same day in the same market it keeps the zone with which it was saved. */
export function shiftInstants(candidate: ShiftCandidate, facts: MarketFacts, saved?: SavedPlace) {
  const isKept = saved?.market.uid === candidate.marketUid && saved.date === candidate.date
  const zone = (isKept ? saved.zone : zoneOfPlace(candidate, facts)) ?? 'UTC'
  const { startsAt = Number.NaN, endsAt = Number.NaN } = shiftRange({ ...candidate, zone })
  return { zone, startsAt, endsAt }
}

/**
 * When a shift would block its truck and its driver. One that was stopped before its planned end has freed them: the
 * database keeps that in `released_at` as soon as the shift is saved, and this foresees it for other hours.
 */
export function bookedInstants(candidate: ShiftCandidate, facts: MarketFacts, saved?: Shift) {
  const { startsAt, endsAt } = shiftInstants(candidate, facts, saved)
  if (saved?.status !== 'completed' || saved.stoppedAt === null) return { startsAt, endsAt }
  return { startsAt, endsAt: Math.max(startsAt, Math.min(endsAt, Date.parse(saved.stoppedAt))) }
}

/** The columns of a shift that passed the rules. */
export function toShiftRow(values: ShiftValues, facts: MarketFacts, saved?: SavedPlace) {
  const { zone, startsAt, endsAt } = shiftInstants(values, facts, saved)
  return {
    truck_uid: values.truckUid,
    driver_uid: values.driverUid,
    program_uid: values.programUid,
    market_uid: values.marketUid,
    local_date: values.date,
    start_time: values.start,
    end_time: values.end,
    zone,
    starts_at: new Date(startsAt).toISOString(),
    ends_at: new Date(endsAt).toISOString(),
    artwork_set_uid: values.artworkSetUid,
    address_set_uid: values.addressSetUid,
    pay_option: values.payOption,
    note: values.note,
    stops: values.stops ?? [],
  }
}
export type ShiftRow = ReturnType<typeof toShiftRow>

/** A row as a single statement takes it: an array would be taken for one of PostgreSQL. */
export const withStopsText = (row: ShiftRow) => ({ ...row, stops: JSON.stringify(row.stops) })
