import { expect, test } from 'vitest'
import { expiryWarning } from './keyWords.ts'

const now = Date.parse('2026-11-16T12:00:00Z')

test.each([
  ['2027-01-01T00:00:00Z', 'open', undefined],
  ['2026-11-30T13:00:00Z', 'open', undefined],
  ['2026-11-30T11:00:00Z', 'open', 'Expires in 13 days'],
  ['2026-11-17T13:00:00Z', 'open', 'Expires in 1 day'],
  ['2026-11-16T13:00:00Z', 'open', 'Expires today'],
  ['2026-11-15T13:00:00Z', 'expired', undefined],
  ['2026-11-17T13:00:00Z', 'ended', undefined],
] as const)('a key until %s that is %s warns: %s', (expiresAt, state, warning) => {
  expect(expiryWarning({ state, expiresAt }, now)).toBe(warning)
})
