import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { expect, test } from 'vitest'

const SOURCES = import.meta.dirname
// The public pages and the drivers' app carry none of the console.
const OTHER_PAGES = ['driver', 'proof/public-page', 'proof/campaigns/link-page', 'outreach/proposals/page']

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => /\.tsx?$/.test(path) && !/(?:^|\/)test-|\.test\.tsx?$/.test(path))
  .filter((path) => !OTHER_PAGES.some((folder) => path.startsWith(`${folder}/`)))
const nameOf = (path: string) => path.split('/').at(-1) ?? ''
const holding = (pattern: RegExp) =>
  sources
    .filter((path) => pattern.test(readFileSync(join(SOURCES, path), 'utf8')))
    .map(nameOf)
    .toSorted()

test('every lazy part is made by the function that keeps its failure from its surroundings', () => {
  // The sign-in pages have no part of the console and a boundary of their own.
  expect(holding(/\blazy\b[^'\n]*\} from 'react'|React\.lazy/)).toEqual(['ForgotPasswordPage.tsx', 'lazyPart.tsx'])
})

test('every form runs on the one engine', () => {
  expect(holding(/\bForm\.useForm\b/)).toEqual(['useRecordForm.ts'])
  // The drawer draws whichever form of a record it is given.
  expect(holding(/<Form(?:<\w+>)?[\s>]/)).toEqual(['EditForm.tsx', 'RecordDrawer.tsx', 'RecordForm.tsx'])
  expect(holding(/code === 'staleVersion'/)).toEqual(['call.ts', 'useSavedRecord.ts'])
})

test('a table of facts is a FactTable', () => {
  expect(holding(/<table\b/)).toEqual(
    [
      'FactTable.tsx',
      // Lists of records: sorted, paged, each row a link.
      'RowTable.tsx',
      // Rows of a file, drawn as they come into view.
      'ImportTable.tsx',
      // Cells that are typed into, as in a spreadsheet.
      'ClassicTable.tsx',
      // A calendar: days across, with a cell for each.
      'DriverTable.tsx',
      // Switches by groups, which are cards on a phone.
      'KindSettings.tsx',
    ].toSorted(),
  )
})
