import * as z from '../platform/zod.ts'
import { driverMarks } from './driver-marks.ts'

export const shiftAnswers = ['confirmed', 'declined'] as const
export const shiftAnswer = z.enum(shiftAnswers, 'Choose confirmed or declined.')
export type ShiftAnswer = z.infer<typeof shiftAnswer>

export const driverMark = z.enum(driverMarks, `Choose ${driverMarks.join(', ')}.`)

/** What the driver said about the shift on the phone, as far as it concerns the present plan. */
export const driverSigns = {
  /** Null until the driver answers, and again after day, hours or truck changed. */
  driverAnswer: shiftAnswer.nullable(),
  declineReason: z.string(),
  /** The number of the truck that the driver asks for instead; null while there is no open request. */
  requestedTruck: z.string().nullable(),
  /** What dispatch should look at; always empty for clients. */
  driverMarks: z.array(driverMark),
}
