import type { SuggestionReason } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { proposeReplacements } from './propose.ts'

const choice = (uid: string, ...reasons: SuggestionReason[]) => ({ uid, reasons })
const shift = (uid: string, ...choices: ReturnType<typeof choice>[]) => ({ uid, choices })
const proposed = (...shifts: ReturnType<typeof shift>[]) => Object.fromEntries(proposeReplacements(shifts))

describe('who takes over', () => {
  test('is one for all where one can, even if others rank first for some', () => {
    expect(
      proposed(
        shift('mon', choice('ann'), choice('bo')),
        shift('tue', choice('bo')),
        shift('wed', choice('cy'), choice('bo')),
      ),
    ).toEqual({ mon: 'bo', tue: 'bo', wed: 'bo' })
  })

  test('is whoever ranks best of those who can take as many', () => {
    expect(proposed(shift('mon', choice('ann'), choice('bo')), shift('tue', choice('ann'), choice('bo')))).toEqual({
      mon: 'ann',
      tue: 'ann',
    })
  })

  test('are several where no one can take all, and none where nobody can', () => {
    expect(proposed(shift('mon', choice('ann')), shift('tue', choice('bo')), shift('wed'))).toEqual({
      mon: 'ann',
      tue: 'bo',
    })
    expect(proposed()).toEqual({})
  })

  test.each<[string, SuggestionReason]>([
    ['too little time for the way', { kind: 'travel', market: 'Denver', miles: 600, minutes: 800, isEnough: false }],
    ['artwork of another ratio', { kind: 'artwork', fit: 'wrongRatio' }],
    ['short rest', { kind: 'rest', minutes: 300, isShort: true }],
    ['overtime', { kind: 'weekHours', minutes: 2500, limitMinutes: 2400 }],
    ['a no before', { kind: 'declined' }],
  ])('is not proposed with %s, which a planner decides on', (_, reason) => {
    expect(proposed(shift('mon', choice('ann', reason), choice('bo')))).toEqual({ mon: 'bo' })
  })
})
