import { expect, test } from 'vitest'
import { clockOffset, dateReports, newestReport } from './health-rules.ts'

const NOW = Date.parse('2026-11-16T12:00:00Z')
const report = (reportId: string, at: string, sentAt = '2026-11-16T12:00:00Z') => ({
  reportId,
  at,
  sentAt,
  files: [],
  gpsFix: true,
  freeBytes: null,
  appVersion: '',
  screen: null,
})
const measured = (...reports: ReturnType<typeof report>[]) =>
  dateReports(reports, NOW).map(({ measuredAt }) => new Date(measuredAt).toISOString().slice(11, 19))

test('a report is as old as the device says it was when it was sent', () => {
  expect(measured(report('a', '2026-11-16T11:50:00Z'))).toEqual(['11:50:00'])
})

test('a wrong clock does not change how old a report is', () => {
  expect(measured(report('a', '1970-01-01T00:00:00Z', '1970-01-01T00:10:00Z'))).toEqual(['11:50:00'])
  expect(measured(report('a', '2031-01-01T00:00:00Z', '2031-01-01T00:10:00Z'))).toEqual(['11:50:00'])
})

test('the newest report counts, in any order', () => {
  const [one, two, three] = [
    report('a', '2026-11-16T09:00:00Z'),
    report('b', '2026-11-16T10:00:00Z'),
    report('c', '2026-11-16T11:00:00Z'),
  ]
  for (const order of [
    [one, two, three],
    [three, one, two],
    [two, three, one],
  ])
    expect(newestReport(dateReports(order, NOW))?.reportId).toBe('c')
  expect(newestReport([])).toBeUndefined()
})

test('of two equally new reports the one with the greater id counts, in any order', () => {
  const [one, two] = [report('a', '2026-11-16T09:00:00Z'), report('b', '2026-11-16T09:00:00Z')]
  expect(newestReport(dateReports([one, two], NOW))?.reportId).toBe('b')
  expect(newestReport(dateReports([two, one], NOW))?.reportId).toBe('b')
})

test('the same id twice in a list is one report', () => {
  const twice = [report('a', '2026-11-16T09:00:00Z'), report('a', '2026-11-16T09:00:00Z')]
  expect(dateReports(twice, NOW).map(({ isRepeat }) => isRepeat)).toEqual([false, true])
})

test('the clock offset is that of the moment of sending, within the limits of the column', () => {
  expect(clockOffset('2026-11-16T12:01:30Z', NOW)).toBe(90_000)
  expect(clockOffset('1970-01-01T00:00:00Z', NOW)).toBe(-(2 ** 31 - 1))
})
