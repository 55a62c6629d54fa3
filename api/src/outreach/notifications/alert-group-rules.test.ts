import { describe, expect, test } from 'vitest'
import { gatheredAt, gatheredWith, groupSubject, joinNames } from './alert-group-rules.ts'

const SECOND = 1000

describe('alerts that gather', () => {
  test.each([
    ['alone leaves after 35 seconds', gatheredAt(0, 0), 35],
    ['in quiet hours leaves at their end', gatheredAt(0, 3600 * SECOND), 3600],
    ['with another after 10 seconds', gatheredWith({ createdAt: 0, nextAt: 35 * SECOND }, 10 * SECOND), 45],
    ['with more never waits over a minute', gatheredWith({ createdAt: 0, nextAt: 45 * SECOND }, 44 * SECOND), 60],
    [
      'with another that comes too late to matter',
      gatheredWith({ createdAt: 0, nextAt: 60 * SECOND }, 90 * SECOND),
      60,
    ],
    ['in quiet hours, with another', gatheredWith({ createdAt: 0, nextAt: 3600 * SECOND }, 10 * SECOND), 3600],
  ])('%s', (_title, at, seconds) => {
    expect(at).toBe(seconds * SECOND)
  })
})

test.each([
  [['T-1'], 'T-1'],
  [['T-10', 'T-2'], 'T-2 and T-10'],
  [['T-1', 'T-2', 'T-3', 'T-4'], 'T-1, T-2, T-3 and T-4'],
  [['T-1', 'T-2', 'T-3', 'T-4', 'T-5'], 'T-1, T-2, T-3, T-4 and T-5'],
  [Array.from({ length: 20 }, (_, n) => `T-${n + 1}`), 'T-1, T-2, T-3, T-4 and 16 more'],
])('the names %j are read as “%s”', (names, text) => {
  expect(joinNames(names)).toBe(text)
})

test('the subject of several alerts counts and names the trucks', () => {
  const trucks = ['T-1', 'T-2', 'T-3', 'T-4']
  expect(groupSubject('truckSilent', 'opened', trucks)).toBe('4 trucks stopped reporting: T-1, T-2, T-3 and T-4')
  expect(groupSubject('truckDark', 'resolved', trucks)).toBe('Resolved on 4 trucks (truck dark): T-1, T-2, T-3 and T-4')
  expect(groupSubject('truckDark', 'repeated', trucks.slice(0, 2))).toBe(
    'Still open on 2 trucks (truck dark): T-1 and T-2',
  )
})
