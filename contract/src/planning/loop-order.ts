/** How often each line is on in a stretch of time, and when its first turn is due. */
export interface TurnCounts {
  /** By line. */
  counts: readonly number[]
  /** By line, from 0 to 1: at which part of its own interval a line is due. */
  phases: readonly number[]
  /** The index that may follow itself, because it is no line; -1 for none. */
  rest: number
}

/** Which line begins: the one that must, because it has half of the turns, else the one that is due first. */
export const firstTurn = (turns: TurnCounts): number => new TurnOrder(turns).next(-1)

/**
 * The turns of a stretch in their order: each line at even distances, and none twice in a row while that can be avoided.
 * @param then the line that begins the stretch after this one; -1 if there is none
 */
export function orderTurns(turns: TurnCounts, then: number): number[] {
  const order = new TurnOrder(turns)
  const ordered: number[] = []
  while (order.left > 0)
    ordered.push(ordered.length === 0 ? order.take(firstTurn(turns)) : order.take(order.next(then)))
  return ordered
}

class TurnOrder {
  readonly #counts: readonly number[]
  readonly #phases: readonly number[]
  readonly #rest: number
  readonly #taken: number[]
  #last = -1
  left: number

  constructor({ counts, phases, rest }: TurnCounts) {
    this.#counts = counts
    this.#phases = phases
    this.#rest = rest
    this.#taken = counts.map(() => 0)
    this.left = counts.reduce((sum, count) => sum + count, 0)
  }

  take(line: number): number {
    this.#taken[line] = (this.#taken[line] ?? 0) + 1
    this.#last = line
    this.left--
    return line
  }

  /** The line that is due first, among the ones that keep all others apart for as long as that can be done. */
  next(then: number): number {
    let heavy = -1
    let heavyDueAt = Infinity
    let other = this.#last
    let otherDueAt = Infinity
    // Hours with hundreds of turns are planned between two frames: no arrays are made here.
    for (let line = 0; line < this.#counts.length; line++) {
      const count = this.#counts[line] ?? 0
      const taken = this.#taken[line] ?? 0
      if (taken === count) continue
      const dueAt = (taken + (this.#phases[line] ?? 0)) / count
      const most = line === this.#rest ? Infinity : this.#most(line, then)
      // Of two that press, the one that may not come last goes first.
      const pressesAt = line === then ? -1 : dueAt
      if (line !== this.#last && count - taken >= most && pressesAt < heavyDueAt) {
        heavy = line
        heavyDueAt = pressesAt
      }
      const mayFollow = line !== this.#last || line === this.#rest || count - taken > most
      if (mayFollow && dueAt < otherDueAt) {
        other = line
        otherDueAt = dueAt
      }
    }
    return heavy >= 0 ? heavy : other
  }

  /** The most turns that a line may have left without following itself. */
  #most(line: number, then: number): number {
    return Math.ceil((this.left - (line === this.#last ? 1 : 0) - (line === then ? 1 : 0)) / 2)
  }
}
