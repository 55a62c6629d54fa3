import type { AppContext } from '../context.ts'
import type { NodeLog } from '../observability/log.ts'
import type { Trace } from '../observability/trace.ts'
import { type Interval, type JobEntry, type JobName, jobTable } from './job-table.ts'

export interface JobContext extends Pick<AppContext, 'db' | 'blobs' | 'env'> {
  /** Aborts when the node stops or has lost the job's lock: long work ends between two steps. */
  signal: AbortSignal
  /** The database's time at the start of the run, in milliseconds since 1970. */
  now: number
  /** What the run sends to others continues its trace. */
  trace: Trace
  /** Logs under the name of the job and the trace of the run. */
  log: NodeLog
}

export interface BacklogContext {
  /** Aborts with `signal`, and after a minute: the run ends between two pieces, and another one goes on. */
  timeUp: AbortSignal
}

interface WatermarkContext {
  /** All rows stored until then are done. */
  since: string
}

type Table = typeof jobTable
type ContextOf<Name extends JobName> = JobContext &
  (Table[Name] extends { backlog: string } ? BacklogContext : unknown) &
  (Table[Name] extends { watermark: true } ? WatermarkContext : unknown)

export interface Job extends JobEntry {
  name: string
  run: (context: JobContext & BacklogContext & WatermarkContext) => Promise<unknown>
}

/** Attaches work to a job of the table. The runner never runs a job twice at the same time on a node. */
export const defineJob = <Name extends JobName>(
  name: Name,
  run: (context: ContextOf<Name>) => Promise<unknown>,
): Job => ({ name, run, ...jobTable[name] })

/** Whether a run ended before it had done or stored everything since its watermark. */
export const isUnfinished = (answer: unknown): answer is { doneUntil: string } =>
  typeof answer === 'object' && answer !== null && 'doneUntil' in answer

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

export function intervalMs(interval: Interval): number {
  const [, count, unit] = /^(\d+)(ms|s|m|h)$/.exec(interval) ?? []
  if (!count || !unit) throw new Error(`Not an interval: ${interval}`)
  return Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]
}
