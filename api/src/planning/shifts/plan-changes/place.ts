import type { RefusalGroup, Shift } from '@roadshow/contract'
import { type Booking, BookingIndex, describeShift } from '../bookings.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { groupBy } from '../../../platform/runtime/group-by.ts'
import { loadBookingsAround } from '../facts.ts'
import { checkShift, describeInactiveProgram, type ShiftFacts, type ShiftValues } from '../rules.ts'
import { driverOf, shiftInstants, toShiftValues } from '../shift-row.ts'
import { loadShortWays } from '../travel/facts.ts'
import { describeShortWay } from '../travel/rules.ts'

/** A shift at the place where it is wanted. */
export interface WantedShift {
  uid: string
  name: string
  values: ShiftValues
  /** The shift that is changed; a copy has none and is added. */
  saved?: Shift
}

/** A saved shift in words. */
export const nameOf = (shift: Shift, date = shift.date): string =>
  describeShift({
    ...shift,
    date,
    truck: shift.truck.name,
    driver: driverOf(shift).name,
    program: shift.program.name,
  })

const inTheWay = {
  truck: 'The truck has another shift at that time.',
  driver: 'The driver has another shift at that time.',
}

const bookingOf = ({ uid, name, values, saved }: WantedShift, facts: ShiftFacts): Booking => {
  const { truckUid, driverUid } = values
  const { startsAt, endsAt } = shiftInstants(values, facts, saved)
  // A copy is in the way of its original.
  return { uid: saved ? uid : `copy of ${uid}`, truckUid, driverUid, startsAt, endsAt, name }
}

interface PlaceOptions {
  facts: ShiftFacts
  allowInactiveProgram: boolean
}

/** Whether a shift fits. */
interface Placed {
  shift: WantedShift
  refusal?: Refusal
  /** It is of a draft or paused program, and nothing else stands in its way. */
  isInactive: boolean
}

/** Decides whether a shift fits. One that does is added to the bookings. */
function placeShift(shift: WantedShift, index: BookingIndex, { facts, allowInactiveProgram }: PlaceOptions): Placed {
  const { uid, name, values, saved } = shift
  const savedValues = saved && toShiftValues(saved)
  const refuse = (reason: string, detail = '') => ({ uid, name, reason, detail })
  const problems = Object.values(checkShift(values, facts, savedValues))
  if (problems.length > 0) return { shift, refusal: refuse(problems.join(' ')), isInactive: false }
  const booking = bookingOf(shift, facts)
  const clashes = index.clashesWith(booking)
  if (clashes[0]) {
    const names = [...new Set(clashes.map((clash) => clash.name))]
    return { shift, refusal: refuse(inTheWay[clashes[0].over], `Overlaps ${names.join('; ')}.`), isInactive: false }
  }
  const inactive = describeInactiveProgram(values, facts, savedValues)
  if (inactive && !allowInactiveProgram)
    return { shift, refusal: { ...refuse(inactive), isInactive: true }, isInactive: true }
  index.add(booking)
  return { shift, isInactive: inactive !== undefined }
}

interface PlaceVerdict {
  accepted: WantedShift[]
  refusals: Refusal[]
  /** The shifts of draft and paused programs that nothing else stands in the way of. */
  inactive: number
}

/**
 * Decides which shifts fit, one by one: a shift that fits is in the way of those after it. Shifts that are moved together
 * free their places for each other; one that is refused stays, and the others are decided again.
 */
export async function placeShifts(
  db: Db,
  wanted: readonly WantedShift[],
  options: PlaceOptions,
): Promise<PlaceVerdict> {
  const spans = wanted.map((shift) => bookingOf(shift, options.facts))
  const bookings = await loadBookingsAround(db, spans)
  const refused: Placed[] = []
  let left = wanted
  for (;;) {
    const leaving = new Set(left.filter(({ saved }) => saved).map(({ uid }) => uid))
    const index = new BookingIndex(bookings.filter(({ uid }) => !leaving.has(uid)))
    const round = left.map((shift) => placeShift(shift, index, options))
    const fitting = round.filter(({ refusal }) => !refusal)
    const staying = round.filter(({ refusal }) => refusal)
    refused.push(...staying)
    left = fitting.map(({ shift }) => shift)
    if (staying.some(({ shift }) => shift.saved)) continue
    return {
      accepted: [...left],
      refusals: refused.flatMap(({ refusal }) => refusal ?? []),
      inactive: [...refused, ...fitting].filter(({ isInactive }) => isInactive).length,
    }
  }
}

/** The accepted shifts whose truck or driver has too little time to travel to them or on from them. */
export async function findLateArrivals(db: Db, accepted: readonly WantedShift[], facts: ShiftFacts) {
  const stays = accepted.map((shift) => ({ ...bookingOf(shift, facts), marketUid: shift.values.marketUid }))
  const replaced = accepted.flatMap(({ uid, saved }) => (saved ? [uid] : []))
  const ways = await loadShortWays(db, stays, replaced)
  return accepted.flatMap(({ uid, name }, at) => {
    const found = ways.get(stays[at]?.uid ?? '')
    return found ? [{ uid, name, detail: found.map(describeShortWay).join(' ') }] : []
  })
}

/** A shift that cannot be changed or added, and why. */
export interface Refusal {
  uid: string
  name: string
  /** A sentence that other shifts may share. */
  reason: string
  /** What exactly is in the way; empty if the reason says it all. */
  detail: string
  /** Its program is a draft or paused, which the caller may confirm. */
  isInactive?: true
}

/** Groups refusals by reason, the most frequent reason first. */
export function groupRefusals(refusals: readonly Refusal[]): RefusalGroup[] {
  return [...groupBy(refusals, ({ reason }) => reason)]
    .map(([reason, group]) => ({ reason, shifts: group.map(({ uid, name, detail }) => ({ uid, name, detail })) }))
    .toSorted((one, other) => other.shifts.length - one.shifts.length)
}
