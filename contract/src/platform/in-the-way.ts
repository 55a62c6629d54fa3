import { recordKinds } from './record-kinds.ts'
import * as z from './zod.ts'

/** What takes a thing out of the way. */
const wayOut = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('moveOrCancel'),
    /** At most as many as one change on the board takes. */
    shifts: z.array(z.strictObject({ uid: z.string(), version: z.int(), isPlanned: z.boolean() })),
  }),
  /** Withdraws the public page of a program. */
  z.strictObject({ kind: z.literal('withdraw'), uid: z.string(), version: z.int() }),
  z.strictObject({ kind: z.literal('restore'), record: z.enum(recordKinds), uid: z.string() }),
])

/** One thing in the way of what was sent. */
const thingInTheWay = z.strictObject({
  kind: z.enum(['shifts', 'rotation', 'publicPage', 'truck', 'deletedRecord']),
  /** `12 shifts after Nov 20, 2026` */
  name: z.string(),
  /** The console's address that shows it; null for what was deleted. */
  screen: z.string().nullable(),
  /** Null where it is changed on its screen. */
  act: wayOut.nullable(),
})
export type ThingInTheWay = z.infer<typeof thingInTheWay>

/** What is in the way of what was sent, each thing with its link and what can be done about it. */
export const inTheWay = z.array(thingInTheWay)
