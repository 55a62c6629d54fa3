import * as z from '../platform/zod.ts'
import { exportFormat, one } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { TABLE_FILE } from '../platform/imports.ts'
import type { ImportColumns } from '../platform/imports.ts'

/** The columns of a schedule as a table, by what people write above them; the first is how the template calls it. */
export const shiftUploadColumns = {
  date: ['Date', 'Day', 'Shift date', 'Local date', 'Work date'],
  start: ['Start', 'Start time', 'Starts', 'Begin', 'From', 'Time in'],
  end: ['End', 'End time', 'Ends', 'Finish', 'To', 'Until', 'Stop', 'Time out'],
  truck: ['Truck', 'Truck number', 'Truck no', 'Truck name', 'Unit', 'Unit number', 'Vehicle'],
  driver: ['Driver', 'Driver email', 'Driver name', 'Email', 'Employee'],
  client: ['Client', 'Client name', 'Customer', 'Advertiser'],
  program: ['Program', 'Client program', 'Program name', 'Programme', 'Campaign'],
  market: ['Market', 'Market name', 'Metro', 'City', 'DMA'],
  artworkSet: ['Artwork set', 'Artwork', 'Artwork name', 'Creative', 'Art'],
  addressSet: ['SD set', 'SD address set', 'SD addresses', 'SD', 'Address set'],
  payOption: ['Pay option', 'Pay', 'Pay type', 'Pay rate'],
  note: ['Note', 'Notes', 'Comment', 'Comments', 'Remarks'],
} as const satisfies ImportColumns<string>
export type ShiftUploadColumn = keyof typeof shiftUploadColumns

/** Without them nothing can be read of a schedule. */
export const requiredUploadColumns = ['date', 'start', 'end', 'truck', 'driver', 'program', 'market'] as const

/** What is read in which way, for the template and the screen: nothing is guessed silently. */
export const shiftUploadRules = [
  'Dates are month/day/year, such as 7/4/2026, or 2026-07-04. A year of two digits is 20xx.',
  'Times are 8am, 8:00 PM or, without am and pm, 24 hours: 08:00, 0800. They are the local times of the market. An end that is not after the start is on the next day.',
  'A driver is named by email address, or by full name where only one has it. A client is needed only where two have a program of the same name.',
  'A row with the truck, date and start of a planned shift changes that shift. What a file has no column for stays as it is.',
] as const

export const uploadRowStates = ['new', 'changed', 'same', 'wrong'] as const
const uploadState = z.enum(uploadRowStates)
export type UploadRowState = z.infer<typeof uploadState>

const cells = z.record(z.string(), z.string())

const uploadRow = z.strictObject({
  /** As a spreadsheet numbers it. */
  row: z.int(),
  state: uploadState,
  /** Column to what stood in it; dates and times that could be read, as they were read. */
  cells,
  /** Column to what is wrong with it; none of a row that is good. */
  problems: cells,
  /** Column to what is worth knowing: what it was before, which other row says the same. */
  remarks: cells,
})
export type UploadRow = z.infer<typeof uploadRow>

const shiftUploadReply = z.strictObject({
  saved: z.boolean(),
  /** Names what would be saved; to be sent with the request that saves. */
  digest: z.string(),
  counts: z.strictObject({ new: z.int(), changed: z.int(), same: z.int(), wrong: z.int() }),
  /** Titles of columns that are not known, and were not read. */
  ignored: z.array(z.string()),
  rows: z.array(uploadRow),
})
export type ShiftUploadResult = z.infer<typeof shiftUploadReply>

const plan = { module: ['schedule', 'clients'], needs: 'edit', reach: 'all' } as const

export const shiftUpload = {
  upload: endpoint({
    method: 'POST',
    path: 'program-schedule/upload',
    access: plan,
    summary:
      'Checks every row of a CSV or XLSX file of shifts. With `save` and the digest of the check it saves the good rows, all of them or none.',
    body: z
      .strictObject({ save: z.boolean('Must be true or false.'), digest: z.string().max(100).optional() })
      .refine(({ save, digest }) => !save || digest !== undefined, {
        path: ['digest'],
        error: 'Check the file first.',
      }),
    files: { file: TABLE_FILE },
    reply: one(shiftUploadReply),
  }),
  template: endpoint({
    method: 'GET',
    path: 'program-schedule/upload-template',
    access: { ...plan, module: [...plan.module, 'dailySchedule'] },
    summary: 'A file with the columns of an upload, two examples and the rules by which it is read.',
    added: true,
    query: z.strictObject({ format: exportFormat }),
    reply: z.unknown(),
  }),
}
