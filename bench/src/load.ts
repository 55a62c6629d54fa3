import { readFile } from 'node:fs/promises'
import autocannon from 'autocannon'

export type LoadTarget = Pick<autocannon.Options, 'url' | 'headers' | 'requests'>

const CONNECTIONS = 20
const WARM_UP_SECONDS = 2
const ROUNDS = 5

/** How long a round lasts, in seconds. */
export type RoundSeconds = 1 | 2

/** Requests answered per second. One refused request would spoil the figure, so it ends the run. */
async function fire(target: LoadTarget, connections: number, duration: number): Promise<number> {
  const result = await autocannon({ ...target, connections, duration })
  if (result.non2xx || result.errors) {
    throw new Error(`${target.url}: ${result.non2xx} refused and ${result.errors} broken of ${result.requests.total}`)
  }
  return result['2xx'] / result.duration
}

/** Requests per second of each target, in alternating rounds, so that a disturbance of the machine affects all alike. */
export async function compareRates<Name extends string>(
  targets: Record<Name, LoadTarget>,
  pace: RoundSeconds = 2,
  connections = CONNECTIONS,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(targets) as Name[]
  const rates = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (const name of names) await fire(targets[name], connections, WARM_UP_SECONDS)
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of round % 2 ? names.toReversed() : names) {
      rates[name].push(await fire(targets[name], connections, pace))
    }
  }
  return rates
}

const CALLS_A_ROUND = 1000

// Linux counts processor time in hundredths of a second.
const TICK_MS = 10

/** Milliseconds of processor that a process has taken so far. */
async function processorMs(pid: number): Promise<number> {
  const [, fields = ''] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')
  const [user, system] = fields.split(' ').slice(11, 13).map(Number)
  return ((user ?? NaN) + (system ?? NaN)) * TICK_MS
}

/** Milliseconds of processor that each target takes for a call, in alternating rounds. A busy machine changes it little. */
export async function compareProcessorTimes<Name extends string>(
  targets: Record<Name, LoadTarget & { pid: number }>,
  connections: number,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(targets) as Name[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of round % 2 ? names.toReversed() : names) {
      const { pid, ...target }: LoadTarget & { pid: number } = targets[name]
      const before = await processorMs(pid)
      await autocannon({ ...target, connections, amount: CALLS_A_ROUND })
      times[name].push(((await processorMs(pid)) - before) / CALLS_A_ROUND)
    }
  }
  return times
}

export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2
}

/** The 99th percentile. */
export const p99 = (numbers: number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.ceil(numbers.length * 0.99) - 1] ?? NaN

/** How many times as fast as the other: the median of the ratios of each round. */
export const ratioOf = (ours: number[], theirs: number[]): number =>
  median(ours.map((rate, round) => rate / (theirs[round] ?? NaN)))
