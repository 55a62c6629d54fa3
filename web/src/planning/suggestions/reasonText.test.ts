import type { SuggestionReason } from '@roadshow/contract/planning/suggestions'
import { describe, expect, test } from 'vitest'
import { reasonText, stateText } from './reasonText.ts'
import type { ReasonTone } from './reasonText.ts'

const zone = 'America/Denver'
const STARTS_AT = '2026-11-17T14:00:00.000Z'
const way = { market: 'Denver', miles: 662, minutes: 883 }

describe('a reason in words', () => {
  test.each<[SuggestionReason, ReasonTone, string]>([
    [{ kind: 'free' }, 'good', 'Free'],
    [{ kind: 'homeMarket', market: 'Dallas', isHere: true }, 'good', 'At home in Dallas'],
    [{ kind: 'homeMarket', market: 'Denver', isHere: false }, 'plain', 'At home in Denver'],
    [
      { kind: 'endsIn', market: 'Denver', at: '2026-11-17T05:00:00.000Z', zone, isHere: false },
      'plain',
      'Ends in Denver Mon, Nov 16, 10:00 PM MST',
    ],
    [
      { kind: 'endsIn', market: 'Denver', at: '2026-11-02T05:00:00.000Z', zone, isHere: true },
      'good',
      'Last shift in Denver, Nov 1, 2026',
    ],
    [{ kind: 'position', market: 'Dallas', miles: 0 }, 'good', 'In Dallas now'],
    [{ kind: 'position', market: 'Dallas', miles: 1204 }, 'plain', 'Now 1,204 mi from Dallas'],
    [{ kind: 'travel', ...way, isEnough: true }, 'plain', 'Travel from Denver: 662 mi, about 14 h 30 min at 45 mph'],
    [
      { kind: 'travel', ...way, isEnough: false },
      'warn',
      'Travel from Denver: 662 mi, about 14 h 30 min at 45 mph, not enough time',
    ],
    [
      { kind: 'travel', market: '', miles: 61, minutes: 81, isEnough: true },
      'plain',
      'Travel from its position: 61 mi, about 1 h 30 min at 45 mph',
    ],
    [
      { kind: 'travelAfter', ...way, isEnough: false },
      'warn',
      'Next shift in Denver: 662 mi, about 14 h 30 min at 45 mph, not enough time',
    ],
    [{ kind: 'artwork', fit: 'exact' }, 'good', 'Artwork fits'],
    [{ kind: 'artwork', fit: 'scales' }, 'good', 'Artwork fits'],
    [{ kind: 'artwork', fit: 'wrongRatio' }, 'warn', 'Artwork: wrong ratio'],
    [{ kind: 'artwork', fit: 'tooLarge' }, 'warn', 'Artwork: too large'],
    [{ kind: 'artwork', fit: 'unknown' }, 'plain', 'Artwork fit unknown'],
    [{ kind: 'printed', need: 'artwork' }, 'warn', 'Printed boards can’t show artwork files'],
    [{ kind: 'printed', need: 'plays' }, 'warn', 'Printed boards can’t show the booked plays'],
    [{ kind: 'sameProgram' }, 'good', 'Same program as before'],
    [{ kind: 'rest', minutes: 420, isShort: true }, 'warn', 'Only 7 h of rest'],
    [{ kind: 'rest', minutes: 750, isShort: false }, 'plain', '12 h 30 min of rest'],
    [{ kind: 'restAfter', minutes: 240 }, 'warn', 'Only 4 h of rest before the next shift'],
    [{ kind: 'weekHours', minutes: 2280, limitMinutes: 2400 }, 'plain', '38 h this week with this shift'],
    [
      { kind: 'weekHours', minutes: 2430, limitMinutes: 2400 },
      'warn',
      '40 h 30 min this week with this shift, overtime after 40 h',
    ],
    [{ kind: 'noSchedule' }, 'warn', 'Can’t see shifts: no Schedule module'],
    [{ kind: 'declined' }, 'warn', 'Declined this shift'],
  ])('%o', (reason, tone, text) => expect(reasonText(reason, STARTS_AT)).toEqual({ text, tone }))
})

test('a state says until when a truck or driver is booked', () => {
  expect(stateText({ refusal: null, bookedUntil: null }, zone)).toBe('Free')
  expect(stateText({ refusal: null, isSuitable: false, bookedUntil: null }, zone)).toBe('No screens')
  expect(stateText({ refusal: 'T-1 is not active: in shop.', bookedUntil: null }, zone)).toBe('Not available')
  expect(stateText({ refusal: 'Booked.', bookedUntil: '2026-11-17T01:00:00.000Z' }, zone)).toBe(
    'Booked until 6:00 PM MST',
  )
})
