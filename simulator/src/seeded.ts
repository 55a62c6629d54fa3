import { hashText } from '@roadshow/contract/platform/hash-text'

/** Chance that comes out the same for a seed every time. */
export interface SeededRandom {
  /** From 0 up to, but not including, 1. */
  next(): number
  between(from: number, to: number): number
  /** A whole number below a limit. */
  below(limit: number): number
  /** True in this share of all cases. */
  is(share: number): boolean
  oneOf<T>(choices: readonly T[]): T | undefined
  /** Around 0, two thirds of them within 1. */
  normal(): number
}

export function seededRandom(seed: string): SeededRandom {
  let state = hashText(seed)
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
  return {
    next,
    between: (from, to) => from + next() * (to - from),
    below: (limit) => Math.floor(next() * limit),
    is: (share) => next() < share,
    oneOf: (choices) => choices[Math.floor(next() * choices.length)],
    normal: () => (next() + next() + next() - 1.5) * 2,
  }
}
