import { LOGIN_PATH } from '@roadshow/contract/platform/constants'

const SIGN_IN_PATHS = [LOGIN_PATH, '/forgot-password', '/unauthorized']

// Resolved as the browser would, then judged: `/.//elsewhere.com` and a tab inside `//` also lead away.
function localPath(given: string): string | undefined {
  if (!given.startsWith('/') || !URL.canParse(given, location.origin)) return undefined
  const { origin, pathname, search, hash } = new URL(given, location.origin)
  if (origin !== location.origin || pathname.startsWith('//') || SIGN_IN_PATHS.includes(pathname)) return undefined
  return `${pathname}${search}${hash}`
}

/** Where to go after signing in: the page that asked for it, if it is one of ours, else the console's choice. */
export const nextPath = (search: string): string => localPath(new URLSearchParams(search).get('next') ?? '') ?? '/'
