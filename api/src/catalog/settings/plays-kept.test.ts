import { defaultSettings } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { playsKeptSince } from './index.ts'

test.each([
  ['the retention', 90, null, '2026-08-18'],
  ['a hold that is older', 90, '2025-02-28', '2025-02-28'],
  ['the retention where the hold is newer', 90, '2026-11-01', '2026-08-18'],
])('plays are kept since %s', (_, keepPlaysDays, holdPlaysFrom, since) => {
  const kept = playsKeptSince({ ...defaultSettings, keepPlaysDays, holdPlaysFrom }, Date.parse('2026-11-16T12:00:00Z'))
  expect(new Date(kept).toISOString()).toBe(`${since}T00:00:00.000Z`)
})
