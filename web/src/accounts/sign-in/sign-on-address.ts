import { LOGIN_PATH } from '@roadshow/contract/platform/constants'

/** What brought the browser to the login page: the identity provider's answer, or the mailed link of a confirmation. */
export type SignOnArrival = { is: 'callback'; query: string } | { is: 'confirmation'; mailToken: string }

/** Moves what the provider or a mail put into the address into memory, so that no history or screenshot keeps it. */
export function takeArrivalFromAddress(): SignOnArrival | undefined {
  const { pathname, searchParams, search } = new URL(location.href)
  if (pathname !== LOGIN_PATH) return undefined
  const isCallback = searchParams.has('state') && (searchParams.has('code') || searchParams.has('error'))
  const mailToken = searchParams.get('confirm') ?? ''
  if (!isCallback && mailToken === '') return undefined
  history.replaceState(null, '', LOGIN_PATH)
  return isCallback ? { is: 'callback', query: search.slice(1) } : { is: 'confirmation', mailToken }
}
