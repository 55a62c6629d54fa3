import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { isExpired, isValidSignature, sign } from '../../../platform/files/signature.ts'
import { cookieOf, setCookieHeader } from '../../../platform/http/cookies.ts'

/** A page with a password, as far as a pass for it needs it. */
export interface ProtectedPage {
  programUid: string
  /** The hash of the password. It is part of each pass, so that a new password ends all of them. */
  passwordHash: string
}

const PURPOSE = 'pop-page'
const HOURS = 12

/** The cookie of one page. Its name must not tell the uid of the program. */
const cookieName = (programUid: string): string =>
  `pop-${createHash('sha256').update(`${PURPOSE} ${programUid}`).digest('hex').slice(0, 16)}`

/** The header that gives a visitor who knows the password a pass for this page, for some hours. */
export function passCookie({ programUid, passwordHash }: ProtectedPage, isSecure: boolean): string {
  const maxAgeSeconds = HOURS * 3600
  const expires = Math.floor(Date.now() / 1000) + maxAgeSeconds
  return setCookieHeader({
    name: cookieName(programUid),
    value: `${expires}.${sign(PURPOSE, programUid, passwordHash, expires)}`,
    // The page has two addresses, and its files a third.
    path: '/',
    maxAgeSeconds,
    isSecure,
    sameSite: 'Lax',
  })
}

/** Whether the visitor has a valid pass for the page. */
export function hasPass(
  visitor: Pick<FastifyRequest, 'headers'>,
  { programUid, passwordHash }: ProtectedPage,
): boolean {
  const [expires = '', signature = ''] = (cookieOf(visitor, cookieName(programUid)) ?? '').split('.')
  return (
    /^\d{1,12}$/.test(expires) &&
    !isExpired(Number(expires)) &&
    isValidSignature(signature, PURPOSE, programUid, passwordHash, Number(expires))
  )
}
