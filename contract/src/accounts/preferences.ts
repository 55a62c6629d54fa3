import { clockStyles } from '../platform/dates.ts'
import { one } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import * as z from '../platform/zod.ts'

/** The rows on a page of a list; `fit` fills the screen. */
export const rowChoices = ['10', '25', '50', '100', 'fit'] as const
export type RowChoice = (typeof rowChoices)[number]

const LISTS_AT_MOST = 60
const COLUMNS_AT_MOST = 40
const listPath = z
  .string()
  .max(60)
  .regex(/^[a-z0-9/-]+$/, 'Must be the path of a list.')
const columnKey = z.string().max(40).regex(/^\w+$/, 'Must be the key of a column.')
const columnKeys = z
  .array(columnKey)
  .min(1, 'Choose at least one column.')
  .max(COLUMNS_AT_MOST, `At most ${COLUMNS_AT_MOST} columns.`)

/** The columns that are shown of lists, by the paths of the lists. A list that is missing shows its own. */
const listColumns = z.record(listPath, columnKeys)

const clockStyle = z.enum(clockStyles, 'Choose 12h or 24h.')

export const userPreferences = z.strictObject({
  /** Null where the person reads as the company does. */
  clock: clockStyle.nullable(),
  companyClock: clockStyle,
  rowsPerPage: z.enum(rowChoices),
  /** Absent from nodes of an earlier version. */
  columns: listColumns.optional(),
  /** Whether the menu stays open beside wide screens; absent from nodes of an earlier version. */
  menuPinned: z.boolean().optional(),
})
export type UserPreferences = z.infer<typeof userPreferences>

export const preferences = {
  save: endpoint({
    method: 'PUT',
    path: 'user/preferences',
    access: 'signedIn',
    ownRows: 'account',
    summary:
      'How one reads times, lists and the menu oneself. What is left out stays as it is, except for the clock and the rows.',
    added: true,
    body: z.strictObject({
      clock: clockStyle.nullable(),
      rowsPerPage: z.enum(rowChoices, 'Choose 10, 25, 50, 100 or fit.'),
      /** The lists whose columns change; null brings back a list's own. Others stay as they are. */
      columns: z
        .record(listPath, columnKeys.nullable())
        .refine((given) => Object.keys(given).length <= LISTS_AT_MOST, `At most ${LISTS_AT_MOST} lists.`)
        .optional(),
      menuPinned: z.boolean('Must be true or false.').optional(),
    }),
    reply: one(userPreferences),
  }),
}
