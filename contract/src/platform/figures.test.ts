import { expect, test } from 'vitest'
import { formatMiles, formatRadius } from './distance.ts'
import { countOf, formatDollars, formatPercent, formatPhone } from './figures.ts'

test.each([
  [0, '0 mi'],
  [80.5, '0.1 mi'],
  [8_047, '5.0 mi'],
  [110_975, '69.0 mi'],
  [160_800, '99.9 mi'],
  [160_900, '100 mi'],
  [1_938_000, '1,204 mi'],
])('%d meters are %s', (meters, text) => expect(formatMiles(meters)).toBe(text))

test('a radius reads as it was typed', () => {
  expect([0, 100, 402, 8_047].map(formatRadius)).toEqual(['0 mi', '328 ft', '0.25 mi', '5 mi'])
  expect([60_000, 161_000].map(formatRadius)).toEqual(['37.3 mi', '100 mi'])
})

test('money has its cents', () =>
  expect([1_500_000, 0, -2000].map(formatDollars)).toEqual(['$15,000.00', '$0.00', '−$20.00']))

test.each([
  [0, '0%'],
  [0.001, '1%'],
  [0.656, '66%'],
  [0.654, '65%'],
  [0.996, '99%'],
  [1, '100%'],
  [1.004, '100%'],
  [1.256, '126%'],
])('a share of %d is %s', (share, text) => expect(formatPercent(share)).toBe(text))

test('a share with a decimal is rounded once as well', () =>
  expect([0.65649, 0.9999, 0.0001, 1].map((share) => formatPercent(share, 1))).toEqual([
    '65.6%',
    '99.9%',
    '0.1%',
    '100%',
  ]))

test.each([
  ['3125550199', '(312) 555-0199'],
  ['312-555-0199', '(312) 555-0199'],
  ['312.555.0199', '(312) 555-0199'],
  ['(312) 555-0199', '(312) 555-0199'],
  ['(312)555-0199', '(312) 555-0199'],
  ['+1 312 555 0199', '(312) 555-0199'],
  ['1-312-555-0199', '(312) 555-0199'],
  ['+13125550199', '(312) 555-0199'],
  ['555-0199', '555-0199'],
  ['+49 30 123456', '+49 30 123456'],
  ['(312) 555-0199 ext. 4', '(312) 555-0199 ext. 4'],
  ['', ''],
])('the phone number %s reads %s', (typed, text) => expect(formatPhone(typed)).toBe(text))

test('counts agree with their nouns', () =>
  expect([countOf(1, 'photo'), countOf(1234, 'photo'), countOf(2, 'play', 'plays')]).toEqual([
    '1 photo',
    '1,234 photos',
    '2 plays',
  ]))
