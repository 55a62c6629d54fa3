import * as z from '../platform/zod.ts'
import { day, one, textLine, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import type { Access } from '../platform/endpoint.ts'

/**
 * The kinds of records that can be jumped to, in order: where each opens, and who may see it there. Markets have no screen:
 * they open beside any, under the name of their drawer.
 */
export const jumpKinds = {
  shift: {
    label: 'Shifts',
    path: '/schedule/program-schedule',
    access: { module: ['schedule', 'clients'], needs: 'view' },
  },
  truck: { label: 'Trucks', path: '/trucks', access: { module: 'trucks', needs: 'view' } },
  client: { label: 'Clients', path: '/clients', access: { module: 'clients', needs: 'view' } },
  program: { label: 'Client programs', path: '/client-programs', access: { module: 'clients', needs: 'view' } },
  market: {
    label: 'Markets',
    beside: 'markets',
    access: { module: ['clients', 'schedule', 'trucks', 'programByClient'], needs: 'view' },
  },
  user: { label: 'Users', path: '/users', access: { module: 'users', needs: 'view' } },
  pixelMap: { label: 'Pixel maps', path: '/pixel', access: 'signedIn' },
} as const satisfies Record<string, { label: string; access: Access } & ({ path: `/${string}` } | { beside: string })>
export type JumpKind = keyof typeof jumpKinds

const kinds = Object.keys(jumpKinds) as [JumpKind, ...JumpKind[]]

const jumpTarget = z.strictObject({
  kind: z.enum(kinds),
  uid,
  name: z.string(),
  /** What distinguishes it from others of the same name: a plate, a client, an email address. */
  detail: z.string(),
  /** When a shift begins, in its market. */
  begins: z.strictObject({ date: day, start: z.string() }).optional(),
})
export type JumpTarget = z.infer<typeof jumpTarget>

/** The most matches of each kind. */
export const JUMPS_PER_KIND = 5

export const jump = {
  search: endpoint({
    method: 'GET',
    path: 'jump/run',
    access: 'signedIn',
    ownRows: 'records',
    summary:
      'The best matches of each kind of record that the user may see, notes included. A day among the words, such as `nov 18` or `tomorrow`, narrows shifts to it; without one the nearest are answered.',
    follows: [],
    added: true,
    query: z.strictObject({
      search: textLine(200),
      /** The day it is where the user is, for `tomorrow` and days without a year. */
      today: day.optional(),
    }),
    reply: one(z.array(jumpTarget)),
  }),
}
