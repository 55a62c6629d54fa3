import * as z from '../platform/zod.ts'

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/
/** A time of day. */
export const clock = z.string('Must be a time such as 08:00.').regex(CLOCK, 'Must be a time such as 08:00.')
