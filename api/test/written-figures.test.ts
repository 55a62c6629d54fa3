import { foreignFigures } from '@roadshow/test-kit/written-figures'
import { expect, test } from 'vitest'

test.each([
  'Wed, Nov 18',
  'Nov 18, 2026',
  'Wed, Nov 18, 2026, 8:00 PM CST',
  '8:00 PM–4:00 AM CST, 5:00–7:00 PM',
  'mié, 18 nov 2026, 8:00 p. m.',
  'Taken 2026-11-18 20:00:05 (America/Chicago)',
  '26:03:09 played',
  '$15,000.00, −$20.00 and $0.67 a mile',
  '0 mi, 69.4 mi, 0.25 mi, 5 mi, 100 miles, 1,204 miles',
  '(312) 555-0199',
  'roadshow-2026-11-18.tar, /files/2026-11-18/, 01900000-0000-7000-8000-000000000001',
])('%s is written as everywhere', (text) => expect(foreignFigures(text)).toEqual([]))

test.each([
  ['2026-11-18', 'a day of a machine'],
  ['from 2026-11-18 to Nov 20', 'a day of a machine'],
  ['2026-11-18 20:00', 'a day of a machine'],
  ['2026-11-18T20:00:00Z', 'an instant of a machine'],
  ['11/18/2026', 'a day with slashes'],
  ['11/18/26', 'a day with slashes'],
  ['18 Nov 2026', 'a day before its month'],
  ['November 18, 2026', 'a month in full'],
  ['Wednesday, Nov 18', 'a weekday in full'],
  ['Nov 18 2026', 'a year without its comma'],
  ['20:00–04:00', 'a time without AM or PM'],
  ['from 8:00 on', 'a time without AM or PM'],
  ['8:00–20:00 PM', 'a time without AM or PM'],
  ['$15', 'an amount without its cents'],
  ['$15000.00', 'an amount without its cents'],
  ['$1,500.5', 'an amount without its cents'],
  ['69.44 mi', 'miles with other digits'],
  ['120.5 miles', 'miles with other digits'],
  ['1204 mi', 'miles with other digits'],
  ['312-555-0199', 'a phone number'],
  ['+1 312 555 0199', 'a phone number'],
])('%s is %s', (text, fault) => expect(foreignFigures(text)[0]).toMatch(new RegExp(`^${fault}: `)))
