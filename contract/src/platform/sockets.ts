/** What a web client sends in the handshake's `auth`. */
export interface WebHandshake {
  clientType: 'web'
  userUid: string
  token: string
}

/** The event that ends the session of a web page. */
export interface SessionEvents {
  /** The session of this socket has ended; the page goes to /login. */
  'session-ended': () => void
}
