// This file has no schemas, so that a page can use it without loading zod.

/** A day of 24 hours; days on which clocks change are an hour longer or shorter. */
export const DAY_MS = 86_400_000
