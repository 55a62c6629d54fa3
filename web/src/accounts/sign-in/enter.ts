import type { auth } from '@roadshow/contract/accounts/sign-in'
import { ENROLLMENT_PATH } from '@roadshow/contract/platform/constants'
import type { ReplyOf } from '@roadshow/contract/platform/endpoint'
import { keepSession } from '../../api/session.ts'
import { nextPath } from './next-path.ts'

export type SignedIn = ReplyOf<typeof auth.authenticate>['data']

/** Keeps the session and goes on: to the page that asked for it, or first to the setup of a second factor. */
export function enter({ token, user, enrollmentNeeded }: SignedIn): void {
  keepSession(token, user.userUid)
  const next = nextPath(location.search)
  location.assign(enrollmentNeeded ? `${ENROLLMENT_PATH}?next=${encodeURIComponent(next)}` : next)
}
