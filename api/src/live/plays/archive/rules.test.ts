import { NIL_UUID } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { addChecksums, addSums, archivedBefore, blobOf, daysBetween, isSameSum, mayBeArchived } from './rules.ts'

const at = (text: string) => Date.parse(text)

describe('days that are archived', () => {
  test.each([
    ['2026-11-16T00:00:00Z', 90, '2026-08-18'],
    ['2026-11-16T23:59:59Z', 90, '2026-08-18'],
    ['2026-03-01T12:00:00Z', 45, '2026-01-15'],
  ])('at %s after %i days are those before %s', (now, days, before) =>
    expect(archivedBefore(at(now), days)).toBe(before),
  )

  test('are never younger than 45 days, with a day to spare for clocks that differ', () => {
    const now = at('2026-11-16T12:00:00Z')
    expect(mayBeArchived(at('2026-10-02T00:00:00Z'), now)).toBe(true)
    expect(mayBeArchived(at('2026-10-03T00:00:00Z'), now)).toBe(false)
  })

  test.each([
    ['2026-06-01T00:00:00Z', '2026-06-01T00:00:00Z', ['2026-06-01']],
    ['2026-06-01T23:59:59.999Z', '2026-06-02T00:00:00Z', ['2026-06-01', '2026-06-02']],
    ['2026-02-28T12:00:00Z', '2026-03-01T01:00:00Z', ['2026-02-28', '2026-03-01']],
  ])('from %s to %s are %j', (from, to, days) => expect(daysBetween(at(from), at(to))).toEqual(days))
})

test('a file is found by its day and market', () => {
  expect(blobOf('2026-08-01', NIL_UUID, 'a1')).toBe('plays/utc_day=2026-08-01/market=none/a1.parquet')
  expect(blobOf('2026-08-01', '01890000-0000-7000-8000-000000000001', 'a1')).toBe(
    'plays/utc_day=2026-08-01/market=01890000-0000-7000-8000-000000000001/a1.parquet',
  )
})

describe('sums of plays', () => {
  const [dallas, austin] = ['01890000-0000-7000-8000-00000000000d', '01890000-0000-7000-8000-00000000000a']

  test('add up beyond what a number holds', () => {
    expect(addChecksums('9007199254740993-1', '9007199254740993-2')).toBe('18014398509481986-3')
  })

  test('add up by market', () => {
    const [one, other] = [
      [{ market: dallas, rows: 2, checksum: '5-7' }],
      [
        { market: dallas, rows: 1, checksum: '1-1' },
        { market: austin, rows: 4, checksum: '3-3' },
      ],
    ]
    const sum = addSums(one, other)
    expect(sum).toEqual([
      { market: austin, rows: 4, checksum: '3-3' },
      { market: dallas, rows: 3, checksum: '6-8' },
    ])
    expect(isSameSum(sum, sum.toReversed())).toBe(true)
    expect(isSameSum(sum, one)).toBe(false)
    expect(isSameSum(one, [{ market: dallas, rows: 2, checksum: '5-8' }])).toBe(false)
  })
})
