import * as z from '../platform/zod.ts'
import { textLine, one, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import type { Access } from '../platform/endpoint.ts'

/** The kinds of records that can be jumped to, in order: where each opens, and who may see it there. */
export const jumpKinds = {
  truck: { label: 'Trucks', path: '/trucks', access: { module: 'trucks', needs: 'view' } },
  client: { label: 'Clients', path: '/clients', access: { module: 'clients', needs: 'view' } },
  program: { label: 'Client programs', path: '/client-programs', access: { module: 'clients', needs: 'view' } },
  user: { label: 'Users', path: '/users', access: { module: 'users', needs: 'view' } },
  pixelMap: { label: 'Pixel maps', path: '/pixel', access: 'signedIn' },
} as const satisfies Record<string, { label: string; path: `/${string}`; access: Access }>
export type JumpKind = keyof typeof jumpKinds

const kinds = Object.keys(jumpKinds) as [JumpKind, ...JumpKind[]]

const jumpTarget = z.strictObject({
  kind: z.enum(kinds),
  uid,
  name: z.string(),
  /** What distinguishes it from others of the same name: a plate, a client, an email address. */
  detail: z.string(),
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
    summary: 'The best matches of each kind of record that the user may see.',
    follows: [],
    added: true,
    query: z.strictObject({ search: textLine(200) }),
    reply: one(z.array(jumpTarget)),
  }),
}
