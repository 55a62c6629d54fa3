import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { sharedNow } from '../db/clock.ts'
import { sessionLocksOf } from '../db/connection.ts'
import { jobDoneAt, jobRuns, jobSeconds } from '../observability/metrics.ts'
import { newTrace, type Trace } from '../observability/trace.ts'
import { whileRunning } from '../runtime/named-work.ts'
import { isAbort, withSignal } from '../runtime/promises.ts'
import { intervalMs, isUnfinished, type Job, type JobContext } from './define-job.ts'
import { JobTrouble } from './job-trouble.ts'
import { readWatermark, settledUntil, writeWatermark } from './since-watermark.ts'

export interface JobResources extends Omit<JobContext, 'signal' | 'now' | 'trace'> {
  /** How long a job works through a backlog in one run, if not a minute. */
  limitMs?: number
}

/** The connections of a node's jobs, apart from those of calls: no call waits for a job, and few jobs ask at the same time. */
export const JOB_CONNECTIONS = { max: 4, waitMs: 60_000 }

/** How a run ended. `skipped`: another node has the lock. `more`: its time was up, and there may be more to do. */
type RunEnd = 'done' | 'more' | 'skipped'

const LONGEST_RUN_MS = 60_000

interface RunOptions {
  signal: AbortSignal
  /** Its own if not given. */
  trace?: Trace
  /** The database's time if not given. */
  now?: number
}

type RunContext = Parameters<Job['run']>[0]

async function runSinceWatermark(job: Job, context: RunContext): Promise<RunEnd> {
  const { db, signal, timeUp } = context
  const since = await readWatermark(db, job.name)
  if (since === undefined) return 'skipped'
  const settled = await settledUntil(db)
  const answer = await job.run({ ...context, since })
  if (isUnfinished(answer)) await writeWatermark(db, job.name, settled, answer.doneUntil)
  // What an aborted run has left is unknown: it is repeated from the same moment.
  else if (!signal.aborted) await writeWatermark(db, job.name, settled)
  return timeUp.aborted ? 'more' : 'done'
}

async function runUnlocked(job: Job, resources: JobResources, { signal, ...options }: RunOptions): Promise<RunEnd> {
  const now = options.now ?? (await sharedNow(resources.db))
  const { trace = newTrace() } = options
  const log: JobContext['log'] = (event, details) => resources.log(event, { job: job.name, trace, ...details })
  const run = async (timeUp: AbortSignal): Promise<RunEnd> => {
    const context = { ...resources, signal, now, trace, log, timeUp, since: '' }
    if (job.watermark) return runSinceWatermark(job, context)
    await job.run(context)
    return timeUp.aborted ? 'more' : 'done'
  }
  const afterMs = job.backlog && (resources.limitMs ?? LONGEST_RUN_MS)
  return withSignal(run, { signals: [signal], afterMs })
}

/** Runs a job once, under its lock. It skips the run where another node holds the lock. */
export async function runJob(job: Job, resources: JobResources, options: RunOptions): Promise<RunEnd> {
  if (job.runsOn === 'node') return runUnlocked(job, resources, options)
  const lock = await sessionLocksOf(resources.db).take(`job ${job.name}`)
  if (!lock) return 'skipped'
  try {
    return await withSignal((signal) => runUnlocked(job, resources, { ...options, signal }), {
      signals: [options.signal, lock.signal],
    })
  } finally {
    await lock.release()
  }
}

const NODE = randomUUID()

/** A share of an interval, different for each job and node, so that not all jobs begin in the same instant. */
const shareOf = (name: string): number => createHash('sha1').update(`${NODE} ${name}`).digest().readUInt32BE() / 2 ** 32

const START_WITHIN_MS = 1000
const NOTED_EVERY_MS = 30_000

/** Repeats one job until stopped. A failed run is logged and tried again at the next interval. */
class RepeatedJob {
  readonly #trouble: JobTrouble
  readonly #stopping = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #isWoken = false
  #noted: { outcome: string; at: number } | undefined

  constructor(
    readonly job: Job,
    private readonly resources: JobResources,
  ) {
    this.#trouble = new JobTrouble(job.name, resources.log)
  }

  async start(): Promise<void> {
    const { atStart, every, name } = this.job
    if (atStart === 'wait') await this.#run()
    const [everyMs, share] = [intervalMs(every), shareOf(name)]
    // The first run comes after half of the interval to all of it.
    const firstMs = atStart === 'run' ? share * Math.min(everyMs, START_WITHIN_MS) : ((1 + share) * everyMs) / 2
    this.#timer = setTimeout(() => {
      void (this.#running ?? this.#run())
      this.#timer = setInterval(() => void (this.#running ?? this.#run()), everyMs).unref()
    }, firstMs).unref()
  }

  /** Runs as soon as possible. A job that is running runs once more: it may have passed what it was woken for. */
  wake(): void {
    this.#isWoken = true
    if (!this.#running) void this.#run()
  }

  async stop(): Promise<void> {
    // Clears a timeout as well.
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
      if (!signal.aborted) await this.#runOnce(signal)
    } while (this.#isWoken && !signal.aborted)
  }

  async #runOnce(signal: AbortSignal): Promise<void> {
    const job = this.job.name
    const [began, trace] = [Date.now(), newTrace()]
    const log: JobContext['log'] = (error) => this.#trouble.failed(error, trace)
    let end: RunEnd | 'failed' = 'failed'
    try {
      end = await whileRunning(job, () => runJob(this.job, { ...this.resources, log }, { signal, trace }))
      // Its lock was free in between, so that another node can have its turn.
      if (end === 'more' && this.job.backlog === 'atOnce') this.#isWoken = true
      jobRuns.inc({ job, outcome: 'done' })
      jobDoneAt.set({ job }, Date.now() / 1000)
    } catch (error) {
      // Another node, or the next start, does what was left.
      if (signal.aborted && isAbort(error)) return
      jobRuns.inc({ job, outcome: 'failed' })
      this.#trouble.failed(error, trace)
    }
    this.#trouble.ended()
    const seconds = (Date.now() - began) / 1000
    jobSeconds.set({ job }, seconds)
    if (end !== 'skipped') await this.#noteRun(end, seconds)
  }

  /** Notes how a run ended, for people; the same end only now and then. A database that is away is noticed by the job itself. */
  async #noteRun(outcome: Exclude<RunEnd, 'skipped'> | 'failed', seconds: number): Promise<void> {
    if (outcome === this.#noted?.outcome && Date.now() - this.#noted.at < NOTED_EVERY_MS) return
    this.#noted = { outcome, at: Date.now() }
    const run = { ended_at: sql<string>`now()`, outcome, seconds }
    await this.resources.db
      .insertInto('job_run')
      .values({ job: this.job.name, ...run })
      .onConflict((conflict) => conflict.column('job').doUpdateSet(run))
      .execute()
      .catch(() => undefined)
  }
}

export class JobRunner {
  readonly #repeated: RepeatedJob[]

  constructor(jobs: readonly Job[], resources: JobResources) {
    this.#repeated = jobs.map((job) => new RepeatedJob(job, resources))
  }

  /** Settles when the jobs that run before the node listens have run. */
  async start(): Promise<void> {
    for (const repeated of this.#repeated) await repeated.start()
  }

  /** Wakes jobs by signals, and all of those jobs when some signals may have been missed. */
  readonly sockets = () => {
    const woken = this.#repeated.filter(({ job }) => job.wakeOn)
    const channels = [...new Set(woken.flatMap(({ job }) => job.wakeOn ?? []))]
    const wake = (jobs: typeof woken) => () => jobs.forEach((repeated) => repeated.wake())
    return {
      subscriptions: Object.fromEntries(
        channels.map((channel) => [channel, wake(woken.filter(({ job }) => job.wakeOn?.includes(channel)))]),
      ),
      onReconnect: wake(woken),
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#repeated.map((repeated) => repeated.stop()))
  }
}
