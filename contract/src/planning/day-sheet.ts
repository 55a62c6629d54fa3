import * as z from '../platform/zod.ts'
import { anyOf, day, namedRef, one, uid } from '../platform/common.ts'
import { FILLED_TODAY } from '../platform/constants.ts'
import { endpoint } from '../platform/endpoint.ts'
import { plannedStop } from './planned-stops.ts'
import { shiftStatus } from './shifts.ts'

const contact = z.strictObject({ name: z.string(), title: z.string(), phone: z.string() })

/** A shift as the papers of its day have it. */
const sheetShift = z.strictObject({
  uid,
  date: day,
  start: z.string(),
  end: z.string(),
  zone: z.string(),
  status: shiftStatus,
  truck: z.strictObject({ uid, number: z.string(), plate: z.string() }),
  driver: z.strictObject({ uid, name: z.string(), phone: z.string() }),
  program: namedRef,
  client: namedRef,
  market: namedRef,
  /** Where trucks of the market start; empty if it names no yard. */
  yard: z.string(),
  stops: z.array(plannedStop),
  /** Contacts of the client who have a phone number. */
  contacts: z.array(contact),
  note: z.string(),
})
export type SheetShift = z.infer<typeof sheetShift>

/** The papers of a day: who drives what, from where, for whom. */
export const daySheet = {
  get: endpoint({
    method: 'GET',
    path: 'program-schedule/day-sheet',
    access: { module: ['schedule', 'clients'], needs: 'view', reach: 'all' },
    summary: 'Returns the shifts of a day with trucks, drivers, yards, stops and contacts, to be printed.',
    follows: ['shifts', 'trucks', 'users', 'markets', 'clients'],
    added: true,
    query: z.strictObject({ date: day, market: anyOf(uid).optional(), driver: anyOf(uid).optional() }),
    filledIn: { date: FILLED_TODAY },
    reply: one(z.array(sheetShift)),
  }),
}
