import * as z from './zod.ts'
import { instant, page, queryNumber, uid } from './common.ts'
import { endpoint } from './endpoint.ts'
import type { Access, OwnRows } from './endpoint.ts'
import { type Subject, subjectOf } from './follows.ts'

const value = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.unknown()),
  z.record(z.string(), z.unknown()),
])

/** One change of a record: who, when, from where, and each field's old and new value. */
export const recordChange = z.strictObject({
  at: instant,
  action: z.enum(['created', 'changed', 'deleted', 'restored']),
  /** Null if the system made the change. Clients read "Staff" instead of names. */
  by: z.string().nullable(),
  address: z.string().nullable(),
  fields: z.array(z.strictObject({ field: z.string(), old: value, new: value })),
})
export type RecordChange = z.infer<typeof recordChange>

/** One page of changes, newest first. */
export const historyPage = page(recordChange).extend({
  /** Changes from before this moment are no longer kept; absent while all are there. */
  keptSince: instant.optional(),
})
export type HistoryPage = z.infer<typeof historyPage>

/** The history endpoint of a kind of record, for the History tab; it also follows the subjects that write into it from elsewhere. */
export const historyEndpoint = <const P extends string>(
  records: P,
  access: Access,
  { ownRows, writers = [] }: { ownRows?: OwnRows; writers?: readonly Subject[] } = {},
) =>
  endpoint({
    method: 'GET',
    path: `${records}/{uid}/history`,
    access,
    ...(ownRows && { ownRows }),
    follows: [subjectOf({ path: records }) ?? 'settings', ...writers],
    summary: `Every change of one of the ${records}, newest first.`,
    added: true,
    params: z.strictObject({ uid }),
    query: z.strictObject({
      page: queryNumber(1, 1_000_000).prefault('1'),
      pageSize: queryNumber(1, 200).prefault('50'),
    }),
    reply: historyPage,
  })
