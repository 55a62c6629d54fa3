import { expect, test } from 'vitest'
import { fieldLabel, formatFieldValue } from './words.ts'

test.each([
  ['startsOn', 'First day'],
  ['homeMarket', 'Home market'],
  ['localDate', 'Date'],
  ['isShown', 'Shown'],
  ['coverPhoto', 'Cover photo'],
])('the recorded field %s reads %s', (name, label) => {
  expect(fieldLabel({ startsOn: 'First day', homeMarketUid: 'Home market' }, name)).toBe(label)
})

test('the parts of a record are read in one line, each but the first with its label', () => {
  const market = { market: 'Dallas', startsOn: '2026-11-16', endsOn: null, isShown: true }
  expect(formatFieldValue({ markets: 'Markets' }, 'market', market)).toBe('Dallas, starts on 2026-11-16, shown yes')
})
