import type { Access, AuditKind, Endpoint, SessionEndReason } from '@roadshow/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CredentialSource } from '../credentials.ts'
import type { DependentSource } from '../dependent-source.ts'
import type { Db } from '../db/connection.ts'
import type { ReadDb } from '../db/replica.ts'
import type { Scope } from '../db/records/scope.ts'
import type { NameColumns } from '../db/name-columns.ts'
import type { DB } from '../db/schema.ts'
import type { ImportKind } from '../import-kind.ts'
import type { NodeLog } from '../observability/log.ts'
import type { LiveSession, SessionUser } from './session.ts'

/** An act that reviewers ask about and that no record's history contains. */
export interface AuditEvent {
  kind: AuditKind
  /** The acting user; undefined before sign-in. */
  actorUid?: string | undefined
  /** The user or thing that it concerns. */
  subject?: string
  detail?: string
}

/** Everything that calls share. */
/** The history of one kind of record. */
interface ServedHistory {
  access: Access
  references: Readonly<Record<string, keyof DB>>
}

export interface Kernel {
  db: Db
  /** Where calls read that may be answered from a replica. */
  reads: ReadDb
  /** The user of a session with all its rights; undefined also where the session is limited. */
  readSession: (token: string) => Promise<SessionUser | undefined>
  /** Why the session of a token is over; undefined for a token that never had one. */
  sessionEndReason: (token: string) => Promise<SessionEndReason | undefined>
  /** What the sign-in page says about it. */
  sessionEndMessages: Partial<Record<SessionEndReason, string>>
  /** Reads an API key; the address is noted as the last one that used it. */
  readKey: (token: string, address: string) => Promise<SessionUser | undefined>
  /** A session that may be limited: the caller decides what it reaches. */
  readLimitedSession: (token: string) => Promise<LiveSession | undefined>
  /** Whether a session lives and is limited to setting up a second factor; does not prolong it. */
  isLimitedSession: (token: string) => Promise<boolean>
  /** As `readSession`, without prolonging the session. */
  peekSession: (token: string) => Promise<SessionUser | undefined>
  nameColumns: NameColumns
  /** The histories that serveHistory() has registered, by table: who may read them, and the tables that their columns refer to. */
  histories: Map<string, ServedHistory>
  /** The kinds of credentials of all modules. */
  credentials: readonly CredentialSource[]
  /** What each module knows to hang on records. */
  dependents: readonly DependentSource[]
  /** What is imported from spreadsheets, of all modules. */
  imports: readonly ImportKind[]
  /** Replies are checked against the contract in tests and in development. */
  checkReplies: boolean
  /** The endpoints that serve() has registered, for the documentation. */
  served: Endpoint[]
  /** Every route that is registered by any means, for the audit. */
  routes: { method: string; url: string; endpoint: Endpoint | undefined }[]
  /** How many of the rows that a driver's phone or a device reports are taken now. */
  takeReports: (sender: string, rows: number) => Promise<number>
  /** How many of the positions that a source sends are taken now. */
  takeFixes: (sender: string, rows: number) => Promise<number>
  /** Work that goes on after the answer; the app finishes it before it closes. */
  inBackground: (work: Promise<unknown>) => void
  /** Settles when all such work is done. */
  backgroundDone: () => Promise<void>
  /** Logs what happens outside of a call. */
  log: NodeLog
  /** Writes an entry of the audit log. It never fails: an error is logged, and the call continues. */
  audit: (request: FastifyRequest, event: AuditEvent) => Promise<void>
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
