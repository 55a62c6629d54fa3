import * as z from '../platform/zod.ts'
import { day, namedRef, one } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { paceStates } from '../proof/delivery.ts'

/** How many weeks the lines of the business show, the present one included. */
export const BUSINESS_WEEKS = 12

const cents = z.int().nullable()

const businessProgram = z.strictObject({
  program: namedRef,
  client: namedRef,
  state: z.enum(paceStates),
  pace: z.number().nullable(),
  /** Of this month; null without prices. */
  bookedCents: cents,
  deliveredCents: cents,
})
export type BusinessProgram = z.infer<typeof businessProgram>

const businessWeek = z.strictObject({
  /** Its Monday. */
  week: day,
  bookedCents: cents,
  deliveredCents: cents,
  /** Programs that were running at the end of the week, or are now, and those of them that were not behind. */
  running: z.int(),
  onPace: z.int(),
  /** Shifts that started late or not at all. */
  late: z.int(),
  /** Trucks that went dark on a shift: issues that were opened. */
  dark: z.int(),
})
export type BusinessWeek = z.infer<typeof businessWeek>

const businessFigures = z.strictObject({
  /** Such as `2026-11`, where the company is. */
  month: z.string(),
  /** The sums of the programs below. */
  bookedCents: cents,
  deliveredCents: cents,
  /** Programs that run with something booked, and those of them that are not behind. */
  running: z.int(),
  onPace: z.int(),
  programs: z.array(businessProgram),
  weeks: z.array(businessWeek),
})
export type BusinessFigures = z.infer<typeof businessFigures>

export const business = {
  figures: endpoint({
    method: 'GET',
    path: 'overview/business',
    access: { module: 'clients', needs: 'view', reach: 'all' },
    summary:
      'What programs delivered of what is booked this month, by their prices; how many are on pace; and the last twelve weeks, with late and dark trucks.',
    follows: ['programs', 'shifts'],
    atLeastEvery: 300,
    atMostEvery: 120,
    fromReplica: true,
    added: true,
    reply: one(businessFigures),
  }),
}
