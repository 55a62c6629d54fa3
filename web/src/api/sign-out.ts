import type { auth } from '@roadshow/contract/accounts/sign-in'
import { endpointWithoutSchemas, call } from './call.ts'
import { endLocalSession, readToken } from './session.ts'

const logout = endpointWithoutSchemas<typeof auth.logout>({
  method: 'POST',
  path: 'authentication/logout',
  access: 'signedIn',
})

/** Ends the session here and on the server. Whatever the server says, nothing of it stays in this browser. */
export async function signOut(): Promise<void> {
  // Cleared first: the socket may hear of the end, and leave, before the call is answered.
  localStorage.clear()
  if (readToken()) await call(logout, {}, { isOnce: true }).catch(() => undefined)
  endLocalSession()
}
