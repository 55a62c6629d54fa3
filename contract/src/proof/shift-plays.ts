import * as z from '../platform/zod.ts'
import { instant, namedRef, one, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { viewShifts } from '../planning/shift-access.ts'
import { playLogs } from './replay.ts'
import { counted, side } from './report-parts.ts'

const milliseconds = z.number()

const playedHour = z.strictObject({
  /** When the clock hour began in the shift's zone. */
  hour: milliseconds,
  artwork: namedRef,
  side,
  /** Shown for an SD address with artwork of its own, in place of what the shift shows. */
  isForAddress: z.boolean(),
  plays: counted,
})

const playsOfShift = z.strictObject({
  /** The plays that had arrived by then are counted. */
  countedAt: instant,
  /** More may come. */
  isRunning: z.boolean(),
  /** Why there are no plays to count, as in a replay. */
  playLog: z.enum(playLogs),
  hours: z.array(playedHour),
  /** When the screen played, without pauses of more than a few minutes. */
  runs: z.array(z.strictObject({ from: milliseconds, to: milliseconds })),
  /** When the rotation, its artwork or the artwork of the shift last changed since the screen began; null if it did not. */
  rotationChangedAt: instant.nullable(),
})
export type PlaysOfShift = z.infer<typeof playsOfShift>

export const shiftPlays = {
  byHour: endpoint({
    method: 'GET',
    path: 'program-schedule/{uid}/plays',
    access: viewShifts,
    ownRows: 'records',
    summary:
      'The plays of a shift by clock hour, artwork set and side, to compare with what its rotation leads one to expect.',
    follows: ['shifts', 'programs', 'artwork'],
    atMostEvery: 10,
    atLeastEvery: ({ isRunning }: PlaysOfShift) => (isRunning ? 60 : undefined),
    added: true,
    params: z.strictObject({ uid }),
    reply: one(playsOfShift),
  }),
}
