import { jobDoneAt, jobRuns, jobSeconds } from '../observability/metrics.ts'

/**
 * Does a piece of work every so often until stopped; never twice at a time, and what fails is told and tried again.
 * Long work leaves off as soon as its signal says so: a node that stops is not kept waiting.
 */
export function repeat(
  job: string,
  work: (signal: AbortSignal) => Promise<unknown>,
  everyMs: number,
  log: (error: unknown) => void,
) {
  const stopping = new AbortController()
  let underWay: Promise<unknown> | undefined

  async function round(): Promise<void> {
    const began = Date.now()
    try {
      await work(stopping.signal)
      jobRuns.inc({ job, outcome: 'done' })
      jobDoneAt.set({ job }, Date.now() / 1000)
    } catch (error) {
      jobRuns.inc({ job, outcome: 'failed' })
      log(error)
    }
    jobSeconds.set({ job }, (Date.now() - began) / 1000)
  }

  const timer = setInterval(() => {
    underWay ??= round().finally(() => (underWay = undefined))
  }, everyMs)
  timer.unref()
  return {
    async stop(): Promise<void> {
      clearInterval(timer)
      stopping.abort()
      await underWay
    },
  }
}
