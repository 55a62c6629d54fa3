import * as z from '../platform/zod.ts'
import { one, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'

const count = z.int().min(0)

/** What a program has on its way from artwork to POP. */
const programSteps = z.strictObject({
  artwork: z.strictObject({
    sets: count,
    approved: count,
    /** The newest set that is not approved, if one is left. */
    draft: uid.nullable(),
  }),
  addressSets: count,
  /** Shifts that are not canceled, by market of the program. */
  markets: z.array(z.strictObject({ uid, name: z.string(), shifts: count })),
  pop: z.strictObject({
    /** The version that the public page shows. */
    shownVersion: z.int().nullable(),
    /** Whether a shift has been completed, so that there is something to show. */
    hasCompletedShifts: z.boolean(),
  }),
})
export type ProgramSteps = z.infer<typeof programSteps>

export const programProgress = {
  steps: endpoint({
    method: 'GET',
    path: 'client-programs/{uid}/steps',
    access: { module: 'clients', needs: 'edit' },
    summary: 'What a program has and lacks on its way from artwork over shifts to its POP.',
    follows: ['programs', 'artwork', 'addresses', 'shifts', 'pops', 'proposals'],
    added: true,
    params: z.strictObject({ uid }),
    reply: one(programSteps),
  }),
}
