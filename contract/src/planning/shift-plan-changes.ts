import * as z from '../platform/zod.ts'
import { day, one, requiredLine, uid, version } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { clock, inactiveProgramConsent, lateArrivals, refusalGroup, withDifferentHours } from './shift-schemas.ts'
import { planAccess } from './shifts.ts'

/** The most shifts that one change may affect. */
export const MAX_ACT_SHIFTS = 500
/** How long a change can be undone. */
export const UNDO_HOURS = 24

/** A shift at the version that the planner saw. */
const seen = z.strictObject({ uid, version })
const placed = withDifferentHours(
  seen.extend({ truckUid: z.uuid('Choose a truck.'), date: day, start: clock, end: clock }),
)

const some = <T extends z.ZodType<{ uid: string }>>(shift: T) =>
  z
    .array(shift)
    .min(1, 'Choose at least one shift.')
    .max(MAX_ACT_SHIFTS, `Choose at most ${MAX_ACT_SHIFTS} shifts.`)
    .refine((all) => new Set(all.map((each) => each.uid)).size === all.length, 'Name each shift once.')

export const shiftPlanChangeKinds = ['move', 'copy', 'driver', 'cancel', 'delete'] as const
export type ShiftPlanChangeKind = (typeof shiftPlanChangeKinds)[number]

const shiftPlanChange = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('move'), shifts: some(placed) }),
    z.strictObject({ kind: z.literal('copy'), shifts: some(placed) }),
    z.strictObject({ kind: z.literal('driver'), shifts: some(seen), driverUid: z.uuid('Choose a driver.') }),
    z.strictObject({ kind: z.literal('cancel'), shifts: some(seen), reason: requiredLine(300) }),
    z.strictObject({ kind: z.literal('delete'), shifts: some(seen) }),
  ],
  `Choose ${shiftPlanChangeKinds.join(', ')}.`,
)
export type ShiftPlanChange = z.input<typeof shiftPlanChange>

/** Shifts at their version after a change. */
const changed = z.array(seen)

export const shiftPlanChangeResult = z.strictObject({
  /** False if nothing was saved: it was a preview, or some shifts were refused and the rest was not wanted. */
  saved: z.boolean(),
  /** The shifts that were changed or added; without `saved`, those that would be. */
  accepted: z.int(),
  refused: z.array(refusalGroup),
  /** The shifts of draft and paused programs among those that could be saved. */
  inactive: z.int(),
  lateArrivals,
  changed,
  /** The change to undo; null if nothing was saved. */
  undoUid: uid.nullable(),
})
export type ShiftPlanChangeResult = z.infer<typeof shiftPlanChangeResult>

/** Changes of several shifts in one transaction, each of which can be undone. */
export const shiftPlanChanges = {
  apply: endpoint({
    method: 'POST',
    path: 'program-schedule/acts',
    access: planAccess,
    summary:
      'Moves, copies, cancels or deletes shifts, or changes their driver, in one transaction. Refusals are grouped by reason; with any, nothing is saved unless `partly` is true.',
    added: true,
    body: z.strictObject({
      act: shiftPlanChange,
      /** False only shows what would happen. */
      save: z.boolean('Must be true or false.').prefault(true),
      /** Saves the shifts that fit although others are refused. */
      partly: z.boolean('Must be true or false.').prefault(false),
      ...inactiveProgramConsent,
    }),
    reply: one(shiftPlanChangeResult),
  }),
  undo: endpoint({
    method: 'POST',
    path: 'program-schedule/acts/undo',
    access: planAccess,
    summary: `Undoes an act of the caller within ${UNDO_HOURS} hours: every shift is again as it was before. Refused as a whole if a shift changed since, or no longer fits where it was. The act is named by \`uid\`, or is the caller’s newest on the shift \`shiftUid\`.`,
    added: true,
    body: z
      .strictObject({ uid: uid.optional(), shiftUid: uid.optional() })
      .refine((given) => (given.uid === undefined) !== (given.shiftUid === undefined), {
        path: ['uid'],
        error: 'Name a change or a shift.',
      }),
    reply: one(z.strictObject({ changed })),
  }),
}
