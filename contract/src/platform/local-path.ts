import { signInPaths } from './constants.ts'

/**
 * A path of this site to go to after signing in, or undefined if it leads elsewhere or back to signing in. It is resolved
 * as a browser would before it is checked: `/.//elsewhere.com` and a tab inside `//` also lead away.
 */
export function localPath(given: string, origin: string): string | undefined {
  if (!given.startsWith('/') || !URL.canParse(given, origin)) return undefined
  const resolved = new URL(given, origin)
  const { pathname, search, hash } = resolved
  if (resolved.origin !== origin || pathname.startsWith('//') || signInPaths.includes(pathname)) return undefined
  return `${pathname}${search}${hash}`
}
