import { ENROLLMENT_PATH } from '@roadshow/contract/platform/constants'
import { localPath } from '@roadshow/contract/platform/local-path'
import { keepSession } from '../../api/session.ts'

interface OpenedSession {
  token: string
  user: { userUid: string }
  next: string
  enrollmentNeeded?: true | undefined
}

/** Keeps the session and goes on: to the page that was asked for, or first to the setup of a second factor. */
export function enterConsole({ token, user, next, enrollmentNeeded }: OpenedSession): void {
  keepSession(token, user.userUid)
  const path = localPath(next, location.origin) ?? '/'
  location.replace(enrollmentNeeded ? `${ENROLLMENT_PATH}?next=${encodeURIComponent(path)}` : path)
}
