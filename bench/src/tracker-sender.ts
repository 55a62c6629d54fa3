import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a process of trackers is asked for: each of them sends a position every second. */
export interface TrackersAsked {
  /** The address with the key of the source. */
  url: string
  trackers: number
  seconds: number
}

/** What became of it. */
export interface TrackersDone {
  sent: number
  refused: number
  /** From a position to its answer, the 99th percentile in milliseconds. */
  slowestMs: number
  /** How long after its second the last answer came. */
  behindMs: number
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 1000 })

const statusOf = (url: string) =>
  new Promise<number>((resolve) => {
    http
      .get(url, { agent }, (answer) => {
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode ?? 0))
      })
      .on('error', () => resolve(0))
  })

const EVERY_MS = 1000

async function send({ url, trackers, seconds }: TrackersAsked): Promise<TrackersDone> {
  const waits: number[] = []
  let refused = 0
  // Positions of the past: trackers of this bench have clocks that are right.
  const start = Date.now()
  const one = async (tracker: number, second: number) => {
    await sleep(Math.max(0, start + second * EVERY_MS + (tracker * EVERY_MS) / trackers - Date.now()))
    const at = start - seconds * EVERY_MS + second * EVERY_MS
    const place = `lat=${(32.78 + second * 1e-4).toFixed(6)}&lon=${(-96.8 - tracker * 1e-4).toFixed(6)}&speed=20&bearing=0`
    const asked = performance.now()
    const status = await statusOf(`${url}?id=bench-${tracker}&timestamp=${at}&${place}`)
    waits.push(performance.now() - asked)
    if (status !== 200) refused++
  }
  const follow = async (tracker: number) => {
    for (let second = 0; second < seconds; second++) await one(tracker, second)
  }
  await Promise.all(Array.from({ length: trackers }, (_, tracker) => follow(tracker)))
  const ordered = waits.toSorted((first, second) => first - second)
  return {
    sent: waits.length,
    refused,
    slowestMs: ordered[Math.floor(ordered.length * 0.99)] ?? NaN,
    behindMs: Date.now() - start - seconds * EVERY_MS,
  }
}

async function report(asked: TrackersAsked): Promise<void> {
  process.send?.(await send(asked))
}

process.on('message', (asked: TrackersAsked) => void report(asked))
process.send?.('ready')
