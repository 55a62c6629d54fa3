/**
 * Clients retry while a node restarts or the database is briefly away. Reads are safe to repeat, and so are writes with
 * an Idempotency-Key: the server runs such a write once and gives every attempt the same response.
 */

/** Attempts before a call counts as failed: about twelve seconds, longer than a restart takes. */
export const MAX_ATTEMPTS = 6

const FIRST_WAIT_MS = 400

/** Whether a status is temporary: no response (0), or the server or a proxy is not available. */
export const isTransientStatus = (status: number): boolean => status === 0 || (status >= 502 && status <= 504)

/** The wait after some attempts: longer each time, with jitter so that clients do not retry at the same moment. */
export const retryDelayMs = (tries: number): number => FIRST_WAIT_MS * 2 ** (tries - 1) * (0.75 + Math.random() / 2)
