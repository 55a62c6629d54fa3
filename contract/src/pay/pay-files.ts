import * as z from '../platform/zod.ts'
import { uid } from '../platform/common.ts'

/** Programs that pay. */
export const payFileSystems = ['adp', 'gusto', 'quickbooks'] as const
export const payFileSystem = z.enum(payFileSystems, 'Choose adp, gusto or quickbooks.')
export type PayFileSystem = z.infer<typeof payFileSystem>
export const payFileLabel: Record<PayFileSystem, string> = {
  adp: 'ADP Workforce Now',
  gusto: 'Gusto',
  quickbooks: 'QuickBooks Desktop (IIF)',
}
/** The columns of Gusto that can carry day pay: it has none of its own. */
export const gustoColumns = ['bonus', 'commission', 'correction_payment'] as const

const code = (what: string) => z.string().regex(/^[A-Za-z0-9]{1,3}$/, `Must be ${what} of 1 to 3 letters or digits.`)

export const payFileQuery = z
  .strictObject({
    period: uid,
    system: payFileSystem,
    /** ADP: the company code, which also names the file. */
    companyCode: z
      .string()
      .regex(/^[A-Za-z0-9]{2,3}$/, 'Must be the company code of 2 or 3 letters or digits.')
      .transform((given) => given.toUpperCase())
      .optional(),
    /** ADP: the codes under which day pay and adjustments are paid there. */
    earningsCode: code('an earnings code').prefault('DAY'),
    adjustmentCode: code('an earnings code').prefault('ADJ'),
    /** Gusto: the column that carries day pay. */
    payColumn: z.enum(gustoColumns, `Choose ${gustoColumns.join(', ')}.`).prefault('bonus'),
  })
  .refine(({ system, companyCode }) => system !== 'adp' || companyCode !== undefined, {
    path: ['companyCode'],
    error: 'ADP needs the company code.',
  })

/** What a file holds, to be compared with what the other program says it has read. */
export const payFileCheck = z.strictObject({
  filename: z.string(),
  rows: z.int(),
  drivers: z.int(),
  minutes: z.int(),
  shiftCents: z.int(),
  adjustmentCents: z.int(),
  cents: z.int(),
  /** Why the file cannot be made, each naming its driver; empty when it can. */
  problems: z.array(z.string()),
  /** What the other program cannot take, in sentences. */
  notes: z.array(z.string()),
})
export type PayFileCheck = z.infer<typeof payFileCheck>
