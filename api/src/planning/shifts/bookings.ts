import { formatClock, formatDay, type ShiftClash } from '@roadshow/contract'

/** The time for which a shift blocks its truck and its driver. */
export interface Booking {
  uid: string
  truckUid: string
  driverUid: string
  /** In milliseconds since 1970. */
  startsAt: number
  endsAt: number
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
  `${truck} · ${driver} · ${formatDay(date)}, ${formatClock(start)}–${formatClock(end)} · ${program}`

/** Bookings by truck and by driver, to find those that overlap another one. */
export class BookingIndex {
  private readonly byTruck = new Map<string, Booking[]>()
  private readonly byDriver = new Map<string, Booking[]>()

  constructor(bookings: Iterable<Booking>) {
    for (const booking of bookings) this.add(booking)
  }

  add(booking: Booking): void {
    const addTo = (map: Map<string, Booking[]>, uid: string) => {
      const bookings = map.get(uid)
      if (bookings) bookings.push(booking)
      else map.set(uid, [booking])
    }
    addTo(this.byTruck, booking.truckUid)
    addTo(this.byDriver, booking.driverUid)
  }

  /** The bookings that overlap one, except those of the same shift. */
  clashesWith({ uid, truckUid, driverUid, startsAt, endsAt }: Omit<Booking, 'name'>): ShiftClash[] {
    const overlapping = (over: ShiftClash['over'], bookings: Booking[] = []) =>
      bookings
        .filter((other) => other.uid !== uid && other.startsAt < endsAt && startsAt < other.endsAt)
        .map((other) => ({ uid: other.uid, over, name: other.name }))
    return [...overlapping('truck', this.byTruck.get(truckUid)), ...overlapping('driver', this.byDriver.get(driverUid))]
  }
}
