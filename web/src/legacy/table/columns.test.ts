import { describe, expect, test } from 'vitest'
import { parseCopiedCells, parseCell } from './columns.ts'
import type { CellEdit } from './columns.ts'

const programs: CellEdit = {
  kind: 'choice',
  noun: 'program',
  choices: [
    { value: '1', label: 'Summer (Acme)', also: ['Summer'] },
    { value: '2', label: 'Summer (Zephyr)', also: ['Summer'] },
    { value: '3', label: 'Winter (Acme)', also: ['Winter'] },
  ],
}
const drivers: CellEdit = {
  kind: 'choice',
  noun: 'driver',
  choices: ['4', '5'].map((value) => ({ value, label: 'Sam Lee', also: ['Sam Lee'] })),
}

describe('a name in a cell', () => {
  test.each<[string, CellEdit, unknown]>([
    ['Winter', programs, '3'],
    ['  winter (ACME) ', programs, '3'],
    ['Summer (Zephyr)', programs, '2'],
    ['', { ...programs, isOptional: true }, null],
  ])('%j is the one record that it names', (text, edit, value) => {
    expect(parseCell(text, edit)).toEqual({ value })
  })

  test.each<[string, CellEdit, string]>([
    ['Spring', programs, 'Program “Spring” not found.'],
    ['Summer', programs, '“Summer” is ambiguous. Enter Summer (Acme) or Summer (Zephyr).'],
    ['Sam Lee', drivers, 'Several records are named “Sam Lee”. Choose one on the new screen.'],
    ['', programs, 'Choose a program.'],
  ])('%j is never guessed', (text, edit, error) => {
    expect(parseCell(text, edit)).toEqual({ error })
  })
})

test.each<[CellEdit['kind'], string, unknown]>([
  ['clock', '8pm', { value: '20:00' }],
  ['clock', '0830', { value: '08:30' }],
  ['clock', 'late', { error: 'Must be a time such as 8am, 8:00 PM or 08:00.' }],
  ['day', '7/4/2026', { value: '2026-07-04' }],
  ['day', ' 2026-07-04 ', { value: '2026-07-04' }],
  ['day', '', { value: null }],
  ['money', '$1,180.50', { value: 118_050 }],
  ['money', 'much', { error: 'Enter an amount such as 180.50.' }],
  ['check', 'Yes', { value: true }],
  ['check', 'perhaps', { error: 'Enter yes or no.' }],
])('%s %j', (kind, text, found) => {
  expect(parseCell(text, { kind } as CellEdit)).toEqual(found)
})

test('what a spreadsheet copied is read cell by cell, with tabs, breaks and quotes inside of quotes', () => {
  expect(parseCopiedCells('T-1\t8:00\r\n\t\t\r\n')).toEqual([
    ['T-1', '8:00'],
    ['', '', ''],
  ])
  expect(parseCopiedCells('"a\tb"\t"says ""hi""\nthere"\nlast')).toEqual([['a\tb', 'says "hi"\nthere'], ['last']])
  // A quote in the middle of a cell is only a quote.
  expect(parseCopiedCells('12" rear\tx')).toEqual([['12" rear', 'x']])
})
