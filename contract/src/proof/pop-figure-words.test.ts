import { describe, expect, test } from 'vitest'
import type { PopDay, PopFigures, PopGaps } from './pop-document.ts'
import { dayText, figureTexts, gapSentences, milesValue, playsValue, soFarText } from './pop-figure-words.ts'

const noGaps: PopGaps = {
  shiftsWithoutGps: 0,
  printedShifts: 0,
  printedTrucks: 0,
  playerOfflineSeconds: 0,
  runningShifts: 0,
}
const figures = (given: Partial<PopFigures> = {}, gaps: Partial<PopGaps> = {}): PopFigures => ({
  metres: 160_934.4,
  seconds: 36_000,
  shifts: 9,
  trucks: 2,
  days: 7,
  plays: 3_045,
  verifiedPlays: 3_044,
  conflictPlays: 0,
  playSeconds: 30_000,
  ...given,
  gaps: { ...noGaps, ...gaps },
})
const texts = (...given: Parameters<typeof figures>) =>
  figureTexts(figures(...given)).map(({ value, unit, note }) => `${value} ${unit}; ${note}`)

describe('the main figures', () => {
  test('say what was recorded', () => {
    expect(texts()).toEqual([
      '100 miles driven; by 2 trucks',
      '10 hours on the street; on 7 days',
      '3,045 ad plays; 99% verified',
    ])
    expect(gapSentences(figures())).toEqual([])
  })

  test('say that there is no GPS data instead of zero miles', () => {
    expect(texts({ metres: 0, verifiedPlays: 0 }, { shiftsWithoutGps: 9 })).toEqual([
      'No GPS data miles driven; by 2 trucks',
      '10 hours on the street; on 7 days',
      '3,045 ad plays; not verified: no GPS data',
    ])
    expect(gapSentences(figures({ metres: 0, verifiedPlays: 0 }, { shiftsWithoutGps: 9 }))).toEqual([
      'There is no GPS data for any of the 9 shifts: miles were not recorded there, and plays without it can’t be verified.',
    ])
    // All that was played is verified, so nothing of it lacks GPS data.
    expect(gapSentences(figures({ verifiedPlays: 3_045 }, { shiftsWithoutGps: 2 }))).toEqual([
      'There is no GPS data for 2 of 9 shifts: miles were not recorded there.',
    ])
    expect(gapSentences(figures({}, { shiftsWithoutGps: 2 }))).toEqual([
      'There is no GPS data for 2 of 9 shifts: miles were not recorded there, and plays without it can’t be verified.',
    ])
  })

  test('name printed trucks, which have no play log', () => {
    const printed = { printedShifts: 9, printedTrucks: 1 }
    expect(texts({ plays: 0, verifiedPlays: 0 }, printed)[2]).toBe('No play log ad plays; printed truck')
    expect(gapSentences(figures({ plays: 0 }, printed))).toEqual([
      'All 9 shifts ran with a printed truck, which shows a board instead of screens and has no play log.',
    ])
    expect(gapSentences(figures({}, { printedShifts: 5, printedTrucks: 2 }))).toEqual([
      '5 of 9 shifts ran with 2 printed trucks, which show a board instead of screens and have no play log.',
    ])
  })

  test('say how long players were offline', () => {
    const offline = { playerOfflineSeconds: 3 * 3600 }
    expect(texts({ plays: 0, verifiedPlays: 0 }, offline)[2]).toBe('No play log ad plays; player offline 3 h')
    expect(texts({}, offline)[2]).toBe('3,045 ad plays; 99% verified')
    expect(gapSentences(figures({}, offline))).toEqual([
      'Players were offline for 3 h: plays in that time are not counted.',
    ])
  })

  test('are zero where no shift took place, and numbers where an old version does not know of gaps', () => {
    expect([milesValue(figures({ metres: 0, shifts: 0 })), playsValue(figures({ plays: 0, shifts: 0 }))]).toEqual([
      '0.0',
      '0',
    ])
    const { gaps: _, ...old } = figures({ metres: 0, plays: 0 })
    expect([milesValue(old), playsValue(old), gapSentences(old)]).toEqual(['0.0', '0', []])
  })
})

describe('a row of a day table', () => {
  const day = (given: Partial<PopDay>, gaps: Partial<PopGaps> = {}): PopDay => ({
    day: '2026-07-01',
    metres: 16_093.44,
    plays: 100,
    verifiedPlays: 90,
    seconds: 28_800,
    shifts: 2,
    ...given,
    gaps: { ...noGaps, ...gaps },
  })
  test.each<[string, Partial<PopDay>, Partial<PopGaps>, string[]]>([
    ['says what was recorded', {}, {}, ['10.0', '8.0', '100', '90']],
    ['without GPS data', { metres: 0, verifiedPlays: 0 }, { shiftsWithoutGps: 2 }, ['No GPS data', '8.0', '100', '–']],
    [
      'partly without GPS data',
      {},
      { shiftsWithoutGps: 1 },
      ['10.0 (no GPS data for 1 of 2 shifts)', '8.0', '100', '90'],
    ],
    [
      'of a printed truck',
      { plays: 0, verifiedPlays: 0 },
      { printedShifts: 2, printedTrucks: 1 },
      ['10.0', '8.0', 'No play log (printed truck)', '–'],
    ],
    [
      'with a player that was offline',
      {},
      { playerOfflineSeconds: 5400 },
      ['10.0', '8.0', '100 (player offline 1 h 30 min)', '90'],
    ],
  ])('%s', (_, given, gaps, cells) => {
    const { miles, hours, plays, verified } = dayText(day(given, gaps))
    expect([miles, hours, plays, verified]).toEqual(cells)
  })

  test('of an old version has no hours', () => {
    expect(dayText({ day: '2026-07-01', metres: 0, plays: 0, verifiedPlays: 0 })).toEqual({
      day: 'Jul 1, 2026',
      miles: '0.0',
      hours: '–',
      plays: '0',
      verified: '–',
    })
  })
})

describe('“so far”', () => {
  const covered = {
    publishedAt: '2026-07-10T06:30:00.000Z',
    endsOn: '2026-07-09',
    zones: ['America/Denver'],
    days: ['2026-07-03', '2026-07-01'],
    shifts: 2,
    runningShifts: 0,
  }
  test('is said with the days that are covered, until the last day is over in the market', () => {
    // 12:30 AM in Denver.
    expect(soFarText(covered)).toBe('')
    // Half an hour before midnight there.
    expect(soFarText({ ...covered, publishedAt: '2026-07-10T05:30:00.000Z' })).toBe(
      'So far: Jul 1, 2026 – Jul 3, 2026.',
    )
    expect(soFarText({ ...covered, zones: ['America/Denver', 'Pacific/Honolulu'] })).toContain('So far')
    expect(soFarText({ ...covered, zones: ['Pacific/Tongatapu'] })).toBe('')
  })

  test('is said while a shift still runs, and before any shift took place', () => {
    expect(soFarText({ ...covered, runningShifts: 1 })).toBe('So far: Jul 1, 2026 – Jul 3, 2026.')
    expect(soFarText({ ...covered, endsOn: '2026-08-01', days: [], shifts: 0 })).toBe('No shifts so far.')
    // In markets that are not shown.
    expect(soFarText({ ...covered, endsOn: '2026-08-01', days: [] })).toBe('So far.')
  })
})
