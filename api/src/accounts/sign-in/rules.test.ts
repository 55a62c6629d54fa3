import { describe, expect, test } from 'vitest'
import { formsToMeasure, maskEmail, ownWordsOf, secondsUntil, waitMessage } from './rules.ts'

describe('a new password', () => {
  const words = ownWordsOf({ name: 'Dana  de Brooks', email: 'd.brooks+x@mail.example.com' }, 'Big Roadshow')

  test('is measured with the words by which people know its owner', () => {
    const expected = ['d.brooks+x@mail.example.com', 'dana', 'brooks', 'mail', 'example', 'com', 'big', 'roadshow']
    expect(words).toEqual(expected)
  })

  test.each([
    ['correct horse battery', ['correct horse battery']],
    ['DanaBrooks2026', ['DanaBrooks2026', '2026']],
    ['Roadshow!', ['Roadshow!', '!']],
    ['D.Brooks+X@mail.example.com', ['D.Brooks+X@mail.example.com', '']],
    ['x'.repeat(200), ['x'.repeat(64)]],
  ])('%s is measured as typed and without those words', (password, forms) =>
    expect(formsToMeasure(password, words)).toEqual(forms),
  )
})

describe('an email address', () => {
  test.each([
    ['dana.brooks@example.com', 'd•••@example.com'],
    ['d@example.com', 'd•••@example.com'],
    ['“a@b”@example.com', '“•••@example.com'],
  ])('%s is shown as %s', (email, masked) => expect(maskEmail(email)).toBe(masked))
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
