import * as z from './zod.ts'

/** The shifts in the way of what was sent: which they are, and where they are listed. */
export const inTheWay = z.strictObject({
  /** `12 shifts after Nov 20, 2026` */
  words: z.string(),
  /** The console's address that lists them. */
  screen: z.string(),
  /** At most as many as one change on the board takes. */
  shifts: z.array(z.strictObject({ uid: z.string(), version: z.int(), isPlanned: z.boolean() })),
})
