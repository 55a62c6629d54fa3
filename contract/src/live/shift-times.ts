import * as z from '../platform/zod.ts'
import { instant, one, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { planAccess } from '../planning/shifts.ts'
import { shiftTimeKinds, truckSigns } from '../planning/time-question.ts'

export const shiftTimeKind = z.enum(shiftTimeKinds, 'Choose start or stop.')

/** A question about a start or stop: the truck was at work more than ten minutes before or after it. */
export const timeQuestion = z.strictObject({
  kind: shiftTimeKind,
  /** The recorded start or stop. */
  about: instant,
  /** When the truck's screens or wheels began or ended. */
  at: instant,
  seenBy: z.enum(truckSigns),
})
export type TimeQuestion = z.infer<typeof timeQuestion>

/** An answer to a question, which repeats what was asked. */
export const timeAnswer = {
  time: shiftTimeKind,
  about: instant,
  seenAt: instant,
  /** True corrects the recorded time, false keeps it. */
  isCorrected: z.boolean('Must be true or false.'),
}

const timeQuestions = z.array(timeQuestion)

/** Actual times that the truck's own data contradict, each asked once. */
export const shiftTimes = {
  questions: endpoint({
    method: 'GET',
    path: 'program-schedule/{uid}/time-questions',
    access: planAccess,
    summary:
      'Asks whether the start or stop of a shift is right where its truck played or drove more than ten minutes before or after it. Empty once answered or corrected, and for locked pay.',
    follows: ['shifts'],
    added: true,
    params: z.strictObject({ uid }),
    reply: one(timeQuestions),
  }),
  answer: endpoint({
    method: 'POST',
    path: 'program-schedule/{uid}/time-answer',
    access: planAccess,
    summary:
      'Answers such a question: corrects the time, with what was seen as the reason, or keeps it. Neither the office nor the driver is asked again. A question that is no longer open answers 409.',
    added: true,
    params: z.strictObject({ uid }),
    body: z.strictObject(timeAnswer),
    reply: one(timeQuestions),
  }),
}
