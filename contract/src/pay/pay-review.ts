import * as z from '../platform/zod.ts'
import { day, namedRef, one, textLine, uid, version } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { payOption } from '../planning/shifts.ts'
import { payCalendarKind } from '../catalog/pay-calendars.ts'
import { paySpan, withinPayDays } from './pay-periods.ts'
import { payDecision, payLine } from './payroll.ts'

/** What a completed shift lacks to be paid without a question. */
export const evidenceGaps = ['noTimes', 'noStart', 'noStop', 'littleWork'] as const
const evidenceGap = z.enum(evidenceGaps)
export type EvidenceGap = z.infer<typeof evidenceGap>
export const evidenceGapLabel: Record<EvidenceGap, string> = {
  noTimes: 'Neither start nor stop',
  noStart: 'No start',
  noStop: 'No stop',
  littleWork: 'Little work and no GPS data',
}

/** Beyond these years, the periods beside it would leave the calendar. */
const payDay = day.refine((given) => given >= '2000-01-01' && given < '2199-01-01', 'Must be a day from 2000 to 2198.')

const payDaysOf = z.strictObject(paySpan)

const undecidedShift = z.strictObject({
  line: payLine,
  driver: namedRef,
  gap: evidenceGap,
  /** What "Pay as planned" pays; null cents without a rate. */
  asPlanned: z.strictObject({ option: payOption, cents: z.int().nullable() }),
})
export type UndecidedShift = z.infer<typeof undecidedShift>

/** A shift and the version of payroll's decision that was seen; null without one. */
const seenShift = z.strictObject({ uid, version: version.nullable() })

/** The most shifts of one decision. */
export const DECISIONS_AT_ONCE = 500

const edit = { module: 'payroll', needs: 'edit', reach: 'all' } as const

/** What the office works through in a pay period: the calendar, and the shifts to decide. */
export const payReview = {
  calendar: endpoint({
    method: 'GET',
    path: 'payroll/calendar',
    access: { module: 'payroll', needs: 'view' },
    ownRows: 'shared',
    follows: ['payroll', 'settings'],
    summary:
      'Returns the pay period of a day by the pay calendar, and those beside it. Without a day: for the office the oldest period that needs work, otherwise the current one.',
    added: true,
    query: z.strictObject({ date: payDay.optional() }),
    reply: one(
      z.strictObject({
        payCalendar: payCalendarKind,
        ...paySpan,
        previous: payDaysOf,
        next: payDaysOf,
        current: payDaysOf,
        /** For the office: the oldest period that is over and not locked; null when none is left. */
        oldest: payDaysOf.nullable(),
        /** The present day of the company. */
        today: day,
      }),
    ),
  }),
  undecided: endpoint({
    method: 'GET',
    path: 'payroll/decisions',
    access: { module: 'payroll', needs: 'view', reach: 'all' },
    follows: ['payroll', 'shifts'],
    fromReplica: true,
    summary: 'Lists the completed shifts between two days that lack evidence of work and need a decision.',
    added: true,
    query: withinPayDays(z.strictObject(paySpan)),
    reply: one(z.array(undecidedShift)),
  }),
  decide: endpoint({
    method: 'PUT',
    path: 'payroll/decisions',
    access: edit,
    summary:
      'Pays shifts as planned, does not pay them, or with null takes the decision back, all or none of them. A decision that someone else changed answers 409, as does a closed pay period.',
    added: true,
    body: withinPayDays(
      z.strictObject({
        ...paySpan,
        shifts: z
          .array(seenShift)
          .min(1, 'Choose a shift.')
          .max(DECISIONS_AT_ONCE, `At most ${DECISIONS_AT_ONCE} shifts.`),
        decision: payDecision.nullable(),
        note: textLine(300).prefault(''),
      }),
    ),
    reply: one(z.strictObject({ shifts: z.array(z.strictObject({ uid, version })) })),
  }),
}
