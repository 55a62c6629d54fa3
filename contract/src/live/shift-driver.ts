import * as z from '../platform/zod.ts'
import { instant, namedRef, one, paragraph, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { shiftAnswer } from '../planning/shifts.ts'

/** A text between the driver of a shift and dispatch. */
const shiftMessage = z.strictObject({
  uid,
  text: z.string(),
  /** When it was written, by the server's clock. */
  at: instant,
  by: z.string(),
  isOfDriver: z.boolean(),
  /** Written while the phone was offline, and sent more than 10 minutes later. */
  isSentLater: z.boolean(),
})
export type ShiftMessage = z.infer<typeof shiftMessage>

/** What the driver of a shift has answered, written and asked for on the phone. */
const shiftDriver = z.strictObject({
  /** Null until the driver answers. */
  answer: z
    .strictObject({
      answer: shiftAnswer,
      reason: z.string(),
      at: instant,
      isSentLater: z.boolean(),
      /** Day, hours or truck changed afterwards: the driver is asked again. */
      isOutdated: z.boolean(),
    })
    .nullable(),
  /** Oldest first; of former drivers too. */
  messages: z.array(shiftMessage),
  /** Null unless the driver asks for another truck. */
  truckRequest: z
    .strictObject({
      uid,
      number: z.string(),
      /** Null if no truck has this number. */
      truck: namedRef.nullable(),
      text: z.string(),
      at: instant,
    })
    .nullable(),
  /** When the driver's phone was last in touch; null if it never was. */
  phoneSeenAt: instant.nullable(),
  /** Acts on this shift that the phone sent more than 10 minutes after they were done. */
  sentLater: z.int(),
})
export type ShiftDriver = z.infer<typeof shiftDriver>

const view = { module: ['schedule', 'clients'], needs: 'view', reach: 'all' } as const
const plan = { module: ['schedule', 'clients'], needs: 'edit', reach: 'all' } as const

/** What dispatch sees of the driver's phone, shift by shift. */
export const shiftDrivers = {
  get: endpoint({
    method: 'GET',
    path: 'program-schedule/{uid}/driver',
    access: view,
    summary: 'What the driver of a shift has answered, written and asked for on the phone.',
    follows: ['shifts'],
    added: true,
    params: z.strictObject({ uid }),
    reply: one(shiftDriver),
  }),
  write: endpoint({
    method: 'POST',
    path: 'program-schedule/{uid}/messages',
    access: plan,
    summary: 'Writes a short text to the driver of a shift, who is notified of it.',
    added: true,
    params: z.strictObject({ uid }),
    body: z.strictObject({ text: paragraph(500).min(1, 'Required.') }),
    reply: one(shiftMessage),
  }),
  dismissTruckRequest: endpoint({
    method: 'POST',
    path: 'program-schedule/{uid}/dismiss-truck-request',
    access: plan,
    summary: 'Dismisses the request of a driver for another truck. The shift stays as it is.',
    added: true,
    params: z.strictObject({ uid }),
    body: z.strictObject({ requestUid: uid }),
    reply: one(shiftDriver),
  }),
}
