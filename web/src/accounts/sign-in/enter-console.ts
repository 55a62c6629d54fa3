import { localPath } from '@roadshow/contract/platform/local-path'
import { keepSession } from '../../api/session.ts'

interface OpenedSession {
  token: string
  user: { userUid: string }
  next: string
}

/** Keeps the session and goes on to the page that was asked for. */
export function enterConsole({ token, user, next }: OpenedSession): void {
  keepSession(token, user.userUid)
  location.replace(localPath(next, location.origin) ?? '/')
}
