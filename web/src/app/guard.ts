import { DRIVER_PATH, LOGIN_PATH } from '@roadshow/contract/platform/constants'
import { isPublicPath, canOpen, landsOnDriverApp, modulesOpening } from '@roadshow/contract/platform/permissions'
import { isTransientStatus } from '@roadshow/contract/platform/retries'
import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { ApiError } from '../api/call.ts'
import { endLocalSession, readToken } from '../api/session.ts'
import { currentUser, permissionsOf } from '../api/user.ts'
import { reportError } from '../api/error-log.ts'
import type { Screen } from './screen.ts'
import { firstAllowedPath } from './menu/menu.ts'

// The page is being replaced by another document: this one must draw nothing more.
const untilGone = () => new Promise<never>(() => undefined)

function goTo(address: string): Promise<never> {
  location.assign(address)
  return untilGone()
}

async function signedInUser(queries: QueryClient) {
  try {
    return await queries.ensureQueryData(currentUser)
  } catch (error) {
    // Without an answer the session is as it was: the screen says so and offers to retry.
    if (error instanceof ApiError && isTransientStatus(error.status)) throw error
    // On a 401 the call has already left for the sign-in page, and an ended session is not an error to report.
    if (!(error instanceof ApiError && error.status === 401)) {
      await reportError('user-with-permissions', error)
      endLocalSession()
    }
    return untilGone()
  }
}

/** Lets a signed-in user through to a path that one of their modules opens, and sends everybody else where they belong. */
export async function guardRoute(queries: QueryClient, screens: readonly Screen[], path: string, address: string) {
  if (isPublicPath(path)) return
  // The drivers' app is another document, also for links inside the console.
  if (path === DRIVER_PATH || path.startsWith(`${DRIVER_PATH}/`)) return goTo(address)
  if (!readToken()) return goTo(`${LOGIN_PATH}?next=${encodeURIComponent(address)}`)
  const user = permissionsOf(await signedInUser(queries))
  if (path === '/' && landsOnDriverApp(user)) return goTo(DRIVER_PATH)
  if (canOpen(user, path)) return
  // An address that is no screen says so; one that is closed to the user leads to the first that is open.
  if (path !== '/' && modulesOpening(path).length === 0) return
  const first = firstAllowedPath(user, screens)
  if (first === undefined) return goTo('/unauthorized')
  redirect({ to: first, replace: true, throw: true })
}
