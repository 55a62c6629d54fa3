import * as z from '../platform/zod.ts'

/** How often drivers are paid. */
export const payCalendars = ['weekly', 'everyTwoWeeks', 'twiceAMonth', 'monthly'] as const
export const payCalendarKind = z.enum(payCalendars, `Choose ${payCalendars.join(', ')}.`)
export type PayCalendarKind = z.infer<typeof payCalendarKind>
export const payCalendarLabel: Record<PayCalendarKind, string> = {
  weekly: 'Weekly',
  everyTwoWeeks: 'Every two weeks',
  twiceAMonth: 'Twice a month',
  monthly: 'Monthly',
}
