import * as z from '../platform/zod.ts'
import { anyOf, day, listQuery, namedRef, uid } from '../platform/common.ts'
import { truckSides } from '../catalog/pixel-maps.ts'

export const counted = z.int().min(0)
export const side = z.enum(truckSides, `Choose ${truckSides.join(', ')}.`)

/** The first and last day with data, in local days of the market. */
const withData = { firstDay: day, lastDay: day }

export const reportProgram = z.strictObject({ uid, name: z.string(), client: namedRef, ...withData })
export type ReportProgram = z.infer<typeof reportProgram>

export const reportMarket = z.strictObject({ uid, name: z.string(), zone: z.string(), ...withData })
export type ReportMarket = z.infer<typeof reportMarket>

/** Both days are included, in the zone of the market. */
export const days = { from: day, to: day }
export const inOrder = ({ from, to }: { from?: string | undefined; to?: string | undefined }) =>
  from === undefined || to === undefined || from <= to
export const BACKWARDS = { path: ['to'], message: 'Must not be before the first day.' }

export const programQuery = listQuery(['name'], { uid: anyOf(uid).optional() }).omit({ format: true })
export const marketQuery = listQuery(['name'], { program: uid.optional(), uid: anyOf(uid).optional() }).omit({
  format: true,
})

/** A report without days covers the program’s own. */
export const PROGRAM_SPAN = { from: 'the first day of the program', to: 'the last day of the program' }
