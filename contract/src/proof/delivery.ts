import * as z from '../platform/zod.ts'
import { bookedLine } from '../catalog/booked-lines.ts'
import { day, instant, namedRef, one, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { MAX_FILL_SHIFTS, proposedShift } from '../planning/fill.ts'
import { planAccess } from '../planning/shifts.ts'

/**
 * How a line or a program is doing:
 * - `none`: nothing is booked.
 * - `early`: it has not begun, or too little is expected yet.
 * - `ahead`, `on`, `behind`: it is running; the share that decides is a setting.
 * - `done`, `missed`: its last day is over.
 */
export const paceStates = ['none', 'early', 'ahead', 'on', 'behind', 'done', 'missed'] as const
const paceState = z.enum(paceStates)
export type PaceState = z.infer<typeof paceState>

const lineDelivery = z.strictObject({
  line: bookedLine,
  /** Up to and with the day `through`, in the unit of the line. */
  delivered: z.number(),
  /** What is to be delivered by then, in equal parts each day. */
  expected: z.number(),
  /** The last day of the line that is over; null before its first one is. */
  through: day.nullable(),
  /** On the days of the line that are not over. */
  deliveredSince: z.number(),
  /** Shifts up to then that took place without a record of what the line counts. */
  shiftsWithoutData: z.int(),
  /** `delivered` ÷ `expected`; null while nothing is expected or known. */
  pace: z.number().nullable(),
  /** The amount by the last day at the rate so far. */
  forecast: z.number().nullable(),
  state: paceState,
})
export type LineDelivery = z.infer<typeof lineDelivery>

export const programDelivery = z.strictObject({
  program: namedRef,
  asOf: instant,
  lines: z.array(lineDelivery),
  /** Those of the line furthest behind. */
  pace: z.number().nullable(),
  state: paceState,
})
export type ProgramDelivery = z.infer<typeof programDelivery>

/** A line that is behind, and what would make it up. It resolves itself once the line is back on pace. */
const campaignIssue = z.strictObject({
  uid,
  lineUid: uid,
  raisedAt: instant,
  /** Shifts that are missing within two weeks to be on pace, beside those planned already; null while that is not known. */
  missing: z.int().nullable(),
  /** Those of them for which a truck and a driver are free. */
  shifts: z.array(proposedShift),
  /** Who last planned shifts of it, and how many were planned in all. */
  accepted: z.strictObject({ by: z.string(), at: instant, shifts: z.int() }).nullable(),
})
export type CampaignIssue = z.infer<typeof campaignIssue>

const campaignBehind = z.strictObject({ client: namedRef, delivery: programDelivery, issues: z.array(campaignIssue) })
export type CampaignBehind = z.infer<typeof campaignBehind>

export const delivery = {
  program: endpoint({
    method: 'GET',
    path: 'client-programs/{uid}/delivery',
    access: { module: ['pop', 'clients'], needs: 'view', except: ['driver'] },
    ownRows: 'records',
    summary: 'What is booked for a program and how much of it is delivered, expected by now and forecast, by line.',
    follows: ['programs'],
    added: true,
    params: z.strictObject({ uid }),
    reply: one(programDelivery),
  }),
  behind: endpoint({
    method: 'GET',
    path: 'overview/campaigns-behind',
    access: { module: 'overview', needs: 'view', reach: 'all' },
    summary: 'Active programs that are behind, the furthest first, with the shifts that would make it up.',
    follows: ['shifts', 'programs'],
    atLeastEvery: 300,
    atMostEvery: 60,
    added: true,
    reply: one(z.array(campaignBehind)),
  }),
  planShifts: endpoint({
    method: 'POST',
    path: 'overview/campaigns-behind/shifts',
    access: planAccess,
    keys: false,
    summary:
      'Plans shifts that would make up a line that is behind, all or none. Where shifts can no longer be planned it answers 409 with a sentence for each, by its key.',
    added: true,
    body: z.strictObject({
      /** The issue, and its shifts by their keys. */
      uid,
      keys: z.array(z.string().max(20)).min(1, 'Keep at least one shift.').max(MAX_FILL_SHIFTS),
    }),
    reply: one(z.strictObject({ uids: z.array(uid), undoUid: uid.nullable() })),
  }),
}
