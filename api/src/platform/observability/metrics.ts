import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { build } from '../runtime/build.ts'

/** The metrics of this process. One process is one node. */
export const registry = new Registry()

const registers = [registry]

/** Labeled by the pattern of a route, never by its URL: URLs contain secrets and are unlimited in number. */
export const requestSeconds = new Histogram({
  name: 'roadshow_http_request_seconds',
  help: 'Time to answer a call, until its last byte was handed on.',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers,
})

export const strayErrors = new Counter({
  name: 'roadshow_stray_errors_total',
  help: 'Errors that nothing caught and that ended nothing, by the work that they were of.',
  labelNames: ['work'] as const,
  registers,
})

export const limited = new Counter({
  name: 'roadshow_limited_total',
  help: 'Calls that a limit refused and reports that it put off, by the limit.',
  labelNames: ['limit'] as const,
  registers,
})

export const statementSeconds = new Histogram({
  name: 'roadshow_database_statement_seconds',
  help: 'Time that the database took for a statement, without the wait for a connection.',
  buckets: [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers,
})

export const connectionWaitSeconds = new Histogram({
  name: 'roadshow_database_wait_seconds',
  help: 'Time that work waited for a connection to the database.',
  buckets: [0.001, 0.01, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers,
})

export const redisCommands = new Counter({
  name: 'roadshow_redis_commands_total',
  help: 'Commands to Redis, by how they ended: answered, failed, or not sent because Redis is away.',
  labelNames: ['outcome'] as const,
  registers,
})

void new Gauge({
  name: 'roadshow_build_info',
  help: 'What runs here; always 1.',
  labelNames: ['version', 'commit', 'node'] as const,
  registers,
  collect() {
    this.set({ version: build.version, commit: build.commit ?? '', node: process.version }, 1)
  },
})

export const socketsOpen = new Gauge({
  name: 'roadshow_sockets_open',
  help: 'Sockets that are connected to this node, by the kind of client.',
  labelNames: ['client_type'] as const,
  registers,
})

export const jobRuns = new Counter({
  name: 'roadshow_job_runs_total',
  help: 'Rounds of the work in the background, by how they ended: done or failed.',
  labelNames: ['job', 'outcome'] as const,
  registers,
})

export const jobSeconds = new Gauge({
  name: 'roadshow_job_last_seconds',
  help: 'How long the last round of a job took.',
  labelNames: ['job'] as const,
  registers,
})

export const jobDoneAt = new Gauge({
  name: 'roadshow_job_done_timestamp_seconds',
  help: 'When a job last ended a round without an error.',
  labelNames: ['job'] as const,
  registers,
})

export const jobsWaiting = new Gauge({
  name: 'roadshow_jobs_waiting',
  help: 'How much a job found to do when it last looked.',
  labelNames: ['job'] as const,
  registers,
})

/** Folders whose disks are measured whenever metrics are read, by their label. Jobs find out which there are. */
export const measuredFolders = new Map<'data' | 'database', string>()

/** Times by key, exposed as the seconds since then. Forgotten keys are not exposed. */
export class SecondsSince<Label extends string> {
  readonly gauge: Gauge
  readonly #moments = new Map<Label, number>()

  constructor(name: string, help: string, label: string) {
    const moments = this.#moments
    this.gauge = new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [],
      collect() {
        this.reset()
        for (const [key, at] of moments) this.set({ [label]: key }, Math.max(0, (Date.now() - at) / 1000))
      },
    })
  }

  /** Records a time; an earlier time changes nothing. */
  at(key: Label, moment: number): void {
    this.#moments.set(key, Math.max(moment, this.#moments.get(key) ?? 0))
  }

  forget(): void {
    this.#moments.clear()
  }
}
