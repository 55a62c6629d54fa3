import { beforeEach, expect, test } from 'vitest'
import { clearCookies, readResetToken } from '../../api/session.ts'
import { takeTokenFromAddress } from './reset-link.ts'

beforeEach(clearCookies)

test('the token of a mailed link moves from the address into its cookie', () => {
  history.replaceState(null, '', '/forgot-password?token=a%2Bb&lang=en')
  takeTokenFromAddress()
  expect(readResetToken()).toBe('a+b')
  expect(document.cookie).toContain('forgotPasswordUserToken=')
  expect(location.pathname + location.search).toBe('/forgot-password?lang=en')
})

test('a token on another page is not taken', () => {
  history.replaceState(null, '', '/login?token=abc')
  takeTokenFromAddress()
  expect(readResetToken()).toBeUndefined()
  expect(location.search).toBe('?token=abc')
})

test('an empty token leaves the address and replaces nothing', () => {
  history.replaceState(null, '', '/forgot-password?token=')
  takeTokenFromAddress()
  expect(readResetToken()).toBeUndefined()
  expect(location.search).toBe('')
})
