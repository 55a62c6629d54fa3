import * as z from '../platform/zod.ts'
import {
  anyOf,
  day,
  instant,
  listQuery,
  namedRef,
  NO_EXPORT,
  one,
  page,
  textLine,
  uid,
  version,
} from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { inactiveProgramConsent, clock } from './shift-schemas.ts'
import { shiftStatus } from './shift-status.ts'
import { MAX_ACT_SHIFTS } from './shift-plan-changes.ts'
import { planAccess } from './shifts.ts'
import { suggestionReason } from './suggestions.ts'

/** A truck in the shop, or a driver's days off: from one moment to another, or until further notice. */
export const outOfService = z.strictObject({
  uid,
  /** Either the truck or the driver is out of service. */
  truck: namedRef.nullable(),
  driver: namedRef.nullable(),
  /** As the clocks of the zone show them. */
  from: day,
  startTime: clock,
  /** The last day; null until further notice. */
  to: day.nullable(),
  /** Null: the whole of the last day. */
  endTime: clock.nullable(),
  zone: z.string(),
  startsAt: instant,
  endsAt: instant.nullable(),
  reason: z.string(),
  updatedAt: instant,
  version,
})
export type OutOfService = z.infer<typeof outOfService>

const stretchInput = z.strictObject({
  truckUid: uid.nullable().prefault(null),
  driverUid: uid.nullable().prefault(null),
  from: day,
  startTime: clock.prefault('00:00'),
  to: day.nullable().prefault(null),
  endTime: clock.nullable().prefault(null),
  reason: textLine(200).prefault(''),
})
export type OutOfServiceInput = z.input<typeof stretchInput>

/** What happens to a shift in the stretch: another truck or driver takes it, or it is canceled. */
const shiftDecision = z.strictObject({
  uid,
  version,
  /** The truck or driver that takes it; null cancels it. */
  toUid: uid.nullable(),
})
export type ShiftDecision = z.infer<typeof shiftDecision>

const withDecisions = {
  shifts: z
    .array(shiftDecision)
    .max(MAX_ACT_SHIFTS, `Decide on at most ${MAX_ACT_SHIFTS} shifts at once.`)
    .refine((all) => new Set(all.map((each) => each.uid)).size === all.length, 'Name each shift once.')
    .prefault([]),
  ...inactiveProgramConsent,
}

type Stretch = Pick<z.infer<typeof stretchInput>, 'truckUid' | 'driverUid' | 'from' | 'startTime' | 'to' | 'endTime'>

/** One truck or one driver. It is checked beside other fields that are wrong, as a required field is. */
const isOfOne = ({ truckUid, driverUid }: Partial<Stretch>) =>
  ((truckUid ?? null) === null) !== ((driverUid ?? null) === null)
const isObject = ({ value }: { value: unknown }) => typeof value === 'object' && value !== null
const ofOne = { path: ['truckUid'], error: 'Choose a truck or a driver.', when: isObject }

/** A driver is off for whole days; the end is after the start. */
const asStretch = <T extends z.ZodType<Stretch>>(input: T) =>
  input.refine(isOfOne, ofOne).superRefine(({ driverUid, from, startTime, to, endTime }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
    if (driverUid !== null && (startTime !== '00:00' || endTime !== null))
      refuse('startTime', 'Drivers are off for whole days.')
    if (to === null && endTime !== null) refuse('to', 'Enter the last day too, or leave out its time.')
    if (to !== null && to < from) refuse('to', 'Must not be before the first day.')
    else if (to === from && endTime !== null && endTime <= startTime) refuse('endTime', 'Must be after the start.')
  })

/** A shift in the stretch, with those who could take it. */
const shiftInStretch = z.strictObject({
  uid,
  version,
  status: shiftStatus,
  truck: namedRef,
  driver: namedRef,
  program: namedRef,
  market: namedRef,
  date: day,
  start: clock,
  end: clock,
  /** The trucks or drivers that could take it, best first. Saving would not refuse them. */
  choices: z.array(namedRef.extend({ reasons: z.array(suggestionReason) })),
  /** The choice to begin with; null where there is none. */
  proposedUid: uid.nullable(),
})
export type ShiftInStretch = z.infer<typeof shiftInStretch>

const saved = outOfService.extend({
  /** How many shifts were given to others, and how many were canceled. */
  moved: z.int(),
  canceled: z.int(),
  /** The change to undo. */
  undoUid: uid,
})
export type OutOfServiceSaved = z.infer<typeof saved>

const view = { module: ['schedule', 'clients'], needs: 'view' } as const
const path = 'out-of-service'

export const outOfServices = {
  list: endpoint({
    method: 'GET',
    path: `${path}/run`,
    access: view,
    ownRows: 'records',
    summary: 'Trucks in the shop and days off of drivers. A driver sees their own days off.',
    follows: ['outOfService', 'shifts'],
    added: true,
    query: listQuery(['startsAt'], {
      truck: anyOf(uid).optional(),
      driver: anyOf(uid).optional(),
      /** Those that last on or after this day, and begin on or before that one. */
      from: day.optional(),
      to: day.optional(),
    }).omit(NO_EXPORT),
    reply: page(outOfService),
  }),
  check: endpoint({
    method: 'POST',
    path: `${path}/check`,
    access: planAccess,
    summary:
      'The shifts that are planned while a truck or a driver would be out of service, with trucks or drivers that could take them. Saves nothing.',
    added: true,
    repeatable: true,
    body: asStretch(stretchInput.omit({ reason: true }).extend({ uid: uid.optional() })),
    reply: one(
      z.strictObject({
        zone: z.string(),
        /** What saving would refuse, by field. */
        problems: z.record(z.string(), z.string()),
        shifts: z.array(shiftInStretch),
        /** How many more shifts there are than are listed. */
        more: z.int(),
      }),
    ),
  }),
  create: endpoint({
    method: 'POST',
    path: `${path}/`,
    access: planAccess,
    summary:
      'Takes a truck or a driver out of service. Each planned shift in that time is given to another truck or driver or canceled, in the same step; one without a decision answers 409.',
    added: true,
    body: asStretch(stretchInput.extend(withDecisions)),
    reply: one(saved),
  }),
  update: endpoint({
    method: 'PUT',
    path: `${path}/`,
    access: planAccess,
    summary: 'Changes when a truck or a driver is out of service. An old version answers 409.',
    added: true,
    body: asStretch(stretchInput.extend({ uid, version, ...withDecisions })),
    reply: one(saved),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/{uid}`,
    access: planAccess,
    summary: 'Deletes a time out of service: the truck or driver can be planned again.',
    added: true,
    params: z.strictObject({ uid }),
    reply: one(z.strictObject({ uid, undoUid: uid })),
  }),
}
