import { describe, expect, test } from 'vitest'
import { dueReports, isSameMailingList, lastWeek } from './rules.ts'

const program = { startsOn: '2026-07-01', endsOn: '2026-07-22', zones: ['America/Chicago', 'America/Los_Angeles'] }
const due = (now: string, given = program) =>
  dueReports(given, Date.parse(now)).map(({ occasion, period, from, to }) => [occasion, period, from, to].join(' '))

describe('a weekly report is due', () => {
  test.each([
    // July 6 is a Monday. 8 AM in Los Angeles is 15:00 UTC.
    ['not before 8 AM on Monday in every market', '2026-07-06T14:59:00Z', []],
    ['from then on', '2026-07-06T15:00:00Z', ['weekly 2026-06-29 2026-07-01 2026-07-05']],
    ['on Tuesday too, if no node ran', '2026-07-07T20:00:00Z', ['weekly 2026-06-29 2026-07-01 2026-07-05']],
    ['not on Wednesday any more', '2026-07-08T16:00:00Z', []],
    ['for whole weeks', '2026-07-13T16:00:00Z', ['weekly 2026-07-06 2026-07-06 2026-07-12']],
    ['not before the program has begun', '2026-06-29T16:00:00Z', []],
    [
      'until the week of the last day',
      '2026-07-27T16:00:00Z',
      ['weekly 2026-07-20 2026-07-20 2026-07-22', 'end 2026-07-22 2026-07-01 2026-07-22'],
    ],
    ['and not after it', '2026-08-03T16:00:00Z', []],
  ])('%s', (_, now, expected) => expect(due(now)).toEqual(expected))

  test('on the morning after clocks change', () => {
    const given = { startsOn: '2026-03-01', endsOn: '2026-12-31', zones: ['America/Chicago'] }
    // Clocks were set forward on March 8: 8 AM is 13:00 UTC.
    expect(due('2026-03-09T12:30:00Z', given)).toEqual([])
    expect(due('2026-03-09T13:00:00Z', given)).toEqual(['weekly 2026-03-02 2026-03-02 2026-03-08'])
  })
})

test('the last report is due on the morning after the last day, for a week', () => {
  expect(due('2026-07-23T14:59:00Z')).toEqual([])
  expect(due('2026-07-23T15:00:00Z')).toEqual(['end 2026-07-22 2026-07-01 2026-07-22'])
  expect(due('2026-07-30T16:00:00Z')).toEqual([])
})

test('a program without markets goes by the usual zone', () => {
  expect(due('2026-07-13T16:00:00Z', { ...program, zones: [] })).toHaveLength(1)
  expect(lastWeek({ ...program, zones: [] }, Date.parse('2026-09-01T00:00:00Z'))).toBeUndefined()
})

describe('two lists of recipients', () => {
  const ann = { email: 'ann@example.com', occasions: ['weekly', 'end'] as const }
  const bob = { email: 'bob@example.com', occasions: ['end'] as const }
  test.each([
    ['are the same in another order', [ann, bob], [bob, ann], true],
    ['are the same in another case', [ann], [{ ...ann, email: 'Ann@Example.com' }], true],
    ['are the same with occasions in another order', [ann], [{ ...ann, occasions: ['end', 'weekly'] as const }], true],
    ['differ by an address', [ann, bob], [ann], false],
    ['differ by an occasion', [ann], [{ ...ann, occasions: ['weekly'] as const }], false],
    [
      'differ by who gets what',
      [ann, bob],
      [
        { ...ann, email: bob.email },
        { ...bob, email: ann.email },
      ],
      false,
    ],
    ['are the same without addresses', [], [], true],
  ])('%s', (_, one, other, isSame) => {
    expect(isSameMailingList(one, other)).toBe(isSame)
  })
})
