import { describe, expect, test } from 'vitest'
import { readClock, readDay, readDayTime, readHours, type Reading } from './typed-time.ts'

const TODAY = '2026-11-18'
const said = (reading: Reading<unknown>) => ('value' in reading ? reading.value : `✗ ${reading.problem}`)

const days: Record<string, readonly string[]> = {
  '2026-11-18': [
    '11/18',
    '11-18',
    '11/18/',
    '11 / 18',
    '11/18/26',
    '11/18/2026',
    '11-18-2026',
    '11-18-26',
    ' 11/18 ',
    '2026-11-18',
    '2026/11/18',
    '2026.11.18',
    '20261118',
    'nov 18',
    'Nov 18',
    'NOV 18',
    'nov18',
    'Nov. 18',
    'November 18',
    'nov 18th',
    'November 18th, 2026',
    'nov 18 26',
    'nov 18, 2026',
    'Nov 18,2026',
    'Nov-18-2026',
    '18 nov',
    '18 November 2026',
    '18-Nov-26',
    '18nov2026',
    'Wed, Nov 18',
    'wed 11/18',
    'Wednesday, 11/18/2026',
    'Wed, Nov 18, 2026',
    'today',
    'Today',
    'wed',
    'wednesday',
    'Nov  18,  2026',
  ],
  '2026-11-19': ['tomorrow', 'thu', 'thurs', '11/19'],
  '2026-11-17': ['yesterday', '11/17', 'tue 11/17'],
  '2026-11-24': ['tue', 'tues', 'Tuesday'],
  '2027-01-05': ['1/5', '01/05', 'jan 5', 'january 5th', '1/5/27', '5 jan', 'Tue, Jan 5'],
  '2026-09-03': ['9/3', 'sep 3', 'sept 3', 'Sept. 3rd', 'September 3'],
  '2028-02-29': ['2/29/28', '2/29/2028', 'feb 29 2028'],
}

describe('a day', () => {
  test.each(Object.entries(days).flatMap(([day, texts]) => texts.map((text) => [text, day] as const)))(
    '%s is %s',
    (text, day) => expect(said(readDay(text, TODAY))).toBe(day),
  )

  test.each([
    ['13/11', 'Month 13 does not exist. Dates are read as month/day/year.'],
    ['18/11/2026', 'Month 18 does not exist. Dates are read as month/day/year.'],
    ['2/30', 'This day does not exist in this month.'],
    ['2/29', 'This day does not exist in this month.'],
    ['2/29/2027', 'This day does not exist in this month.'],
    ['11/0', 'This day does not exist in this month.'],
    ['11/31/2026', 'This day does not exist in this month.'],
    ['Tue, Nov 18, 2026', 'Nov 18, 2026 is a Wednesday.'],
    ['fri 11/18', 'Nov 18, 2026 is a Wednesday.'],
    ['1/1/1900', 'Must be between 1970 and 2199.'],
    ['18', 'Must be a date such as'],
    ['11', 'Must be a date such as'],
    ['4.7.2026', 'Must be a date such as'],
    ['novem 18', 'Must be a date such as'],
    ['soon', 'Must be a date such as'],
    ['11/18/202', 'Must be a date such as'],
    ['', 'Must be a date such as'],
  ])('%s is none', (text, problem) => expect(said(readDay(text, TODAY))).toContain(`✗ ${problem}`))

  test.each(['11/18', 'nov 18', 'today', 'wed'])('%s means nothing in a file, which is also read next year', (text) =>
    expect(said(readDay(text))).toContain('✗ Must be a date such as'),
  )
})

const clocks: Record<string, readonly string[]> = {
  '20:00': [
    '8p',
    '8P',
    '8 p',
    '8pm',
    '8 pm',
    '8PM',
    '8 PM',
    '8p.m.',
    '8 p.m.',
    '8 p. m.',
    '8:00p',
    '8:00 pm',
    '8.00 pm',
    '08:00 PM',
    '800p',
    '800 pm',
    '0800pm',
    '8:00:00 PM',
    '20:00',
    '20.00',
    '20h00',
    '20:00:00',
    '2000',
    '20',
  ],
  '20:30': ['830pm', '830p', '8:30 pm', '8:30pm', '8.30 pm', '8:30 P.M.', '20:30', '2030', '20.30', ' 8:30 pm '],
  '08:00': ['8', '08', '8a', '8 am', '8:00', '08:00', '800', '0800', '0800 hrs', '8:00 a.m.'],
  '00:00': ['12a', '12 am', '12:00 AM', '0', '0:00', '00:00', '0000', '24:00', 'midnight', 'Midnight'],
  '12:00': ['12', '12p', '12 pm', '1200', '12:00 PM', 'noon'],
  '00:30': ['12:30 am', '1230a', '0:30', '0030'],
  '23:59': ['11:59 pm', '1159p', '23:59', '2359'],
}

describe('a time of day', () => {
  test.each(Object.entries(clocks).flatMap(([clock, texts]) => texts.map((text) => [text, clock] as const)))(
    '%s is %s',
    (text, clock) => expect(said(readClock(text, { isBareHourRead: true }))).toBe(clock),
  )

  test.each([
    ['25', 'This time does not exist.'],
    ['25:00', 'This time does not exist.'],
    ['24:30', 'This time does not exist.'],
    ['13pm', 'This time does not exist.'],
    ['0am', 'This time does not exist.'],
    ['8:75', 'This time does not exist.'],
    ['8:00:30', 'Must be a whole minute.'],
    ['8:', 'Must be a time such as'],
    ['8-4', 'Must be a time such as'],
    ['-8', 'Must be a time such as'],
    ['8 o’clock', 'Must be a time such as'],
    ['pm', 'Must be a time such as'],
    ['', 'Must be a time such as'],
  ])('%s is none', (text, problem) => expect(said(readClock(text, { isBareHourRead: true }))).toContain(`✗ ${problem}`))

  test('an hour alone is refused where nobody sees what was understood', () =>
    expect(said(readClock('8'))).toContain('✗ Is this AM or PM?'))
})

test.each([
  ['11/18 8p', '2026-11-18', '20:00'],
  ['11/18/2026 8:30 pm', '2026-11-18', '20:30'],
  ['Nov 18, 2026, 8:00 PM', '2026-11-18', '20:00'],
  ['nov 18 at 20:00', '2026-11-18', '20:00'],
  ['2026-11-18 20:00', '2026-11-18', '20:00'],
  ['2026-11-18T20:00', '2026-11-18', '20:00'],
  ['tomorrow noon', '2026-11-19', '12:00'],
  ['today 8', '2026-11-18', '08:00'],
])('%s is a day and a time', (text, day, clock) => expect(said(readDayTime(text, TODAY))).toEqual({ day, clock }))

test('a day without a time is no moment', () => {
  expect(said(readDayTime('11/18/2026', TODAY))).toContain('✗')
  expect(said(readDayTime('2/30 8p', TODAY))).toBe('✗ This day does not exist in this month.')
})

test.each([
  ['5-8 PM', { from: 17, to: 20 }],
  ['5–8 pm', { from: 17, to: 20 }],
  ['5:00–8:00 PM', { from: 17, to: 20 }],
  ['5 PM to 8 PM', { from: 17, to: 20 }],
  ['17-20', { from: 17, to: 20 }],
  ['17:00 - 20:00', { from: 17, to: 20 }],
  ['11-2 pm', { from: 11, to: 14 }],
  ['noon until 3p', { from: 12, to: 15 }],
  ['10 PM–2 AM', { from: 22, to: 2 }],
  ['10 PM–12 AM', { from: 22, to: 24 }],
  ['10:00 PM–midnight', { from: 22, to: 24 }],
  ['6 PM', { from: 18, to: 19 }],
  ['18', { from: 18, to: 19 }],
  ['5:30-8 PM', '✗ Must be full hours.'],
  ['5-8:15 PM', '✗ Must be full hours.'],
  ['5 PM-5 PM', '✗ The end must not be the start.'],
  ['evening', '✗ Must be hours such as 5–8 PM or 17–20.'],
  ['5-late', '✗ Must be hours such as 5–8 PM or 17–20.'],
  ['25', '✗ Must be hours such as 5–8 PM or 17–20.'],
])('hours typed as %s', (typed, expected) => {
  expect(said(readHours(typed))).toEqual(expected)
})
