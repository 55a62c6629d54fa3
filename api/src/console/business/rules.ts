import {
  addDays,
  type BookedLine,
  centsBetween,
  type DeliveryFacts,
  deliveryOf,
  paceOfLines,
  type PaceState,
} from '@roadshow/contract'

/** The days of a line up to each of some days, in parts that do not overlap: sums of them are what was delivered by then. */
export function segmentsOf(line: BookedLine, cuts: readonly string[]): { from: string; to: string }[] {
  const ends = cuts.filter((cut) => cut >= line.startsOn).map((cut) => (cut < line.endsOn ? cut : line.endsOn))
  const distinct = [...new Set(ends)].toSorted()
  return distinct.map((to, index) => ({
    from: index === 0 ? line.startsOn : addDays(distinct[index - 1] ?? to, 1),
    to,
  }))
}

/** A line with what it delivered by the ends of its segments, in its unit. */
export interface Course {
  line: BookedLine
  delivered: readonly (Pick<DeliveryFacts, 'shiftsWithoutData'> & { to: string; amount: number })[]
}

/** What a line had delivered by the end of a day. */
const deliveredBy = ({ delivered }: Course, day: string): number =>
  delivered.filter(({ to }) => to <= day).reduce((sum, { amount }) => sum + amount, 0)

/** The part of a line's price that was delivered by the end of a day: in proportion to its amount, and at most all of it. */
export const centsBy = (course: Course, day: string): number =>
  Math.round((course.line.priceCents ?? 0) * Math.min(1, deliveredBy(course, day) / course.line.amount))

/** What some lines had booked and delivered on some days; null where none of these days has a price. */
export function valueBetween(courses: readonly Course[], from: string, to: string) {
  const before = addDays(from, -1)
  const values = courses.flatMap((course) => {
    const { priceCents } = course.line
    const booked = priceCents === null ? null : centsBetween({ ...course.line, priceCents }, from, to)
    return booked === null ? [] : { booked, delivered: centsBy(course, to) - centsBy(course, before) }
  })
  return values.length === 0
    ? { bookedCents: null, deliveredCents: null }
    : {
        bookedCents: values.reduce((sum, { booked }) => sum + booked, 0),
        deliveredCents: values.reduce((sum, { delivered }) => sum + delivered, 0),
      }
}

const RUNNING: readonly PaceState[] = ['behind', 'on', 'ahead']

export const isRunning = (state: PaceState): boolean => RUNNING.includes(state)
export const isOnPace = (state: PaceState): boolean => isRunning(state) && state !== 'behind'

/** When a Sunday is over in every market of America, and its night shifts too. */
const afterSunday = (sunday: string) => Date.parse(`${addDays(sunday, 1)}T20:00:00Z`)

/** How a program was doing when a Sunday was over. */
export function stateAfter(courses: readonly Course[], sunday: string, share: number): PaceState {
  const lines = courses.map((course) => {
    const until = course.delivered.filter(({ to }) => to <= sunday)
    const shiftsWithoutData = until.reduce((sum, each) => sum + each.shiftsWithoutData, 0)
    const facts = { delivered: deliveredBy(course, sunday), deliveredSince: 0, shiftsWithoutData }
    return deliveryOf(course.line, facts, afterSunday(sunday), share)
  })
  return paceOfLines(lines).state
}
