const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The waits between attempts. The last one repeats until the message expires. */
const WAITS_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR]

/** Attempts that a message remembers. */
export const LOGGED_ATTEMPTS = 30

/** Characters of a recipient's answer that are kept. */
export const LONGEST_ANSWER = 2000

export interface Attempted {
  /** How often it was tried, this time included. */
  attempts: number
  /** Between 0 and 1: spreads attempts, so that a recipient that returns is not flooded. */
  spread: number
}

/** How long to wait after a failed attempt. */
export function waitAfter({ attempts, spread }: Attempted): number {
  const wait = WAITS_MS[Math.min(attempts, WAITS_MS.length) - 1] ?? SECOND
  return Math.round(wait * (0.9 + 0.2 * spread))
}

type Outcome = 'accepted' | 'failed' | 'refused' | 'cancelled'

/** One attempt, as a message remembers it. */
export interface Attempt {
  at: string
  ms: number
  outcome: Outcome
  /** What the recipient answered, or why it did not. */
  answer: string
  reply?: Reply | undefined
}

/** What came back over HTTP, where `answer` is a sentence about it. */
interface Reply {
  status: number
  body: string
}

/** How an attempt ended. */
export interface Ended {
  outcome: Outcome
  answer: string
  reply?: Reply | undefined
  /** When the recipient asks to be tried again, in milliseconds from now. */
  retryAfterMs?: number | undefined
}

export interface NextStep {
  state: 'waiting' | 'sent' | 'dead' | 'cancelled'
  /** How long a waiting message waits. */
  waitMs: number
  /** Why it is late, dead or canceled; undefined where it arrived. */
  problem: string | undefined
}

/** What becomes of a message after an attempt. */
export function stepAfter(ended: Ended, attempted: Attempted & { expiresInMs: number }): NextStep {
  const { outcome, answer, retryAfterMs = 0 } = ended
  if (outcome === 'accepted') return { state: 'sent', waitMs: 0, problem: undefined }
  if (outcome === 'cancelled') return { state: 'cancelled', waitMs: 0, problem: answer }
  const waitMs = Math.max(waitAfter(attempted), retryAfterMs)
  const isOver = outcome === 'refused' || waitMs > attempted.expiresInMs
  // A dead message has no wait: the one that the recipient asked for may be more than the database can add to a time.
  return isOver ? { state: 'dead', waitMs: 0, problem: answer } : { state: 'waiting', waitMs, problem: answer }
}
