/** Clocks that differ less are taken as right: the difference may be the way of the request. */
const TOLERANCE_MS = 2 * 60_000

/**
 * When something was done, by this server's clock. The sender says when it was done and when it was sent, both by its own
 * clock; a clock that is wrong at the moment of sending was as wrong when it was done.
 */
export function correctSenderTime({ at, sentAt, now }: { at: number; sentAt: number; now: number }): number {
  const offset = now - sentAt
  return Math.abs(offset) < TOLERANCE_MS ? at : at + offset
}
