import type { TrackPoint } from '@roadshow/contract'
import { EMPTY_STATE } from './miles.ts'
import { hasData, type HeldHours, type TrackPart, type TruckState } from './track-parts.ts'

type Numbers = readonly (number | null)[]

/**
 * The state of a truck as it is stored: only numbers, in a fixed order. Every page of a source writes the tracks of all
 * moving trucks, and field names would be most of the bytes. A truck without a fix is null.
 */
export type PackedState = Numbers | null

type PackedPart = readonly [from: number, to: number, shift: string | null, ...totals: number[]]

/** A day (UTC) of a truck as it is stored. */
export interface PackedDay {
  start: PackedState
  end: PackedState
  shifts: readonly (readonly [from: number, to: number, uid: string])[]
  parts: readonly PackedPart[]
}

const ofFix = (fix: TrackPoint | null | undefined): Numbers =>
  fix ? [fix.at, fix.latitude, fix.longitude, fix.speedKmh] : [null, null, null, null]

const toFix = ([at, latitude, longitude, speedKmh]: Numbers): TrackPoint | null =>
  typeof at !== 'number' ? null : { at, latitude: latitude ?? 0, longitude: longitude ?? 0, speedKmh: speedKmh ?? null }

export const EMPTY_TRUCK_STATE: TruckState = { ...EMPTY_STATE, drive: null }

export function packState({ reachM, anchor, last, drive, elsewhere }: TruckState): PackedState {
  if (!last) return null
  const driven = drive ? [drive.since, drive.until, drive.meters] : [null, null, null]
  const kept = [reachM, ...ofFix(anchor), ...ofFix(last), ...driven]
  return elsewhere ? [...kept, elsewhere.count, ...ofFix(elsewhere.fix)] : kept
}

export function unpackState(kept: PackedState): TruckState {
  if (!kept) return { ...EMPTY_TRUCK_STATE }
  const [since, until, meters] = kept.slice(9, 12)
  const elsewhere = toFix(kept.slice(13, 17))
  return {
    reachM: kept[0] ?? 0,
    anchor: toFix(kept.slice(1, 5)),
    last: toFix(kept.slice(5, 9)),
    drive: typeof since === 'number' ? { since, until: until ?? since, meters: meters ?? 0 } : null,
    elsewhere: elsewhere && { fix: elsewhere, count: kept[12] ?? 0 },
  }
}

export const packShifts = (shifts: readonly HeldHours[]): PackedDay['shifts'] =>
  shifts.map(({ from, to, uid }) => [from, to, uid] as const)

/** Parts without data are left out. */
export const packParts = (parts: readonly TrackPart[]): PackedPart[] =>
  parts
    .filter(hasData)
    .map(({ from, to, shift, meters, estimatedMeters, heardMs, fixes }) => [
      from,
      to,
      shift,
      meters,
      estimatedMeters,
      heardMs,
      fixes,
    ])

export const unpackParts = (packed: readonly PackedPart[]): TrackPart[] =>
  packed.map(([from, to, shift, meters = 0, estimatedMeters = 0, heardMs = 0, fixes = 0]) => ({
    from,
    to,
    shift,
    meters,
    estimatedMeters,
    heardMs,
    fixes,
  }))

/** Whether two states are the same, to the bit. */
export function isSameState(one: TruckState, other: TruckState): boolean {
  const [first, second] = [packState(one) ?? [], packState(other) ?? []]
  return first.length === second.length && first.every((each, index) => each === second[index])
}
