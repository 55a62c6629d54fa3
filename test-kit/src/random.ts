/** Whole numbers below a limit that look random and are the same each time. */
export function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** The same items in another order. */
export const shuffle = <T>(items: readonly T[], random: (below: number) => number): T[] =>
  items
    .map((item) => [random(1_000_000), item] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item)
