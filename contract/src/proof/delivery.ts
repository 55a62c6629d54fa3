import * as z from '../platform/zod.ts'
import { bookedLine } from '../catalog/booked-lines.ts'
import { day, instant, namedRef, one, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'

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

export const delivery = {
  program: endpoint({
    method: 'GET',
    path: 'client-programs/{uid}/delivery',
    access: { module: ['pop', 'clients'], needs: 'view', except: ['driver'] },
    ownRows: 'records',
    summary: 'What is booked for a program and how much of it is delivered, expected by now and forecast, by line.',
    added: true,
    params: z.strictObject({ uid }),
    reply: one(programDelivery),
  }),
}
