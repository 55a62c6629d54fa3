import * as z from './zod.ts'

/** The number of a version in a path. */
export const pathNumber = z
  .string()
  .regex(/^\d{1,6}$/, 'Must be a number.')
  .transform(Number)
