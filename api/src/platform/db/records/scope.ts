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
  address: string
}

/** Which rows the call may touch: the actor's own or all. Every query that reads rows takes one. */
export interface Scope {
  rows: RowAccess
  actor: Actor
}
