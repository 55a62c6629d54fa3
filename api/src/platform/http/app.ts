import type { AuditKind, Endpoint } from '@roadshow/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../db/connection.ts'
import type { Scope } from '../db/records/scope.ts'
import type { NameColumns } from '../db/name-columns.ts'
import type { SessionUser } from './session.ts'

/** Something that a reviewer will ask about, and that changes no record whose history would tell it. */
export interface AuditEvent {
  kind: AuditKind
  /** Who did it; nobody before signing in. */
  actorUid?: string | undefined
  /** Whom or what it was about. */
  subject?: string
  detail?: string
}

/** What the kernel hands to every call. */
export interface Kernel {
  db: Db
  readSession: (token: string) => Promise<SessionUser | undefined>
  nameColumns: NameColumns
  /** Replies are checked against the contract in tests and in development. */
  checkReplies: boolean
  /** The endpoints that serve() has registered, for the documentation. */
  served: Endpoint[]
  /** Every route that is registered by any means, for the audit. */
  routes: { method: string; url: string; endpoint: Endpoint | undefined }[]
  /** Work that goes on after the answer; the app finishes it before it closes. */
  inBackground: (work: Promise<unknown>) => void
  /** Writes an entry of the audit log. It never fails: what cannot be written is logged, and the call goes on. */
  audit: (request: FastifyRequest, deed: AuditEvent) => Promise<void>
}

declare module 'fastify' {
  interface FastifyInstance {
    kernel: Kernel
  }
  interface FastifyRequest {
    scope: Scope | undefined
  }
  interface FastifyContextConfig {
    /** Set on every route that serve() registers. */
    endpoint?: Endpoint
  }
}

export type App = FastifyInstance
