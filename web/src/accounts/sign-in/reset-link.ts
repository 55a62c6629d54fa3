import { keepResetToken } from '../../api/session.ts'

/** Moves the token of a mailed link into its cookie, so that no history, screenshot or referrer keeps it. */
export function takeTokenFromAddress(): void {
  const address = new URL(location.href)
  const token = address.searchParams.get('token')
  if (address.pathname !== '/forgot-password' || token === null) return
  if (token !== '') keepResetToken(token)
  address.searchParams.delete('token')
  history.replaceState(null, '', address)
}
