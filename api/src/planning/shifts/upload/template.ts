import {
  type ExportFormat,
  payOptionLabel,
  type ShiftUploadColumn,
  shiftUploadColumns,
  shiftUploadRules,
} from '@roadshow/contract'
import { sheetFile } from '../../../platform/spreadsheet/sheet.ts'

type Example = Record<ShiftUploadColumn, string>

const EXAMPLES: Example[] = [
  {
    date: '7/4/2026',
    start: '8:00 AM',
    end: '4:00 PM',
    truck: 'T-101',
    driver: 'dana.reed@example.com',
    client: '',
    program: 'Summer Sale',
    market: 'Houston, TX',
    artworkSet: 'Main',
    addressSet: '',
    payOption: payOptionLabel.eightHours,
    note: 'Example: replace it with your own shift.',
  },
  {
    date: '2026-07-04',
    start: '20:00',
    end: '04:00',
    truck: 'T-102',
    driver: 'Sam Ortega',
    client: 'Acme',
    program: 'Game Night',
    market: 'Houston, TX',
    artworkSet: '',
    addressSet: 'Stores',
    payOption: '',
    note: 'Example: it ends the next day.',
  },
]

/** A file to fill in: columns, two examples, and the rules for reading it. */
export function uploadTemplate(format: ExportFormat) {
  const columns = Object.keys(shiftUploadColumns) as ShiftUploadColumn[]
  async function* table() {
    yield columns.map((column) => shiftUploadColumns[column][0])
    yield* EXAMPLES.map((example) => columns.map((column) => example[column]))
  }
  return sheetFile({
    format,
    title: 'shifts',
    filename: 'shifts-template',
    table: table(),
    summary: () => [...shiftUploadRules],
  })
}
