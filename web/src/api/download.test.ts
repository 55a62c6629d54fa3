import { expect, test } from 'vitest'
import { filenameOf } from './download.ts'

test.each([
  ['attachment; filename="trucks_2026-07-01.csv"', 'trucks_2026-07-01.csv'],
  ['attachment; filename=trucks.xlsx', 'trucks.xlsx'],
  [`attachment; filename="pop.pdf"; filename*=UTF-8''Caf%C3%A9%20pop.pdf`, 'Café pop.pdf'],
  [`attachment; filename*=UTF-8''100%.csv`, '100%.csv'],
  [null, 'download'],
])('the filename of %s is %s', (disposition, name) => {
  expect(filenameOf(disposition)).toBe(name)
})
