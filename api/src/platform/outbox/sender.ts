import { setTimeout as sleep } from 'node:timers/promises'
import { defineJob, type Job, type JobContext } from '../jobs/define-job.ts'
import { newTrace } from '../observability/trace.ts'
import { coalesceCalls } from '../runtime/coalesce-calls.ts'
import type { Channel, SendingRun } from './channel.ts'
import { messagesTotal } from './metrics.ts'
import { buryExpired, type Finished, noteAway, noteFinished, type Taken, takeDue } from './queue.ts'
import type { Ended } from './rules.ts'

/** How long the sender waits for room or for new messages while some are under way. */
const LOOK_AGAIN_MS = 200

const OTHER_KEY = "This node can't open the message: it was sealed with another SECRET_KEY."

async function attempt(channel: Channel, message: Taken, run: SendingRun): Promise<Ended> {
  // Another node may have the key.
  if (message.payload === undefined) return { outcome: 'failed', answer: OTHER_KEY }
  try {
    return await channel.send(message, run)
  } catch (error) {
    return { outcome: 'failed', answer: (error as Error).message }
  }
}

/** How long the sender waits before it tries again to note how attempts ended. */
const NOTE_AGAIN_MS = 500

type Sending = Pick<JobContext, 'db' | 'signal' | 'log'> & Partial<Pick<JobContext, 'trace'>>
type Noting = Pick<JobContext, 'db' | 'log'> & { channel: Channel }

/**
 * Notes attempts together, or each alone where that fails, so that one that can't be noted does not hold up the others.
 * Answers the error of each that could not be noted.
 */
async function noteTogether(finished: readonly Finished[], { db, log }: Noting): Promise<Map<Finished, unknown>> {
  const errors = new Map<Finished, unknown>()
  try {
    await noteFinished(db, finished)
  } catch (error) {
    log(error)
    if (finished.length === 1) return new Map(finished.map((each) => [each, error]))
    const noteAlone = (each: Finished) =>
      noteFinished(db, [each]).catch((error: unknown) => void errors.set(each, error))
    await Promise.all(finished.map(noteAlone))
  }
  return errors
}

/** Notes how attempts ended, while the database is away for a moment too: what is not noted is sent twice. */
function openNotes(noting: Noting): (finished: Finished) => Promise<void> {
  let unnoted: Finished[] = []
  // Attempts that end while others are noted are noted together.
  const noteAll = coalesceCalls(async () => {
    const finished = unnoted
    unnoted = []
    return noteTogether(finished, noting)
  })
  return async function noteUntilKept(finished) {
    // The lease is more than twice as long as an attempt.
    const until = Date.now() + noting.channel.longestMs
    for (;;) {
      unnoted.push(finished)
      const errors = await noteAll()
      if (!errors.has(finished)) return
      if (Date.now() > until) throw errors.get(finished)
      await sleep(NOTE_AGAIN_MS)
    }
  }
}

/** Sends what is due on one channel until nothing is. */
export async function sendDue(channel: Channel, { db, signal, log, trace = newTrace() }: Sending): Promise<void> {
  const underWay = new Map<Promise<void>, string | null>()
  const noteUntilKept = openNotes({ db, channel, log })

  async function sendOne(message: Taken): Promise<void> {
    const began = performance.now()
    const ended = await attempt(channel, message, { log, trace })
    messagesTotal.inc({ channel: channel.name, outcome: ended.outcome })
    await noteUntilKept({ ...ended, message, ms: performance.now() - began })
  }

  function start(message: Taken): void {
    const sending = sendOne(message)
      .catch((error: unknown) => log(error))
      .finally(() => underWay.delete(sending))
    underWay.set(sending, message.target)
  }

  while (!signal.aborted) {
    const away = channel.away?.()
    if (away) await noteAway(db, channel.name, away)
    // What ends while due messages are looked for leaves room for more of its target.
    const wasIdle = underWay.size === 0
    const free = away ? 0 : channel.concurrency - underWay.size
    const taken = free > 0 ? await takeDue(db, channel, { free, busy: busyTargets(channel, underWay) }) : []
    taken.forEach(start)
    if (wasIdle && taken.length === 0) break
    if (underWay.size === 0) continue
    await Promise.race([...underWay.keys(), ...(taken.length === free ? [] : [sleep(LOOK_AGAIN_MS)])])
  }
  await Promise.all(underWay.keys())
}

function busyTargets({ perTarget = Infinity }: Channel, underWay: ReadonlyMap<unknown, string | null>): string[] {
  const counts = new Map<string, number>()
  for (const target of underWay.values()) if (target) counts.set(target, (counts.get(target) ?? 0) + 1)
  return [...counts].filter(([, count]) => count >= perTarget).map(([target]) => target)
}

/** Sends the messages of one channel, on every node. */
export const sendMessages = (channel: Channel): Job =>
  defineJob(`send-${channel.name}`, async ({ db, signal, log, trace }) => {
    await buryExpired(db, channel.name)
    await sendDue(channel, { db, signal, log, trace })
  })
