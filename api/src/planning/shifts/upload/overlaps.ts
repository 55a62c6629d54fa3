/** A time for which a truck and a driver are booked. */
interface BookedSpan {
  truckUid: string
  driverUid: string
  startsAt: number
  endsAt: number
}

export type Resource = 'truck' | 'driver'
const uidField = { truck: 'truckUid', driver: 'driverUid' } as const
export const resources: readonly Resource[] = ['truck', 'driver']

function sortedByUid<T extends BookedSpan>(spans: readonly T[], resource: Resource): Map<string, T[]> {
  const lists = new Map<string, T[]>()
  for (const span of spans) {
    const list = lists.get(span[uidField[resource]])
    if (list) list.push(span)
    else lists.set(span[uidField[resource]], [span])
  }
  for (const list of lists.values()) list.sort((a, b) => a.startsAt - b.startsAt)
  return lists
}

/** Calls back for every two spans that need the same truck or the same driver at the same time. */
export function eachOverlap<T extends BookedSpan>(
  spans: readonly T[],
  found: (resource: Resource, one: T, other: T) => void,
): void {
  for (const resource of resources) {
    for (const list of sortedByUid(spans, resource).values()) {
      for (const [index, one] of list.entries()) {
        for (let next = index + 1; ; next++) {
          const other = list[next]
          if (!other || other.startsAt >= one.endsAt) break
          found(resource, one, other)
        }
      }
    }
  }
}

/** Finds the spans that overlap a given one. No two of its own spans overlap: the database excludes that. */
export class BookedSpans<T extends BookedSpan> {
  private readonly lists: Record<Resource, Map<string, T[]>>

  constructor(spans: readonly T[]) {
    this.lists = { truck: sortedByUid(spans, 'truck'), driver: sortedByUid(spans, 'driver') }
  }

  *overlapping(span: BookedSpan, resource: Resource): Generator<T> {
    const list = this.lists[resource].get(span[uidField[resource]]) ?? []
    // Finds the first that ends after the span starts: spans that do not overlap end in the order in which they start.
    let [low, high] = [0, list.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((list[middle]?.endsAt ?? 0) > span.startsAt) high = middle
      else low = middle + 1
    }
    for (let at = low; at < list.length; at++) {
      const booked = list[at]
      if (!booked || booked.startsAt >= span.endsAt) return
      yield booked
    }
  }
}
