/** Clocks that differ less are taken as right: the difference may be the way of the request. */
const TOLERANCE_MS = 2 * 60_000

/** How far a sender's clock is behind this server's; 0 if the clocks agree. */
export function senderClockOffset(sentAt: number, now: number): number {
  const offset = now - sentAt
  return Math.abs(offset) < TOLERANCE_MS ? 0 : offset
}

/**
 * When something was done, by this server's clock. The sender says when it was done and when it was sent, both by its own
 * clock; a clock that is wrong at the moment of sending was as wrong when it was done.
 */
export const correctSenderTime = ({ at, sentAt, now }: { at: number; sentAt: number; now: number }): number =>
  at + senderClockOffset(sentAt, now)
