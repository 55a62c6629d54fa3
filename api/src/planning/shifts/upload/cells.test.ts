import { describe, expect, test } from 'vitest'
import { readDate } from '../../../platform/imports/index.ts'
import { readPayOption, readTime } from './cells.ts'

const said = (reading: { value: unknown } | { problem: string }) =>
  'value' in reading ? reading.value : `✗ ${reading.problem}`

describe('a date', () => {
  test.each([
    '7/4/2026',
    '07/04/2026',
    '07-04-26',
    '7-4-2026',
    '7/4/26',
    '2026-07-04',
    '2026/7/4',
    '20260704',
    '46207',
    '46207.0',
    '4-Jul-26',
    '4 July 2026',
    'Jul 4, 2026',
    'July 4th 2026',
    'Sat, Jul 4, 2026',
    'Saturday 7/4/2026',
    '2026-07-04 00:00',
    '2026-07-04T00:00:00Z',
    '7/4/2026 12:00',
  ])('%s', (text) => {
    expect(said(readDate(text))).toBe(
      text.endsWith('12:00') ? '✗ Must be a date such as 7/4/2026 (month/day/year) or 2026-07-04.' : '2026-07-04',
    )
  })

  test.each([
    ['13/04/2026', 'Month 13 does not exist. Dates are read as month/day/year.'],
    ['2/30/2026', 'This day does not exist in this month.'],
    ['Friday 7/4/2026', 'Jul 4, 2026 is a Saturday.'],
    ['4.7.2026', 'Must be a date'],
    ['7/4', 'Must be a date'],
    ['Jul 4', 'Must be a date'],
    ['tomorrow', 'Must be a date'],
    ['1/1/1900', 'Must be between 1970 and 2199.'],
    ['99999', 'Must be a date'],
    ['0/0/0000', 'Month 0 does not exist'],
  ])('%s is none', (text, problem) => {
    expect(said(readDate(text))).toContain(`✗ ${problem}`)
  })
})

describe('a time', () => {
  test.each([
    ['8am', '08:00'],
    ['8 AM', '08:00'],
    ['8a', '08:00'],
    ['8:00 a.m.', '08:00'],
    ['8:00:00 AM', '08:00'],
    ['08:00', '08:00'],
    ['8:00', '08:00'],
    ['0800', '08:00'],
    ['800', '08:00'],
    ['0800 hrs', '08:00'],
    ['0.333333333333333', '08:00'],
    ['.3333333', '08:00'],
    ['1899-12-30 08:00', '08:00'],
    ['1899-12-30', '00:00'],
    ['8:00 PM', '20:00'],
    ['830pm', '20:30'],
    ['12am', '00:00'],
    ['12pm', '12:00'],
    ['noon', '12:00'],
    ['Midnight', '00:00'],
    ['24:00', '00:00'],
    ['23:59', '23:59'],
    ['2359', '23:59'],
  ])('%s is %s', (text, clock) => {
    expect(said(readTime(text))).toEqual({ clock })
  })

  test('may come with its day', () => {
    expect(said(readTime('2026-07-04 08:00'))).toEqual({ clock: '08:00', date: '2026-07-04' })
    expect(said(readTime('7/4/2026 8:00 PM'))).toEqual({ clock: '20:00', date: '2026-07-04' })
    expect(said(readTime('7/4/26 8pm'))).toEqual({ clock: '20:00', date: '2026-07-04' })
  })

  test.each([
    ['8', 'Is this AM or PM?'],
    ['25:00', 'This time does not exist.'],
    ['24:30', 'This time does not exist.'],
    ['13pm', 'This time does not exist.'],
    ['0am', 'This time does not exist.'],
    ['8:75', 'This time does not exist.'],
    ['8:00:30', 'Must be a whole minute.'],
    ['0.33', 'Must be a whole minute.'],
    ['early', 'Must be a time'],
    ['8-4', 'Must be a time'],
    ['-8:00', 'Must be a time'],
    ['16:', 'Must be a time'],
  ])('%s is none', (text, problem) => {
    expect(said(readTime(text))).toContain(`✗ ${problem}`)
  })
})

test('a pay option goes by several names', () => {
  expect(['Half day', 'half', 'halfDay', '½ day'].map((text) => said(readPayOption(text)))).toEqual(
    Array.from({ length: 4 }, () => 'halfDay'),
  )
  expect(['8-hour day', 'Eight hours', '8', '8 hrs', '8h'].map((text) => said(readPayOption(text)))).toEqual(
    Array.from({ length: 5 }, () => 'eightHours'),
  )
  expect(
    ['12-hour day', 'Twelve hours', '12-hour', 'twelveHours', '12 hours'].map((text) => said(readPayOption(text))),
  ).toEqual(Array.from({ length: 5 }, () => 'twelveHours'))
  expect(said(readPayOption('10 hours'))).toContain('✗')
})
