import { expect, test } from 'vitest'
import { fittingColumns } from './columns.ts'
import type { Column } from './columns.ts'

const render = () => null
const columns: Column<object>[] = [
  { key: 'name', title: 'Name', width: 200, render },
  { key: 'markets', title: 'Markets', render },
  { key: 'vin', title: 'VIN', width: 190, secondary: true, render },
  { key: 'changed', title: 'Changed', width: 180, secondary: true, render },
]
const shown = (width: number) => fittingColumns(columns, width).map(({ key }) => key)

test('secondary columns are left out from the last on, until the others have room', () => {
  expect(shown(720)).toEqual(['name', 'markets', 'vin', 'changed'])
  expect(shown(719)).toEqual(['name', 'markets', 'vin'])
  expect(shown(539)).toEqual(['name', 'markets'])
})

test('columns that are needed stay, however narrow it is', () => {
  expect(shown(100)).toEqual(['name', 'markets'])
})
