import * as z from './zod.ts'
import { one, uid } from './common.ts'
import { dependentKinds } from './dependents.ts'
import { endpoint } from './endpoint.ts'
import { inTheWay } from './in-the-way.ts'
import type { Access, OwnRows } from './endpoint.ts'
import { subjectOf } from './follows.ts'

/** What a deletion says: that its caller has read what hangs on the record. */
export const confirmedQuery = z.strictObject({ confirmed: z.literal('yes').optional() })

/** Something that hangs on a record. */
const dependent = z.strictObject({
  kind: z.enum(dependentKinds),
  count: z.int().min(1),
  /** The screen that lists it; null if there is none. */
  to: z.string().nullable(),
})
export type Dependent = z.infer<typeof dependent>

const dependents = z.strictObject({
  dependents: z.array(dependent),
  /** Why the record can't be deleted now. */
  refusal: z.string().nullable(),
  /** What has to go first, with the way to it. */
  inTheWay: inTheWay.optional(),
})
export type Dependents = z.infer<typeof dependents>

interface DeletableRecords<P extends string> {
  /** The path of the records: `trucks`. */
  path: P
  /** Who may delete them. */
  access: Exclude<Access, 'public'>
  ownRows?: OwnRows
}

const byUid = z.strictObject({ uid })

/** Deletes a record. Without `confirmed`, one with plays, pay or a published page behind it answers 409. */
export const removeEndpoint = <const P extends string>({
  path,
  ...rest
}: DeletableRecords<P> & { summary: string; added?: true }) =>
  endpoint({
    method: 'DELETE',
    path: `${path}/{uid}`,
    ...rest,
    params: byUid,
    query: confirmedQuery,
    reply: one(byUid),
  })

/** What hangs on a record, to be asked before it is deleted. */
export const dependentsEndpoint = <const P extends string>({ path, ...rest }: DeletableRecords<P>) =>
  endpoint({
    method: 'GET',
    path: `${path}/{uid}/dependents`,
    ...rest,
    follows: [subjectOf({ path }) ?? 'settings'],
    summary: `What hangs on one of the ${path}, and why it can't be deleted.`,
    added: true,
    params: byUid,
    reply: one(dependents),
  })

/** Brings a deleted record back. */
export const restoreEndpoint = <const P extends string>({ path, ...rest }: DeletableRecords<P>) =>
  endpoint({
    method: 'PUT',
    path: `${path}/{uid}/restore`,
    ...rest,
    summary: `Restores a deleted one of the ${path}. Answers 409 with a sentence if its name or place is taken, or if a record it needs was deleted.`,
    added: true,
    params: byUid,
    reply: one(byUid),
  })
