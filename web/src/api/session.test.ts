import { RESET_COOKIE, TOKEN_COOKIE } from '@roadshow/contract/platform/constants'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { takeDraft, watchDraft } from './drafts.ts'
import {
  beginSignOut,
  clearCookies,
  dropResetToken,
  endLocalSession,
  keepResetToken,
  keepSession,
  readToken,
  savedUserUid,
  signOutReason,
} from './session.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** What is written as cookies while the page was loaded this way. */
function written(protocol: 'http:' | 'https:', work: () => void): string[] {
  vi.stubGlobal('location', { protocol })
  const set = vi.spyOn(document, 'cookie', 'set')
  work()
  return set.mock.calls.map(([cookie]) => cookie)
}

const both = () => {
  keepSession('a token', 'a uid')
  keepResetToken('a token')
}

test('both cookies are for this site alone, for the whole of it, and gone with the browser', () => {
  const flags = 'Path=/; SameSite=Strict'
  expect(written('http:', both)).toEqual([`${TOKEN_COOKIE}=a%20token; ${flags}`, `${RESET_COOKIE}=a%20token; ${flags}`])
})

test('over HTTPS they never go out in the clear', () => {
  for (const cookie of written('https:', both)) expect(cookie).toMatch(/; SameSite=Strict; Secure$/)
})

test('they are dropped with the flags that they were written with', () => {
  const dropped = written('https:', () => {
    dropResetToken()
    vi.spyOn(document, 'cookie', 'get').mockReturnValue(`${TOKEN_COOKIE}=x`)
    clearCookies()
  })
  expect(dropped).toEqual([
    `${RESET_COOKIE}=; Path=/; Max-Age=-1; SameSite=Strict; Secure`,
    `${TOKEN_COOKIE}=; Path=/; Max-Age=-1; SameSite=Strict; Secure`,
  ])
})

describe('a sign-out that the user did not ask for', () => {
  const REASON = 'Your role was changed. Please sign in again.'
  const typed = { note: 'half a sentence' }

  /** Signs in, types, and is signed out at this place; hands back where the page goes. */
  function signOutAt(place: string): unknown {
    const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
    history.replaceState(null, '', place)
    keepSession('a token', 'dana')
    const stop = watchDraft('a form', () => typed)
    endLocalSession(REASON)
    endLocalSession()
    stop()
    expect(assign).toHaveBeenCalledTimes(1)
    return assign.mock.lastCall?.[0]
  }

  test('says why and leads back to the same place', () => {
    const place = '/trucks?state=active&open=1#row'
    expect(signOutAt(place)).toBe(`/login?next=${encodeURIComponent(place)}`)
    expect([readToken(), signOutReason()]).toEqual([undefined, REASON])
    keepSession('a new token', 'dana')
    expect(signOutReason()).toBeUndefined()
  })

  test('gives back what was typed, once, to the same user', () => {
    signOutAt('/trucks')
    keepSession('a new token', 'dana')
    expect(takeDraft('another form', savedUserUid())).toBeUndefined()
    expect(takeDraft('a form', savedUserUid())).toEqual(typed)
    expect(takeDraft('a form', savedUserUid())).toBeUndefined()
  })

  test('keeps nothing for another user in the same tab', () => {
    signOutAt('/trucks')
    expect(takeDraft('a form', 'avery')).toBeUndefined()
    keepSession('a new token', 'avery')
    expect(sessionStorage.getItem('drafts')).toBeNull()
    keepSession('a new token', 'dana')
    expect(takeDraft('a form', savedUserUid())).toBeUndefined()
  })
})

test('a sign-out of one’s own keeps nothing and gives no reason', () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  history.replaceState(null, '', '/trucks')
  keepSession('a token', 'dana')
  const stop = watchDraft('a form', () => 'typed')
  beginSignOut()
  endLocalSession('Your session has ended.')
  stop()
  // The way out is the caller's.
  expect(assign).not.toHaveBeenCalled()
  expect([localStorage.length, sessionStorage.length]).toEqual([0, 0])
})
