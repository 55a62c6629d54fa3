import { RESET_COOKIE, TOKEN_COOKIE } from '@roadshow/contract/platform/constants'
import { afterEach, expect, test, vi } from 'vitest'
import { clearCookies, dropResetToken, keepResetToken, keepSession } from './session.ts'

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
