import { API_BASE, TOKEN_COOKIE } from '@roadshow/contract/platform/constants'
import type { FirstCall } from './first-call.ts'

// A script of its own, a hundredth of the app: what takes long begins while the rest still loads.

const TIMEOUT_MS = 30_000

const cookie = document.cookie.split('; ').find((each) => each.startsWith(`${TOKEN_COOKIE}=`))
const token = cookie && decodeURIComponent(cookie.slice(TOKEN_COOKIE.length + 1))
if (token) {
  const headers = { Accept: 'application/json', 'Cache-Control': 'no-cache', Authorization: `Bearer ${token}` }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const made: FirstCall = {
    token,
    askedAt: Date.now(),
    response: fetch(`${API_BASE}/driver-app/day`, { headers, signal }),
  }
  // The app says what failed when it takes the call over.
  made.response.then(
    () => (made.answeredAt = Date.now()),
    () => undefined,
  )
  globalThis.driverFirstCall = made
}

// The first use of Intl makes a browser read its tables of languages, which takes longer than showing the day.
setTimeout(() => new Intl.DateTimeFormat())
