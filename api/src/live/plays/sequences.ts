import type { Play } from '@roadshow/contract'

type Run = [from: number, until: number]

/** Sequence numbers as runs of following ones, in order. */
function runsOf(numbers: readonly number[]): Run[] {
  const runs: Run[] = []
  for (const each of numbers.toSorted((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last && each <= last[1]) last[1] = Math.max(last[1], each + 1)
    else runs.push([each, each + 1])
  }
  return runs
}

/** Sequence numbers as a multirange of PostgreSQL: `{[1,5),[7,8)}`. */
export const multirangeOf = (numbers: readonly number[]): string =>
  `{${runsOf(numbers)
    .map(([from, until]) => `[${from},${until})`)
    .join(',')}}`

/** A number of a player, and when its play was. */
export type NumberedTime = Pick<Play, 'sequence' | 'startedAt'>

/** The first number of each run, before which plays may be missing, and when it was. */
export function runStartsOf(numbered: readonly NumberedTime[]): NumberedTime[] {
  const times = new Map(numbered.map(({ sequence, startedAt }) => [sequence, startedAt]))
  return runsOf([...times.keys()]).flatMap(([sequence]) => {
    const startedAt = times.get(sequence)
    return sequence > 1 && startedAt !== undefined ? { sequence, startedAt } : []
  })
}
