/**
 * What went wrong, by what to do about it.
 * refused: user, password or token are wrong; retrying does not help.
 * overLimit: too many calls; retry after the given time.
 * unavailable: passes by itself; retry later.
 * rejected: the call itself is wrong; retrying does not help.
 */
type Failure = 'refused' | 'overLimit' | 'unavailable' | 'rejected'

/** A source that is asked for positions did not give any. The message is a sentence for people. */
export class SourceError extends Error {
  /** How long the source asks us to wait, if it says so. */
  readonly waitMs: number | undefined

  constructor(
    readonly failure: Failure,
    message: string,
    { waitMs }: { waitMs?: number | undefined } = {},
  ) {
    super(message)
    this.waitMs = waitMs
  }
}

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 60_000

/** How long to wait after some failures in a row. The time is random, so that nodes do not retry all at once. */
export function backOffMs(failures: number, waitMs?: number): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1))
  return Math.max(waitMs ?? 0, longest * (0.5 + Math.random() / 2))
}

/** The milliseconds to wait by a `Retry-After` in seconds, which may have a fraction. */
export function waitOf(retryAfter: string | null | undefined): number | undefined {
  const seconds = Number(retryAfter ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}
