import { expect, test } from 'vitest'
import { type Extent, sheetProblem } from './table-limits.js'

const most = { rows: 20_000, lines: 100_000 }
const small = { lastRow: 50, lastColumn: 12, filledRow: 50, filledColumn: 12, filledRows: 50 }

test.each([
  ['a small table', {}, undefined],
  ['one that is formatted down to the last row', { lastRow: 1_048_576, lastColumn: 16_384 }, undefined],
  [
    'a row that no sheet has',
    { lastRow: 1e9 },
    { code: 'unreadableTable', text: expect.stringContaining('names row 1,000,000,000, but') },
  ],
  [
    'a column that no sheet has',
    { lastColumn: 20_000 },
    { code: 'unreadableTable', text: expect.stringContaining('names column 20,000, but') },
  ],
  ['a cell far below', { filledRow: 100_000 }, 'tooManyRows'],
  ['many rows', { filledRow: 20_200, filledRows: 20_101 }, 'tooManyRows'],
  [
    'a cell far to the right',
    { filledColumn: 1001 },
    { code: 'tooLarge', text: expect.stringContaining('more than 1,000 columns') },
  ],
  [
    'many rows of many cells',
    { filledRow: 19_000, filledColumn: 900 },
    { code: 'tooLarge', text: expect.stringContaining('too large') },
  ],
] satisfies [string, Partial<Extent>, unknown][])('%s', (_, given, problem) => {
  expect(sheetProblem({ ...small, ...given }, most)).toEqual(problem)
})
