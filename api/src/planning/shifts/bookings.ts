import { formatClocks, formatDay, type ShiftClash } from '@roadshow/contract'

/** The time for which a truck and a driver are booked, in milliseconds since 1970. */
export interface BookedSpan {
  truckUid: string
  driverUid: string
  startsAt: number
  endsAt: number
}

/** The time for which a shift blocks its truck and its driver. */
export interface Booking extends BookedSpan {
  uid: string
  /** The shift in words. */
  name: string
}

interface ShiftWords {
  truck: string
  driver: string
  date: string
  start: string
  end: string
  program: string
}

/** A shift in words: truck, driver, hours, program. */
export const describeShift = ({ truck, driver, date, start, end, program }: ShiftWords) =>
  `${truck} · ${driver} · ${formatDay(date)}, ${formatClocks({ start, end })} · ${program}`

export type BookedResource = ShiftClash['over']
export const bookedResources: readonly BookedResource[] = ['truck', 'driver']

/** Bookings by truck and by driver, to find those that overlap another one. */
export class BookingIndex<T extends BookedSpan = Booking> {
  readonly #byUid = { truck: new Map<string, T[]>(), driver: new Map<string, T[]>() }

  constructor(bookings: Iterable<T> = []) {
    for (const booking of bookings) this.add(booking)
  }

  add(booking: T): void {
    for (const over of bookedResources) {
      const known = this.#byUid[over].get(booking[`${over}Uid`])
      if (known) known.push(booking)
      else this.#byUid[over].set(booking[`${over}Uid`], [booking])
    }
  }

  /** The bookings that need the same truck, or the same driver, at the same time. */
  overlapping(over: BookedResource, span: BookedSpan): T[] {
    const { startsAt, endsAt } = span
    const booked = this.#byUid[over].get(span[`${over}Uid`]) ?? []
    return booked.filter((other) => other.startsAt < endsAt && startsAt < other.endsAt)
  }

  /** The bookings that overlap one, except those of the same shift. */
  clashesWith(this: BookingIndex, booking: Omit<Booking, 'name'>): ShiftClash[] {
    return bookedResources.flatMap((over) =>
      this.overlapping(over, booking)
        .filter(({ uid }) => uid !== booking.uid)
        .map(({ uid, name }) => ({ uid, over, name })),
    )
  }
}
