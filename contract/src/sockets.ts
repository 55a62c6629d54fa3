/** Events of the web channel. The server alone speaks; the browser only listens. */
export interface ServerToWeb {
  /** The session of this socket has ended; the page leaves for /login. */
  'session-ended': () => void
  /** Shifts changed between two local days; whoever shows them asks anew. */
  'shifts-changed': (days: { from: string; to: string }) => void
}

/** What a web client sends in the handshake's `auth`. */
export interface WebHandshake {
  clientType: 'web'
  userUid: string
  token: string
}
