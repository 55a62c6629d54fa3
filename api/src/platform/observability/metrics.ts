import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** What this process has to tell of itself. One process is one node, so it is kept once. */
export const registry = new Registry()

const registers = [registry]

/** By the pattern of a route, never by its address, which has secrets in it and no end. */
export const requestSeconds = new Histogram({
  name: 'roadshow_http_request_seconds',
  help: 'Time to answer a call, until its last byte was handed on.',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers,
})

export const loginsFailed = new Counter({
  name: 'roadshow_logins_failed_total',
  help: 'Logins that were refused: wrong (password or account) or throttled.',
  labelNames: ['reason'] as const,
  registers,
})

export const playsStored = new Counter({
  name: 'roadshow_plays_stored_total',
  help: 'Plays that players reported and that are on disk; repeats do not count.',
  registers,
})

export const positionsStored = new Counter({
  name: 'roadshow_positions_stored_total',
  help: 'Positions of trucks that are on disk; repeats do not count.',
  registers,
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

/** Moments that are told as the seconds since; whoever no longer knows tells nothing. */
class Since<Label extends string> {
  readonly #moments = new Map<Label, number>()

  constructor(name: string, help: string, label: string) {
    const moments = this.#moments
    void new Gauge({
      name,
      help,
      labelNames: [label],
      registers,
      collect() {
        this.reset()
        for (const [key, at] of moments) this.set({ [label]: key }, Math.max(0, (Date.now() - at) / 1000))
      },
    })
  }

  /** Something was so at this moment; an earlier one changes nothing. */
  at(key: Label, moment: number): void {
    this.#moments.set(key, Math.max(moment, this.#moments.get(key) ?? 0))
  }

  forget(): void {
    this.#moments.clear()
  }
}

/** On the one node that polls. */
export const polled = new Since<string>(
  'roadshow_geotab_poll_lag_seconds',
  'Seconds since a feed of MyGeotab was last read without an error, on the node that polls.',
  'feed',
)

export const newestFix = new Since<'position'>(
  'roadshow_geotab_position_lag_seconds',
  'Seconds between now and the newest position that came by the feed, on the node that polls.',
  'of',
)
