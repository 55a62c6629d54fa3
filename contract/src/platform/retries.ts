/**
 * What clients do while a node restarts or the database is away for a moment: whatever may be done twice is tried again.
 * Reads may, and so may writes with an Idempotency-Key: of those the server does one and answers all of them alike.
 */

/** Times that a call is made before it counts as failed: about twelve seconds, which a restart takes less than. */
export const MAX_ATTEMPTS = 6

const FIRST_WAIT_MS = 400

/** Whether an answer will pass by itself: nobody answered (0), or somebody before the server or itself said not now. */
export const isTransientStatus = (status: number): boolean => status === 0 || (status >= 502 && status <= 504)

/** How long to wait after so many tries: longer each time, and never the same for all who were cut off together. */
export const retryDelayMs = (tries: number): number => FIRST_WAIT_MS * 2 ** (tries - 1) * (0.75 + Math.random() / 2)
