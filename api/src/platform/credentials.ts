import type { Credential, CredentialKind } from '@roadshow/contract'
import type { Db } from './db/connection.ts'

/** Who looks at a list of credentials. */
export interface CredentialViewer {
  sessionUid: string
  /** Whether the list is the viewer's own; else an admin looks at another user's. */
  isOwner: boolean
}

/** A credential as its source lists it. What it does not say has the value of `plainCredential`. */
type ListedCredential = Pick<Credential, 'uid' | 'name' | 'createdAt' | 'lastUsedAt'> &
  Partial<Omit<Credential, 'kind'>>

/** A credential that does not expire, comes from no known address, and can be ended. */
export const plainCredential = { detail: '', expiresAt: null, address: '', isThisOne: false, canEnd: true }

/**
 * One kind of credential that a module keeps. A module names its kinds in `credentials`, and the lists of a user's open
 * credentials consist of all of them.
 */
export interface CredentialSource {
  kind: CredentialKind
  /** The user's open credentials of this kind. */
  list: (db: Db, userUid: string, viewer: CredentialViewer) => Promise<ListedCredential[]>
  /**
   * Ends one at once. Answers what it was, for the audit log, or undefined if the user has no such open credential (any
   * more) or it may not be ended.
   */
  end: (db: Db, userUid: string, uid: string, viewer: CredentialViewer) => Promise<string | undefined>
  /** Ends those that do not outlast a forced sign-out. Without it, all of this kind stay. */
  endOnForcedSignOut?: (db: Db, userUid: string) => Promise<unknown>
  /** Ends those of other browsers when the user signs out everywhere else. Without it, all of this kind stay. */
  endElsewhere?: (db: Db, userUid: string, keptSessionUid: string) => Promise<unknown>
}
