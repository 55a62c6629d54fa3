import { describe, expect, test } from 'vitest'
import { stepAfter, waitAfter } from './rules.ts'

const HOUR_MS = 3_600_000

test.each([
  [1, 5000],
  [2, 30_000],
  [3, 120_000],
  [9, 4 * HOUR_MS],
  [40, 4 * HOUR_MS],
])('after attempt %i the next one comes %i ms later, give or take a tenth', (attempts, ms) => {
  expect(waitAfter({ attempts, spread: 0.5 })).toBe(ms)
  expect(waitAfter({ attempts, spread: 0 })).toBe(Math.round(ms * 0.9))
  expect(waitAfter({ attempts, spread: 1 })).toBe(Math.round(ms * 1.1))
})

describe('after an attempt a message', () => {
  const attempted = { attempts: 1, spread: 0.5, expiresInMs: 48 * HOUR_MS }

  test('that was accepted is sent', () =>
    expect(stepAfter({ outcome: 'accepted', answer: '250 OK' }, attempted)).toEqual({ state: 'sent', waitMs: 0 }))

  test('that failed waits, with the reason', () =>
    expect(stepAfter({ outcome: 'failed', answer: 'Away' }, attempted)).toEqual({
      state: 'waiting',
      waitMs: 5000,
      problem: 'Away',
    }))

  test('that failed waits as long as the recipient asks for', () =>
    expect(stepAfter({ outcome: 'failed', answer: 'Busy', retryAfterMs: 60_000 }, attempted).waitMs).toBe(60_000))

  test('that the recipient refuses for good is dead', () =>
    expect(stepAfter({ outcome: 'refused', answer: 'No such mailbox' }, attempted).state).toBe('dead'))

  test('that would expire before its next attempt is dead', () =>
    expect(stepAfter({ outcome: 'failed', answer: 'Away' }, { ...attempted, expiresInMs: 4000 }).state).toBe('dead'))

  test('that asks for a wait beyond its life is dead, and waits for nothing', () =>
    expect(stepAfter({ outcome: 'failed', answer: 'Busy', retryAfterMs: Infinity }, attempted)).toEqual({
      state: 'dead',
      waitMs: 0,
      problem: 'Busy',
    }))

  test('that must not be sent any more is canceled', () =>
    expect(stepAfter({ outcome: 'cancelled', answer: 'The account is gone.' }, attempted).state).toBe('cancelled'))
})
