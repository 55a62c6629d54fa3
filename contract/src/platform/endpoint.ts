import type * as z from './zod.ts'
import type { Follows } from './follows.ts'
import { rowAccessOf } from './permissions.ts'
import type { UserPermissions, ModuleKey, AccessMode, RowAccess, Role } from './permissions.ts'

/**
 * Who may make a call: anyone, any signed-in user, one role, or the users that the permission table allows; with
 * `reach: 'all'` only users that it allows to see every row, and never the roles in `except`.
 */
export type Access =
  | 'public'
  | 'signedIn'
  | { role: Role }
  | { module: ModuleKey | readonly ModuleKey[]; needs: AccessMode; reach?: 'all'; except?: readonly Role[] }

/**
 * Which rows a caller gets who reaches only their own:
 * - `account`: those of the caller's account, such as sessions and links.
 * - `shared`: the same for every caller, without the fields that are for staff only.
 * - `records`: those of the caller's client; for a driver, those of the shifts the driver drives.
 * - `hours`: the same, and of a truck only what happened in the hours in which it was on one of those shifts.
 */
export const ownRowKinds = ['account', 'shared', 'records', 'hours'] as const
export type OwnRows = (typeof ownRowKinds)[number]

/** How far a signed-in user reaches with a call, or undefined when they may not make it. */
export function rowAccessFor(user: UserPermissions, access: Access): RowAccess | undefined {
  if (typeof access === 'string') return 'own'
  if ('role' in access) return access.role === user.role ? 'all' : undefined
  if (access.except?.includes(user.role)) return undefined
  const reach = rowAccessOf(user, [access.module].flat(), access.needs)
  return access.reach === 'all' && reach !== 'all' ? undefined : reach
}

/** What an API key may do: its modules with the reach of a role, for reading or also for writing. */
export interface KeyPermissions extends UserPermissions {
  canWrite: boolean
}

/**
 * Whether API keys may make a call at all. Calls about the caller as a person, calls for one role, and changes of users,
 * of their access and of the settings are for people; `keys: false` marks the others.
 */
export const takesKeys = ({ access, keys }: Pick<Endpoint, 'access' | 'keys'>): boolean =>
  keys !== false &&
  typeof access === 'object' &&
  'module' in access &&
  (access.needs === 'view' || [access.module].flat().some((key) => key !== 'users'))

/** How far an API key reaches with a call, or undefined when it may not make it. */
export function rowAccessForKey(
  key: KeyPermissions,
  endpoint: Pick<Endpoint, 'access' | 'keys'>,
): RowAccess | undefined {
  const { access } = endpoint
  if (!takesKeys(endpoint) || typeof access === 'string' || 'role' in access) return undefined
  return access.needs === 'edit' && !key.canWrite ? undefined : rowAccessFor(key, access)
}

/** Files that come with a call under one name. */
export interface FileRule {
  /** At most this many. */
  count: number
  /** At most this many bytes each. */
  bytes: number
  /** Content types that may be announced; what a file really is, the server finds out for itself. */
  types: readonly string[]
}

/**
 * What a call counts as when calls from one address are limited: setting a password, reporting an error, uploading,
 * loading pictures, or reading public data. Any other call counts as a usual one.
 */
export type RateClass = 'reset' | 'report' | 'upload' | 'picture' | 'public'

export interface Endpoint extends Follows {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the API's base path; `{uid}` stands for a path parameter. */
  path: string
  access: Access
  /** Never made by an API key: it gives access, is about the caller, or is a decision that a person answers for. */
  keys?: false
  /** Which rows a caller with access to their own gets. Required wherever there is such a caller; a test insists. */
  ownRows?: OwnRows
  /** What it does, for the readable contract. */
  summary: string
  /** Not in the specification: added because a feature needs it. */
  added?: true
  params?: z.ZodObject
  query?: z.ZodObject
  /** Query parameters that the server fills in when they are missing, and with what. */
  filledIn?: Record<string, string>
  body?: z.ZodType
  /** How many bytes of JSON the body may have, where the usual limit is too small. */
  maxBytes?: number
  /** Makes the call multipart: the body in the part `data`, each file in a part of this name. Without files plain JSON will do. */
  files?: Record<string, FileRule>
  reply: z.ZodType
  /** The limit for calls from one address, where it is not the usual one. */
  rate?: RateClass
  /** Answers with a file of many rows. A call with the query parameter `format` is an export in any case. */
  isExport?: true
  /** Only reads, and may read from a replica of the database that has caught up with the call. So may every export. */
  fromReplica?: true
  /** Sent twice, it does its work once by itself or only looks: no answer is kept under an Idempotency-Key for it. */
  repeatable?: true
  /** Answers sessions too that may only set up a second factor. */
  duringEnrollment?: true
  /** The reply holds what is shown this once and kept nowhere: it is not stored under an Idempotency-Key either. */
  secret?: true
}

/** Declares one call of the API. Server, web client, audit and documentation are all derived from it. */
export const endpoint = <const E extends Endpoint>(declared: E): E => declared

type Parsed<E, Part extends 'params' | 'query' | 'body'> =
  E extends Record<Part, infer S extends z.ZodType> ? z.output<S> : undefined
type Sent<E, Part extends 'params' | 'query' | 'body'> =
  E extends Record<Part, infer S extends z.ZodType> ? Record<Part, z.input<S>> : { [P in Part]?: undefined }
/** A query whose parameters are all optional may be left out of a deletion. */
type SentQuery<E> = E extends { method: 'DELETE'; query: infer S extends z.ZodType }
  ? { query?: z.input<S> | undefined }
  : Sent<E, 'query'>

/** What the handler gets. */
export type ParamsOf<E extends Endpoint> = Parsed<E, 'params'>
export type QueryOf<E extends Endpoint> = Parsed<E, 'query'>
export type BodyOf<E extends Endpoint> = Parsed<E, 'body'>
/** The names under which a call takes files. */
export type FileNameOf<E extends Endpoint> = E extends { files: infer F } ? Extract<keyof F, string> : never
/** What the caller gives. */
export type InputOf<E extends Endpoint> = Sent<E, 'params'> &
  SentQuery<E> &
  Sent<E, 'body'> & { files?: Partial<Record<FileNameOf<E>, Blob[]>> | undefined }
/** What comes back. */
export type ReplyOf<E extends Endpoint> = z.input<E['reply']>

/** One record of a list endpoint. */
export type RowOf<E extends Endpoint> = ReplyOf<E> extends { data: (infer R)[] } ? R : never
