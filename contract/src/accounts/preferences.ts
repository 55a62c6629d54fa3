import { clockStyles } from '../platform/dates.ts'
import { one } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import * as z from '../platform/zod.ts'

/** The rows on a page of a list; `fit` fills the screen. */
export const rowChoices = ['10', '25', '50', '100', 'fit'] as const
export type RowChoice = (typeof rowChoices)[number]

const clockStyle = z.enum(clockStyles, 'Choose 12h or 24h.')

export const userPreferences = z.strictObject({
  /** Null where the person reads as the company does. */
  clock: clockStyle.nullable(),
  companyClock: clockStyle,
  rowsPerPage: z.enum(rowChoices),
})
export type UserPreferences = z.infer<typeof userPreferences>

export const preferences = {
  save: endpoint({
    method: 'PUT',
    path: 'user/preferences',
    access: 'signedIn',
    ownRows: 'account',
    summary: 'How one reads times and lists oneself.',
    added: true,
    body: z.strictObject({
      clock: clockStyle.nullable(),
      rowsPerPage: z.enum(rowChoices, 'Choose 10, 25, 50, 100 or fit.'),
    }),
    reply: one(userPreferences),
  }),
}
