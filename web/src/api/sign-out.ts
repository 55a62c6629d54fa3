import type { auth } from '@roadshow/contract/accounts/sign-in'
import { LOGIN_PATH } from '@roadshow/contract/platform/constants'
import { endpointWithoutSchemas, call } from './call.ts'
import { beginSignOut, clearCookies, readToken } from './session.ts'

const logout = endpointWithoutSchemas<typeof auth.logout>({
  method: 'POST',
  path: 'authentication/logout',
  access: 'signedIn',
})

/**
 * Ends the session here, on the server, and at the identity provider if it began there. Whatever the server says, nothing
 * of it stays in this browser.
 */
export async function signOut(): Promise<void> {
  // Cleared first: the socket may hear of the end before the call is answered. The answer says where to go.
  beginSignOut()
  const answer = readToken() ? await call(logout, {}, { isOnce: true }).catch(() => undefined) : undefined
  clearCookies()
  location.assign(answer?.data.continueAt ?? LOGIN_PATH)
}
