import { instantOfMicros } from '../archive/rules.ts'

/** An offset in the order of a feed: when a play arrived or was corrected, then its device and its id. */
export interface FeedOffset {
  /** With microseconds. */
  at: string
  device: string
  playId: string
}

export const FEED_START: FeedOffset = {
  at: '1970-01-01T00:00:00.000000Z',
  device: '00000000-0000-0000-0000-000000000000',
  playId: '',
}

/** The offset after everything that happened up to a moment. */
export const endOf = (at: string): FeedOffset => ({ at, device: 'ffffffff-ffff-ffff-ffff-ffffffffffff', playId: '' })

/** The offset before everything that happens at a moment or later. */
export const startOf = (at: string): FeedOffset => ({ ...FEED_START, at })

/** Microseconds since 1970 of an instant with up to six digits of a second. */
export function microsOf(instant: string): number {
  const [seconds = '', digits = ''] = instant.replace(/Z$/, '').split('.')
  return Date.parse(`${seconds}Z`) * 1000 + Number(digits.padEnd(6, '0').slice(0, 6))
}

/** A play as it is stored, with its offset in the order. */
export interface FoundPlay {
  micros: number
  device: string
  playId: string
  /** All columns as JSON. */
  play: unknown
}

export const offsetOf = ({ micros, device, playId }: Omit<FoundPlay, 'play'>): FeedOffset => ({
  at: instantOfMicros(micros),
  device,
  playId,
})

// Ids are ordered by their bytes, as the database orders them.
const compareText = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))

type Ordered = Omit<FoundPlay, 'play'>

export const compareOffsets = (one: Ordered, other: Ordered): number =>
  one.micros - other.micros || compareText(one.device, other.device) || compareText(one.playId, other.playId)

export const orderedAt = ({ at, device, playId }: FeedOffset): Ordered => ({ micros: microsOf(at), device, playId })

/** The first plays of several sources, in the order of the feed. */
export class FirstPlays {
  plays: FoundPlay[] = []
  readonly #limit: number
  #until: number

  constructor(limit: number, until: string) {
    this.#limit = limit
    this.#until = microsOf(until)
  }

  add(found: readonly FoundPlay[]): void {
    if (found.length === 0) return
    this.plays = [...this.plays, ...found].toSorted(compareOffsets).slice(0, this.#limit)
    if (this.isFull) this.#until = this.plays.at(-1)?.micros ?? this.#until
  }

  get isFull(): boolean {
    return this.plays.length === this.#limit
  }

  /** Plays that arrived later are not among the first. */
  get untilMs(): number {
    return this.#until / 1000
  }

  get until(): string {
    return instantOfMicros(this.#until)
  }
}
