import {
  ENROLLMENT_PATH,
  LOGIN_PATH,
  RESET_COOKIE,
  SAVED_CREDENTIALS,
  TOKEN_COOKIE,
} from '@roadshow/contract/platform/constants'
import { dropDrafts, keepDrafts } from './drafts.ts'

const SIGN_OUT_REASON = 'signOutReason'

const secure = () => (location.protocol === 'https:' ? '; Secure' : '')

function readCookie(name: string): string | undefined {
  const found = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${name}=`))
  return found && decodeURIComponent(found.slice(name.length + 1))
}

const writeCookie = (name: string, value: string) => {
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; SameSite=Strict${secure()}`
}

/** Keeps the session when the browser is closed, as phones do with every app: its end is up to the server. */
export function keepTokenFor(days: number): void {
  const token = readToken()
  if (!token) return
  const age = `; Max-Age=${days * 86_400}`
  document.cookie = `${TOKEN_COOKIE}=${encodeURIComponent(token)}; Path=/; SameSite=Strict${age}${secure()}`
}

const dropCookie = (name: string) => {
  document.cookie = `${name}=; Path=/; Max-Age=-1; SameSite=Strict${secure()}`
}

export const readToken = () => readCookie(TOKEN_COOKIE)
export const readResetToken = () => readCookie(RESET_COOKIE)
export const keepResetToken = (token: string) => writeCookie(RESET_COOKIE, token)
export const dropResetToken = () => dropCookie(RESET_COOKIE)

let isLeaving = false

/** Keeps what signing in gave: the token in its cookie, the user's uid in local storage. */
export function keepSession(token: string, userUid: string): void {
  isLeaving = false
  sessionStorage.removeItem(SIGN_OUT_REASON)
  dropDrafts(userUid)
  writeCookie(TOKEN_COOKIE, token)
  localStorage.setItem(SAVED_CREDENTIALS, JSON.stringify({ userUid }))
}

export function savedUserUid(): string | undefined {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(SAVED_CREDENTIALS) ?? 'null')
    const userUid = (saved as { userUid?: unknown } | null)?.userUid
    return typeof userUid === 'string' ? userUid : undefined
  } catch {
    return undefined
  }
}

export function clearCookies(): void {
  for (const cookie of document.cookie.split('; ')) dropCookie(cookie.split('=')[0] ?? '')
}

/** Why the last session in this tab ended, if it was not the user's own wish. */
export const signOutReason = () => sessionStorage.getItem(SIGN_OUT_REASON) ?? undefined

/**
 * Begins a sign-out of one's own, which needs no reason and no way back. The caller leads the way out: the socket and
 * refused calls no longer do.
 */
export function beginSignOut(): void {
  isLeaving = true
  localStorage.clear()
  sessionStorage.removeItem(SIGN_OUT_REASON)
  dropDrafts()
}

/**
 * Leaves for the login page with nothing of the session kept; a full load, so memory is empty too. A sign-out that the
 * user did not ask for says why, and leads back to this place with what was typed.
 */
export function endLocalSession(reason?: string): void {
  clearCookies()
  // The socket and refused calls may all say so at once; each further one would abort the way there.
  if (isLeaving) return
  isLeaving = true
  keepDrafts(savedUserUid())
  if (reason) sessionStorage.setItem(SIGN_OUT_REASON, reason)
  const here = `${location.pathname}${location.search}${location.hash}`
  location.assign(here === '/' ? LOGIN_PATH : `${LOGIN_PATH}?next=${encodeURIComponent(here)}`)
}

/** Leaves for the page that sets up a second factor, which leads back here. */
export function goToEnrollment(): void {
  if (isLeaving || location.pathname === ENROLLMENT_PATH) return
  isLeaving = true
  keepDrafts(savedUserUid())
  location.assign(`${ENROLLMENT_PATH}?next=${encodeURIComponent(location.pathname + location.search)}`)
}
