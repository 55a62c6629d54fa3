import * as z from '../platform/zod.ts'
import { uid } from '../platform/common.ts'

/** Payroll programs. */
export const payFileSystems = ['adp', 'gusto', 'quickbooks'] as const
export const payFileSystem = z.enum(payFileSystems, 'Choose adp, gusto or quickbooks.')
export type PayFileSystem = z.infer<typeof payFileSystem>
export const payFileLabel: Record<PayFileSystem, string> = {
  adp: 'ADP Workforce Now',
  gusto: 'Gusto',
  quickbooks: 'QuickBooks Desktop (IIF)',
}
/** Gusto has no column for day pay; these columns can carry it. */
export const gustoColumns = ['bonus', 'commission', 'correction_payment'] as const

const code = (what: string) => z.string().regex(/^[A-Za-z0-9]{1,3}$/, `Must be ${what} of 1 to 3 letters or digits.`)

export const payFileQuery = z
  .strictObject({
    period: uid,
    system: payFileSystem,
    /** ADP: the company code, which is also in the name of the file. */
    companyCode: z
      .string()
      .regex(/^[A-Za-z0-9]{2,3}$/, 'Must be the company code of 2 or 3 letters or digits.')
      .transform((given) => given.toUpperCase())
      .optional(),
    /** ADP: the earnings codes of day pay, adjustments and overtime owed. */
    earningsCode: code('an earnings code').prefault('DAY'),
    adjustmentCode: code('an earnings code').prefault('ADJ'),
    overtimeCode: code('an earnings code').prefault('OTP'),
    /** Gusto: the column that carries day pay. */
    payColumn: z.enum(gustoColumns, `Choose ${gustoColumns.join(', ')}.`).prefault('bonus'),
  })
  .refine(({ system, companyCode }) => system !== 'adp' || companyCode !== undefined, {
    path: ['companyCode'],
    error: 'Enter the ADP company code.',
  })

/** Control totals of a file, to compare with those of the payroll program. */
export const payFileCheck = z.strictObject({
  filename: z.string(),
  rows: z.int(),
  drivers: z.int(),
  minutes: z.int(),
  shiftCents: z.int(),
  adjustmentCents: z.int(),
  /** Overtime owed, if it is part of the total. */
  overtimeCents: z.int(),
  cents: z.int(),
  /** Problems that prevent the file, each naming its driver. */
  problems: z.array(z.string()),
  /** Hints on what the format carries, in sentences. */
  notes: z.array(z.string()),
})
export type PayFileCheck = z.infer<typeof payFileCheck>
