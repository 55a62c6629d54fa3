/** What takes a truck and a driver for a while. */
interface BookedSpan {
  truckUid: string
  driverUid: string
  startsAt: number
  endsAt: number
}

export type Resource = 'truck' | 'driver'
const uidOf = { truck: 'truckUid', driver: 'driverUid' } as const
export const resources: readonly Resource[] = ['truck', 'driver']

function inOrder<T extends BookedSpan>(spans: readonly T[], over: Resource): Map<string, T[]> {
  const lists = new Map<string, T[]>()
  for (const span of spans) {
    const list = lists.get(span[uidOf[over]])
    if (list) list.push(span)
    else lists.set(span[uidOf[over]], [span])
  }
  for (const list of lists.values()) list.sort((a, b) => a.startsAt - b.startsAt)
  return lists
}

/** Calls back for each two of the spans that want the same truck, or the same driver, at the same time. */
export function eachOverlap<T extends BookedSpan>(
  spans: readonly T[],
  found: (over: Resource, one: T, other: T) => void,
): void {
  for (const over of resources) {
    for (const list of inOrder(spans, over).values()) {
      for (const [index, one] of list.entries()) {
        for (let next = index + 1; ; next++) {
          const other = list[next]
          if (!other || other.startsAt >= one.endsAt) break
          found(over, one, other)
        }
      }
    }
  }
}

/** Finds what is in the way of a span among others of which no two overlap, as the database keeps them. */
export class BookedSpans<T extends BookedSpan> {
  private readonly lists: Record<Resource, Map<string, T[]>>

  constructor(spans: readonly T[]) {
    this.lists = { truck: inOrder(spans, 'truck'), driver: inOrder(spans, 'driver') }
  }

  *inTheWayOf(span: BookedSpan, over: Resource): Generator<T> {
    const list = this.lists[over].get(span[uidOf[over]]) ?? []
    // The first that ends after the span starts: not overlapping, they end in the order in which they start.
    let [low, high] = [0, list.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((list[middle]?.endsAt ?? 0) > span.startsAt) high = middle
      else low = middle + 1
    }
    for (let at = low; at < list.length; at++) {
      const taken = list[at]
      if (!taken || taken.startsAt >= span.endsAt) return
      yield taken
    }
  }
}
