import { sql } from 'kysely'
import { sharedNow } from '../db/clock.ts'
import { type Db, inTransaction } from '../db/connection.ts'
import { jobDoneAt, jobRuns, jobSeconds } from '../observability/metrics.ts'
import { continueTrace, inTrace } from '../observability/trace.ts'
import { intervalMs, type Job, type JobContext } from './define-job.ts'
import { sinceWatermark } from './since-watermark.ts'

export type JobResources = Omit<JobContext, 'signal' | 'now'>

/** Runs work unless another node holds the lock of this name. The work uses its own connections. */
const withClusterLock = (db: Db, name: string, work: () => Promise<unknown>): Promise<void> =>
  inTransaction(db, async (locking) => {
    // A statement with parameters would keep its snapshot until the transaction ends, and so keep the rows that others
    // remove, and hold up jobs that wait for old snapshots.
    const lock = sql<{
      isMine: boolean
    }>`select pg_try_advisory_xact_lock(hashtext(${sql.lit(`job ${name}`)})) as "isMine"`
    const { rows } = await lock.execute(locking)
    if (rows[0]?.isMine) await work()
  })

/** Runs a job once, under its lock. It skips the run where another node holds the lock. */
export async function runJob(
  job: Job,
  resources: JobResources,
  { signal, now }: { signal: AbortSignal; now?: number },
): Promise<void> {
  const context = { ...resources, signal, now: now ?? (await sharedNow(resources.db)) }
  if (job.watermark) await sinceWatermark(context.db, job.name, (since) => job.run({ ...context, since }))(signal)
  else if (job.lock === 'cluster') await withClusterLock(context.db, job.name, () => job.run(context))
  else await job.run(context)
}

/** Repeats one job until stopped. A failed run is logged and tried again at the next interval. */
class RepeatedJob {
  readonly #job: Job
  readonly #resources: JobResources
  readonly #stopping = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #isWoken = false

  constructor(job: Job, resources: JobResources) {
    this.#job = job
    this.#resources = resources
  }

  async start(): Promise<void> {
    if (this.#job.atStart === 'wait') await this.#run()
    if (this.#job.atStart === 'run') this.wake()
    this.#timer = setInterval(() => void (this.#running ?? this.#run()), intervalMs(this.#job.every))
    this.#timer.unref()
  }

  /** Runs as soon as possible. A job that is running runs once more: it may have passed what it was woken for. */
  wake(): void {
    this.#isWoken = true
    if (!this.#running) void this.#run()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopping.abort()
    await this.#running
  }

  #run(): Promise<void> {
    this.#running = this.#runWhileWoken().finally(() => (this.#running = undefined))
    return this.#running
  }

  async #runWhileWoken(): Promise<void> {
    const { signal } = this.#stopping
    do {
      this.#isWoken = false
      if (!signal.aborted) await inTrace(continueTrace(undefined), () => this.#runOnce(signal))
    } while (this.#isWoken && !signal.aborted)
  }

  async #runOnce(signal: AbortSignal): Promise<void> {
    const job = this.#job.name
    const began = Date.now()
    try {
      await runJob(this.#job, this.#resources, { signal })
      jobRuns.inc({ job, outcome: 'done' })
      jobDoneAt.set({ job }, Date.now() / 1000)
    } catch (error) {
      jobRuns.inc({ job, outcome: 'failed' })
      this.#resources.log(error)
    }
    jobSeconds.set({ job }, (Date.now() - began) / 1000)
  }
}

/** Runs the jobs of one node. */
export class JobRunner {
  readonly #repeated: { job: Job; repeated: RepeatedJob }[]

  constructor(jobs: readonly Job[], resources: JobResources) {
    this.#repeated = jobs.map((job) => ({ job, repeated: new RepeatedJob(job, resources) }))
  }

  /** Settles when the jobs that run before the node listens have run. */
  async start(): Promise<void> {
    for (const { repeated } of this.#repeated) await repeated.start()
  }

  /** Wakes jobs by notifications, and all of those jobs when some notifications may have been missed. */
  readonly sockets = () => {
    const woken = this.#repeated.filter(({ job }) => job.wakeOn)
    const channels = [...new Set(woken.flatMap(({ job }) => job.wakeOn ?? []))]
    const wake = (jobs: typeof woken) => () => jobs.forEach(({ repeated }) => repeated.wake())
    return {
      subscriptions: Object.fromEntries(
        channels.map((channel) => [channel, wake(woken.filter(({ job }) => job.wakeOn?.includes(channel)))]),
      ),
      onReconnect: wake(woken),
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#repeated.map(({ repeated }) => repeated.stop()))
  }
}
