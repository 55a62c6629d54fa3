/** What a web client sends in the handshake's `auth`. */
export interface WebHandshake {
  clientType: 'web'
  userUid: string
  token: string
}

/** Why a session ended. */
export const sessionEndReasons = [
  'logout',
  'passwordReset',
  'forced',
  'deleted',
  'roleChanged',
  'emailChanged',
  'factorReset',
  'expired',
  'singleSignOnEnded',
] as const
export type SessionEndReason = (typeof sessionEndReasons)[number]

/** Events about the session of a web page. */
export interface SessionEvents {
  /** The session of this socket has ended; the page goes to /login and says why, if the reason is known. */
  'session-ended': (reason?: SessionEndReason) => void
  /** The session of this socket may only set up a second factor from now on; the page goes to /second-factor. */
  'session-limited': () => void
  /** The user's modules or client changed, or what the session may do: the page loads the user and its data again. */
  'access-changed': () => void
}

/** Events about the notifications of the user of a web page. */
export interface NotificationEvents {
  /** Notifications were added or read; pages that show them load them again. */
  'notifications-changed': () => void
}
