import { Worker } from 'node:worker_threads'
import { semaphore } from '../../platform/runtime/semaphore.ts'

/** The message to the worker: every form of the password is measured, and the weakest counts. */
export interface StrengthQuestion {
  passwords: string[]
  ownWords: string[]
}

const MEASURING_MS = 15_000
const IDLE_MS = 30_000
const MAX_HEAP_MB = 256

const workerUrl = new URL('./strength-worker.js', import.meta.url)
const oneAtATime = semaphore(1)

let worker: Worker | undefined
let idle: NodeJS.Timeout | undefined

/** Ends the thread, and with it the memory of its dictionaries. */
function endWorker(): void {
  void worker?.terminate()
  worker = undefined
}

function startWorker(): Worker {
  const started = new Worker(workerUrl, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } })
  // Without a listener the event would end the process; the question under way fails by the exit that follows.
  started.on('error', () => {})
  started.unref()
  return started
}

function ask(question: StrengthQuestion): Promise<number | undefined> {
  const asked = (worker ??= startWorker())
  return new Promise((resolve) => {
    const finish = (score: number | undefined) => {
      clearTimeout(timer)
      asked.off('message', finish)
      asked.off('exit', fail)
      if (score === undefined) endWorker()
      resolve(score)
    }
    const fail = () => finish(undefined)
    const timer = setTimeout(fail, MEASURING_MS)
    asked.on('message', finish)
    asked.on('exit', fail)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    asked.postMessage(question)
  })
}

/**
 * How hard a password is to guess, from 0 to 4 as zxcvbn counts; undefined if that could not be found out in time. The
 * dictionaries are loaded by the first question into a thread of their own, which ends when no question follows.
 */
export const measureStrength = (question: StrengthQuestion): Promise<number | undefined> =>
  oneAtATime(1, async () => {
    clearTimeout(idle)
    const score = await ask(question)
    idle = setTimeout(endWorker, IDLE_MS).unref()
    return score
  })
