import type { PopDay } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { dayTable, dayTableColumns } from './day-table.ts'

const dayAt = (n: number) => new Date(Date.UTC(2026, 5, 1 + n)).toISOString().slice(0, 10)
const gaps = { shiftsWithoutGps: 0, printedShifts: 0, printedTrucks: 0, playerOfflineSeconds: 0, runningShifts: 0 }
const day = (n: number, given: Partial<PopDay> = {}): PopDay => ({
  day: dayAt(n),
  metres: 16_093.44,
  plays: 10,
  verifiedPlays: 9,
  seconds: 3600,
  shifts: 1,
  gaps,
  ...given,
})

test('the rows are the days on which a shift took place, and a chart keeps the days between', () => {
  const table = dayTable([day(0), day(1), day(5)])
  expect([table.step, table.summary, table.rows.length, table.columns.length]).toEqual(['day', '3 days', 3, 6])
  expect(table.rows.map((row) => row.day)).toEqual(['Jun 1, 2026', 'Jun 2, 2026', 'Jun 6, 2026'])
  expect(dayTableColumns(table).map(({ title }) => title)).toEqual(['Day', 'Miles', 'Hours', 'Plays', 'Verified plays'])
})

test('many days are taken together by week, and the rows say on how many days of it shifts took place', () => {
  const days = [...Array(90).keys()].filter((n) => n % 7 !== 6).map((n) => day(n))
  const table = dayTable(days)
  expect([table.step, table.summary]).toEqual(['week', `${days.length} days in 13 weeks`])
  expect(table.rows.reduce((sum, row) => sum + row.days, 0)).toBe(days.length)
  expect(table.rows[0]).toEqual({
    day: 'Jun 1, 2026',
    days: 6,
    miles: '60.0',
    hours: '6.0',
    plays: '60',
    verified: '54',
  })
  expect(
    dayTableColumns(table)
      .map(({ title }) => title)
      .slice(0, 2),
  ).toEqual(['Week of', 'Days'])
})

test('three years are taken together by month', () => {
  const days = [...Array(1100).keys()].map((n) => day(n))
  const table = dayTable(days)
  expect([table.step, table.rows.length, table.columns.length]).toEqual(['month', 37, 37])
  expect(table.rows.reduce((sum, row) => sum + row.days, 0)).toBe(1100)
})

test('a week with a day without GPS data says for how many of its shifts', () => {
  const days = [...Array(90).keys()].map((n) => day(n))
  days[1] = day(1, { metres: 0, gaps: { ...gaps, shiftsWithoutGps: 1 } })
  expect(dayTable(days).rows[0]?.miles).toBe('60.0 (no GPS data for 1 of 7 shifts)')
})

test('without days there is no table', () => {
  expect(dayTable([])).toMatchObject({ rows: [], columns: [] })
})
