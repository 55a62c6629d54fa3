import type { ShiftClash } from '@roadshow/contract'
import {
  type Booking,
  BookingIndex,
  checkShift,
  clashProblems,
  type SavedCandidate,
  type ShiftCandidate,
  type ShiftFacts,
  type ShiftProblems,
} from '../shifts/index.ts'

/** A shift whose truck or driver is still open, with everything that saving would check it against. */
export interface OpenShift {
  /** Empty for a new shift. */
  uid: string
  /** With the truck and driver of the saved shift, if there is one. */
  values: ShiftCandidate
  saved: SavedCandidate | undefined
  startsAt: number
  endsAt: number
  facts: ShiftFacts
  bookings: readonly Booking[]
  /** Whether it books its truck and driver; a canceled shift that is changed does not. */
  isBlocking: boolean
}

export interface Refusal {
  /** The sentence that saving answers with. */
  text: string
  /** When the shifts in the way are over, in milliseconds since 1970. */
  bookedUntil: number | null
}

/** The truck of a driver who is looked for, and the other way around: no record has it. */
const OPEN = ''

/** What saving would refuse whatever truck and driver are chosen. */
export function sharedProblems({ values, saved, facts }: Pick<OpenShift, 'values' | 'saved' | 'facts'>): ShiftProblems {
  const { truckUid: _truck, driverUid: _driver, ...problems } = checkShift(values, facts, saved)
  return problems
}

/** Finds out by the rules of saving why a truck or a driver would be refused for a shift. */
export function refusalsFor(shift: OpenShift): (over: ShiftClash['over'], uid: string) => Refusal | undefined {
  const { facts, saved, values, startsAt, endsAt } = shift
  const shared = sharedProblems(shift)
  const index = new BookingIndex(shift.bookings)
  const endOf = new Map(shift.bookings.map((booking) => [booking.uid, booking.endsAt]))
  return (over, uid) => {
    const field = `${over}Uid` as const
    const problems = Object.entries(checkShift({ ...values, [field]: uid }, facts, saved))
    const own = problems.filter(([name, text]) =>
      name === 'truckUid' || name === 'driverUid' ? name === field : shared[name as keyof ShiftProblems] !== text,
    )
    if (own.length > 0) return { text: own.map(([, text]) => text).join(' '), bookedUntil: null }
    if (!shift.isBlocking) return undefined
    const clashes = index.clashesWith({
      uid: shift.uid,
      truckUid: OPEN,
      driverUid: OPEN,
      startsAt,
      endsAt,
      [field]: uid,
    })
    const text = clashProblems(clashes)[field]
    if (text === undefined) return undefined
    return { text, bookedUntil: Math.max(...clashes.map((clash) => endOf.get(clash.uid) ?? 0)) }
  }
}
