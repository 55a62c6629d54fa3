import type { ModuleKey, RowAccess, Role } from '@roadshow/contract'

/** Who makes a call. */
export interface Actor {
  uid: string
  name: string
  email: string
  role: Role
  modules: ModuleKey[]
  /** The client that a user of role client belongs to. */
  clientUid: string | null
  sessionUid: string
  /** Set if a program calls with an API key. The actor is then the admin who made it, with the reach of the key. */
  key?: { uid: string; canWrite: boolean }
  address: string
}

/** What limits and idempotency keys count by: the key of a program, or the user. */
export const callerUid = ({ uid, key }: Pick<Actor, 'uid' | 'key'>): string => key?.uid ?? uid

/** Which rows the call may touch: the actor's own or all. Every query that reads rows takes one. */
export interface Scope {
  rows: RowAccess
  actor: Actor
}
