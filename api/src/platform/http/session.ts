import { hash, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../db/records/scope.ts'

/** A secret that its holder shows: 256 random bits. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Only this hash of a token is stored: 256 random bits need no slow hash. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')

/** The token that a request carries. */
export const bearerOf = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]

/** The user of a live session; the address comes from the call. */
export type SessionUser = Omit<Actor, 'address'>

/** A live session, which may be limited to setting up a second factor. */
export interface LiveSession {
  user: SessionUser
  isLimited: boolean
}
