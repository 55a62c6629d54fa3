import * as z from '../platform/zod.ts'
import { one, uid, version } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { clock } from './clock.ts'
import { MAX_AMOUNT, MAX_ROTATION_LINES, rotationShares } from './rotation-lines.ts'

export * from './rotation-lines.ts'

const share = z.enum(rotationShares, 'Choose a weight or plays an hour.')

/** Monday is 1. */
const weekday = z
  .int('Must be a day of the week from 1 to 7.')
  .min(1, 'Must be 1 or more.')
  .max(7, 'Must be 7 or less.')

const hours = {
  /** Local hours, over midnight if they end before they begin; both null for the whole day. */
  from: clock.nullable(),
  to: clock.nullable(),
  weekdays: z
    .array(weekday)
    .min(1, 'Choose a day of the week.')
    .max(7, 'Choose each day once.')
    .refine((days) => new Set(days).size === days.length, 'Choose each day once.'),
}

const rotationLine = z.strictObject({
  uid,
  /** A set that is not approved is not shown; its turns stay with the house artwork. */
  artworkSet: z.strictObject({ uid, name: z.string(), isApproved: z.boolean() }),
  share,
  amount: z.int(),
  ...hours,
  /** How long a showing lasts: as the program says, else as long as the artwork. */
  spotMs: z.int(),
})
export type RotationLine = z.infer<typeof rotationLine>

const rotation = z.strictObject({
  /** Of the program. */
  uid,
  lines: z.array(rotationLine),
  /** How long the house artwork is shown at a time, where lines leave time. */
  restMs: z.int(),
  /** Of the program: saving an old one answers 409. */
  version,
})
export type Rotation = z.infer<typeof rotation>

const whole = 'Must be a whole number.'
const lineInput = z
  .strictObject({
    artworkSetUid: z.uuid('Choose an artwork set.'),
    share: share.prefault('weight'),
    amount: z.int(whole).min(1, 'Must be 1 or more.').prefault(1),
    from: hours.from.prefault(null),
    to: hours.to.prefault(null),
    weekdays: hours.weekdays.prefault([1, 2, 3, 4, 5, 6, 7]),
  })
  .superRefine(({ share, amount, from, to }, context) => {
    const most = MAX_AMOUNT[share]
    const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
    if (amount > most) refuse('amount', `Must be ${most} or less.`)
    if (from !== null && to === null) refuse('to', 'Enter when it ends, or leave both empty.')
    if (from === null && to !== null) refuse('from', 'Enter when it begins, or leave both empty.')
  })

export const rotationInput = z.strictObject({
  lines: z.array(lineInput).max(MAX_ROTATION_LINES, `At most ${MAX_ROTATION_LINES} lines.`),
  version,
})
export type RotationInput = z.input<typeof rotationInput>

export const rotations = {
  get: endpoint({
    method: 'GET',
    path: 'client-programs/{uid}/rotation',
    access: { module: 'clients', needs: 'view' },
    ownRows: 'records',
    summary: 'The artwork that a program shows in turn, wherever a shift names no set of its own.',
    follows: ['programs', 'artwork', 'settings'],
    added: true,
    params: z.strictObject({ uid }),
    reply: one(rotation),
  }),
  save: endpoint({
    method: 'PUT',
    path: 'client-programs/{uid}/rotation',
    access: { module: 'clients', needs: 'edit' },
    summary:
      'Changes what a program shows in turn. Plays that do not fit into an hour are refused; an old version of the program answers 409.',
    added: true,
    params: z.strictObject({ uid }),
    body: rotationInput,
    reply: one(rotation),
  }),
}
