/** What a web client sends in the handshake's `auth`. */
export interface WebHandshake {
  clientType: 'web'
  userUid: string
  token: string
}
