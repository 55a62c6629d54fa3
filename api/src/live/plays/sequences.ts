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

export interface RunStart {
  sequence: number
  startedAt: string
}

/** The first number of each run, before which plays may be missing, and when the first play of the run was. */
export function runStartsOf(
  numbers: readonly number[],
  plays: readonly Pick<Play, 'sequence' | 'startedAt'>[],
): RunStart[] {
  const times = new Map(plays.map(({ sequence, startedAt }) => [sequence, startedAt]))
  return runsOf(numbers).flatMap(([from, until]) => {
    let number = from
    while (number < until && !times.has(number)) number++
    const startedAt = times.get(number)
    return from > 1 && startedAt !== undefined ? { sequence: from, startedAt } : []
  })
}
