import type { auth } from '@roadshow/contract/accounts/sign-in'
import { DRIVER_PATH, ENROLLMENT_PATH } from '@roadshow/contract/platform/constants'
import type { ReplyOf } from '@roadshow/contract/platform/endpoint'
import { keepSession } from '../../api/session.ts'
import { nextPath } from './next-path.ts'

export type SignedIn = ReplyOf<typeof auth.authenticate>['data']

/** Keeps the session and goes on: to the page that asked for it, or first to the setup of a second factor. */
export function enter({ token, user, enrollmentNeeded }: SignedIn): void {
  keepSession(token, user.userUid)
  const asked = nextPath(location.search)
  // The console would lead them there too, but only once it has been loaded.
  const isDriver = user.role === 'driver' && user.roleAccess.some(({ moduleKey }) => /schedule/i.test(moduleKey))
  const next = asked === '/' && isDriver ? DRIVER_PATH : asked
  location.assign(enrollmentNeeded ? `${ENROLLMENT_PATH}?next=${encodeURIComponent(next)}` : next)
}
