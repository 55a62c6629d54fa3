import { describe, expect, test } from 'vitest'
import { accountRefused, countDisplaced, type KnownNumbers, type ListedRow } from './used-numbers.ts'

const row = (sequence: number, playId: string, isDuplicate = false) => ({
  sequence,
  playId,
  isDuplicate,
  reason: '',
  startedAt: '2026-11-18T12:00:00Z',
})
const listed = (sequence: number, playId: string, isDuplicate = false): ListedRow => ({
  sequence,
  playId,
  isDuplicate,
})
const known = (more: Partial<KnownNumbers> = {}): KnownNumbers => ({
  stored: [],
  rejected: [],
  duplicates: [],
  ...more,
})

describe('a rejected row', () => {
  test.each([
    ['is the end of a free number', known(), [], [row(7, 'a')], { rejected: [7], reused: 0, rows: 1 }],
    ['counts beside a stored number', known({ stored: [7] }), [], [row(7, 'a')], { rejected: [], reused: 1, rows: 1 }],
    [
      'counts beside another rejected row of its number',
      known({ rejected: [7] }),
      [listed(7, 'b')],
      [row(7, 'a')],
      { rejected: [], reused: 1, rows: 1 },
    ],
    ['counts once when it is sent again', known({ rejected: [7] }), [listed(7, 'a')], [row(7, 'a')], { rows: 0 }],
    [
      'that was listed without an id is the same',
      known({ rejected: [7] }),
      [listed(7, '')],
      [row(7, 'a')],
      { rows: 0 },
    ],
    ['counts once within a batch', known(), [], [row(7, 'a'), row(7, 'a')], { rejected: [7], reused: 0, rows: 1 }],
    [
      'ends a number, and another one of it counts beside',
      known(),
      [],
      [row(7, 'a'), row(7, 'b')],
      { rejected: [7], reused: 1, rows: 2 },
    ],
    [
      'goes before a duplicate of its number',
      known({ duplicates: [7] }),
      [listed(7, 'b', true)],
      [row(7, 'a'), row(7, 'b', true)],
      { rejected: [7], duplicates: [], reused: 0, rows: 1 },
    ],
  ])('%s', (_, numbers, before, rows, { rows: count, ...expected }) => {
    const account = accountRefused(rows, numbers, before)
    expect(account).toMatchObject(expected)
    expect(account.rows).toHaveLength(count)
  })
})

describe('a duplicate', () => {
  test.each([
    ['is the end of a free number', known(), [row(7, 'a', true), row(7, 'b', true)], [7]],
    ['of its own number is the same row again', known({ stored: [7] }), [row(7, 'a', true)], []],
    ['of a rejected number says nothing new', known({ rejected: [7] }), [row(7, 'a', true)], []],
    ['counts once', known({ duplicates: [7] }), [row(7, 'a', true)], []],
  ])('%s', (_, numbers, rows, duplicates) =>
    expect(accountRefused(rows, numbers, [])).toMatchObject({ duplicates, rejected: [], reused: 0 }),
  )
})

test.each([
  ['a play that was rejected before takes its rejection with it', [listed(7, 'a')], 0],
  ['a rejection of another play stays, beside the number', [listed(7, 'b'), listed(7, 'c')], 1],
  ['of several rejections one may be its own', [listed(7, 'a'), listed(7, 'b')], 0],
  ['a duplicate gives way', [listed(7, 'b', true)], 0],
  ['a row of an earlier version may be the same play', [listed(7, '')], 0],
  ['a number without rejections', [], 0],
])('%s', (_, before, count) => expect(countDisplaced([{ sequence: 7, playId: 'a' }], before)).toBe(count))
