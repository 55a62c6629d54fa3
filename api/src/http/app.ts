import type { Endpoint } from '@roadshow/contract'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/connection.ts'
import type { Scope } from '../db/scope.ts'
import type { SessionUser } from './session.ts'

/** What the kernel hands to every call. */
export interface Kernel {
  db: Db
  readSession: (token: string) => Promise<SessionUser | undefined>
  /** Replies are checked against the contract in tests and in development. */
  checkReplies: boolean
  /** What serve() has registered, for the audits. */
  served: Endpoint[]
  /** Work that goes on after the answer; the app finishes it before it closes. */
  inBackground: (work: Promise<unknown>) => void
}

declare module 'fastify' {
  interface FastifyInstance {
    kernel: Kernel
  }
  interface FastifyRequest {
    scope: Scope | undefined
  }
}

export type App = FastifyInstance
