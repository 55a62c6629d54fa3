import { DAY_MS } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import {
  type Cell,
  cellOf,
  clockColumn,
  columnsWithin,
  countColumn,
  dayColumn,
  feetColumn,
  hoursColumn,
  localTimeColumn,
  milesColumn,
  moneyColumn,
  type SheetColumn,
  timeColumn,
} from './columns.ts'

const csv = { zone: 'America/Chicago', today: '2026-11-16', isWorkbook: false }
const workbook = { ...csv, isWorkbook: true }
const same = (cell: Cell) => cell
const MINUTE = 1 / 24 / 60
/** Days since the end of 1899. */
const serial = (day: string, time = '00:00:00') => Date.parse(`${day}T${time}Z`) / DAY_MS + 25_569

interface Example {
  column: SheetColumn<Cell>
  value: Cell
  text: Cell
  stored: number
}

const examples: Record<string, Example> = {
  'an amount of cents is written in dollars': { column: moneyColumn(same), value: 18_050, text: 180.5, stored: 180.5 },
  'what is owed is negative': { column: moneyColumn(same), value: -2000, text: -20, stored: -20 },
  'meters are written in miles': { column: milesColumn(same), value: 123_456, text: 76.71, stored: 76.71 },
  'short distances are written in feet': { column: feetColumn(same), value: 30, text: 98, stored: 98 },
  'minutes are written in hours': { column: hoursColumn(same), value: 485, text: 8.08, stored: 8.08 },
  'a count stays a count, also of none': { column: countColumn(same), value: 0, text: 0, stored: 0 },
  'a day is a whole number': { column: dayColumn(same), value: '2026-07-01', text: '2026-07-01', stored: 46_204 },
  'a time of day is a part of one': { column: clockColumn(same), value: '20:30', text: '20:30', stored: 1230 * MINUTE },
  'midnight is no time of day passed': { column: clockColumn(same), value: '00:00', text: '00:00', stored: 0 },
  'a local time is stored as it is shown': {
    column: localTimeColumn(same),
    value: '2026-07-01 20:30:15',
    text: '2026-07-01 20:30:15',
    stored: serial('2026-07-01', '20:30:15'),
  },
}

describe('a column of a kind', () => {
  test.each(Object.entries(examples))('%s', (_, { column, value, text, stored }) => {
    expect(cellOf(column, value, csv)).toBe(text)
    expect(cellOf(column, value, workbook)).toBeCloseTo(stored, 9)
  })

  test('is empty where a value is not known, which is not zero', () => {
    for (const column of [moneyColumn(same), milesColumn(same), dayColumn(same), clockColumn(same)]) {
      for (const file of [csv, workbook]) {
        expect(cellOf(column, null, file)).toBeNull()
        expect(cellOf(column, '', file)).toBeNull()
      }
    }
  })

  test('text that a spreadsheet would run gets a quote in front, numbers never', () => {
    expect(['=1+1', '+1', '-1', '@a', '\tx', 'a=b'].map((text) => cellOf(same, text, csv))).toEqual([
      "'=1+1",
      "'+1",
      "'-1",
      "'@a",
      "'\tx",
      'a=b',
    ])
    expect(cellOf(same, -5, workbook)).toBe(-5)
  })
})

interface Moment {
  at: string | null
  zone: string
}

describe('an instant', () => {
  const ofFile = timeColumn(({ at }: Moment) => at)
  const ofRow = timeColumn(
    ({ at }: Moment) => at,
    ({ zone }) => zone,
  )

  test('is written on the clocks of the zone that the file names', () => {
    const row = { at: '2026-07-02T01:30:15.999Z', zone: 'Asia/Tokyo' }
    expect(cellOf(ofFile, row, csv)).toBe('2026-07-01 20:30:15')
    expect(cellOf(ofFile, row, workbook)).toBeCloseTo(serial('2026-07-01', '20:30:15'), 9)
    expect(cellOf(ofFile, { ...row, at: null }, csv)).toBeNull()
  })

  test.each([
    ['Pacific/Auckland', '2026-07-02 13:30:15'],
    ['Pacific/Kiritimati', '2026-07-02 15:30:15'],
    ['Pacific/Honolulu', '2026-07-01 15:30:15'],
    ['Asia/Kathmandu', '2026-07-02 07:15:15'],
  ])('is written on the clocks of its row: %s', (zone, text) => {
    expect(cellOf(ofRow, { at: '2026-07-02T01:30:15Z', zone }, csv)).toBe(text)
  })

  test.each([
    // Clocks go from 1:59:59 to 3:00:00.
    ['2026-03-08T07:59:59Z', '2026-03-08 01:59:59'],
    ['2026-03-08T08:00:00Z', '2026-03-08 03:00:00'],
    // Clocks go from 1:59:59 back to 1:00:00.
    ['2026-11-01T06:59:59Z', '2026-11-01 01:59:59'],
    ['2026-11-01T07:00:00Z', '2026-11-01 01:00:00'],
    ['2026-11-01T08:00:00Z', '2026-11-01 02:00:00'],
  ])('in a night when clocks change: %s', (at, text) => {
    expect(cellOf(ofFile, { at, zone: '' }, csv)).toBe(text)
    expect(cellOf(ofFile, { at, zone: '' }, workbook)).toBeCloseTo(serial(...(text.split(' ') as [string, string])), 9)
  })
})

test('columns of a record also serve rows that hold the record', () => {
  const columns = columnsWithin(
    {
      Name: (name: string) => name,
      At: timeColumn(
        (name: string) => (name === '' ? null : '2026-07-02T01:30:15Z'),
        () => 'UTC',
      ),
    },
    ({ name }: { name: string }) => name,
  )
  const cells = Object.values(columns).map((column) => cellOf(column, { name: 'Dana' }, csv))
  expect(cells).toEqual(['Dana', '2026-07-02 01:30:15'])
})
