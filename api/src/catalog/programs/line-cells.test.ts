import { describe, expect, test } from 'vitest'
import { readBookedLines, readMarketSpans } from './line-cells.ts'

describe('cells of a program', () => {
  test('its markets', () => {
    expect(readMarketSpans('Houston; Dallas, TX (2026-07-01 – 7/31/2026); Austin ( – 2026-07-31)')).toEqual({
      value: [
        { market: 'Houston', startsOn: null, endsOn: null },
        { market: 'Dallas, TX', startsOn: '2026-07-01', endsOn: '2026-07-31' },
        { market: 'Austin', startsOn: null, endsOn: '2026-07-31' },
      ],
    })
    expect(readMarketSpans('Houston (July)')).toHaveProperty('problem')
  })

  test('its booked lines', () => {
    const line = { market: 'Houston', unit: 'truckDays', amount: 60, startsOn: '2026-06-01', endsOn: '2026-08-31' }
    expect(
      readBookedLines(
        'Houston: 60 truck-days (2026-06-01 – 2026-08-31, $54,000.00); Dallas, TX: 20,000 plays (2026-07-01 – 2026-07-31)',
      ),
    ).toEqual({
      value: [
        { ...line, priceCents: 5_400_000 },
        {
          market: 'Dallas, TX',
          unit: 'plays',
          amount: 20_000,
          startsOn: '2026-07-01',
          endsOn: '2026-07-31',
          priceCents: null,
        },
      ],
    })
    expect(readBookedLines('sixty truck-days in Houston')).toHaveProperty('problem')
    expect(readBookedLines('Houston: 60 boats (2026-06-01 – 2026-08-31)')).toHaveProperty('problem')
  })
})
