import type { AppContext, LogError } from '../context.ts'

export type Interval = `${number}${'ms' | 's' | 'm' | 'h'}`

export interface JobContext extends Pick<AppContext, 'db' | 'blobs' | 'env'> {
  /** Aborts when the node stops: long work ends between two steps. */
  signal: AbortSignal
  /** The database's time at the start of the run, in milliseconds since 1970. */
  now: number
  log: LogError
}

interface JobBase {
  /** The metrics' label, and the name of its lock and watermark. */
  name: string
  every: Interval
  /** `wait` also runs before the node listens, `run` as soon as the node has started; otherwise the first run waits its interval. */
  atStart?: 'wait' | 'run'
  /** Notifications that start a run at once. */
  wakeOn?: readonly string[]
}

interface PlainJob extends JobBase {
  /** `cluster`: one node at a time. `node`: every node; each step may be done twice. */
  lock: 'cluster' | 'node'
  watermark?: false
  run: (context: JobContext) => Promise<unknown>
}

interface WatermarkJob extends JobBase {
  lock: 'cluster'
  /** Continues where the last run stopped, on whichever node that was. */
  watermark: true
  run: (context: JobContext & { since: string }) => Promise<unknown>
}

export type Job = PlainJob | WatermarkJob

/** Declares work that repeats at an interval. The runner never runs a job twice at the same time on a node. */
export const defineJob = (job: Job): Job => job

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

export function intervalMs(interval: Interval): number {
  const [, count, unit] = /^(\d+)(ms|s|m|h)$/.exec(interval) ?? []
  if (!count || !unit) throw new Error(`Not an interval: ${interval}`)
  return Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]
}
