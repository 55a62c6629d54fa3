import type { FastifyRequest } from 'fastify'

/** A cookie that only the server reads and that other sites' pages never send. */
interface ServerCookie {
  name: string
  value: string
  path: string
  maxAgeSeconds: number
  isSecure: boolean
  /** Lax: also sent when the reader follows a link from another site. */
  sameSite?: 'Strict' | 'Lax'
}

/** The header that sets a cookie. Its name and value need no encoding: letters, digits, `-`, `_` and `.`. */
export function setCookieHeader(cookie: ServerCookie): string {
  const { name, value, path, maxAgeSeconds, isSecure, sameSite = 'Strict' } = cookie
  return `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`
}

/** The value of a cookie; undefined if the browser sent none. */
export function cookieOf({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  const found = (headers.cookie ?? '').split(/; */).find((cookie) => cookie.startsWith(`${name}=`))
  return found?.slice(name.length + 1)
}
