import { expect, test } from 'vitest'
import { placesByMarket, proposalBlocker, wrongValidUntil } from './rules.ts'

const dallas = { name: 'Dallas', latitude: 32.78, longitude: -96.8 }
const austin = { name: 'Austin', latitude: 30.27, longitude: -97.74 }
const nowhere = { name: 'Waco', latitude: null, longitude: null }
const at = (latitude: number, label: string) => ({ label, address: '', latitude, longitude: -97 })

test('addresses belong to the market whose center is nearest, in the order of the markets', () => {
  const found = placesByMarket([dallas, nowhere, austin], [at(30.3, 'South'), at(32.7, 'North'), at(32.9, 'Far north')])
  expect(found.map(({ market, places }) => [market, places.map(({ label }) => label)])).toEqual([
    ['Dallas', ['North', 'Far north']],
    ['Austin', ['South']],
  ])
  expect(placesByMarket([nowhere], [at(32, 'Any')])).toMatchObject([{ market: 'Waco', total: 1 }])
})

test('a long list is cut, and says how many there are', () => {
  const [group] = placesByMarket(
    [dallas],
    Array.from({ length: 1000 }, (_, n) => at(32 + n / 1000, `Shop ${n}`)),
  )
  expect([group?.total, group?.places.length]).toEqual([1000, 300])
})

test('drafts with something booked are proposed', () => {
  expect(proposalBlocker({ status: 'draft', lines: [1] })).toBeUndefined()
  expect(proposalBlocker({ status: 'draft', lines: [] })).toBe('proposalNothingBooked')
  expect(proposalBlocker({ status: 'paused', lines: [1] })).toBe('proposalNotDraft')
})

test('the last day is one of the year to come, by the clocks of the market', () => {
  // 11 PM on November 16 in Dallas.
  const now = Date.parse('2026-11-17T05:00:00Z')
  const wrong = (day: string) => wrongValidUntil(day, 'America/Chicago', now)
  expect(wrong('2026-11-16')).toBeUndefined()
  expect(wrong('2027-11-16')).toBeUndefined()
  expect(wrong('2026-11-15')).toBe('Must be from Nov 16, 2026 to Nov 16, 2027.')
  expect(wrong('2027-11-17')).toBeDefined()
})
