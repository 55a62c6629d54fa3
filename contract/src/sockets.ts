/** Events of the web channel. The server alone speaks; the browser only listens. */
export interface ServerToWeb {
  /** The session of this socket has ended; the page leaves for /login. */
  'session-ended': () => void
}

/** What a web client sends in the handshake's `auth`. */
export interface WebHandshake {
  clientType: 'web'
  userUid: string
  token: string
}
