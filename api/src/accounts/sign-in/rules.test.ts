import { describe, expect, test } from 'vitest'
import { isWeakPassword, secondsUntil, waitMessage } from './rules.ts'

describe('a new password', () => {
  const common = new Set(['password123'])
  test.each([
    ['correct horse battery', false],
    ['password123', true],
    ['PassWord123', true],
    ['Dana@Example.com', true],
  ])('%s', (password, isWeak) => expect(isWeakPassword(password, 'dana@example.com', common)).toBe(isWeak))
})

describe('waiting after too many attempts', () => {
  test.each([
    [1, 'Too many attempts. Please try again in 1 second.'],
    [89, 'Too many attempts. Please try again in 89 seconds.'],
    [90, 'Too many attempts. Please try again in 2 minutes.'],
    [900, 'Too many attempts. Please try again in 15 minutes.'],
  ])('%d seconds', (seconds, message) => expect(waitMessage(seconds)).toBe(message))

  test.each([
    [10_000, 8_500, 2],
    [10_000, 10_000, 1],
    [0, 10_000, 1],
  ])('until %d at %d', (until, now, seconds) => expect(secondsUntil(until, now)).toBe(seconds))
})
