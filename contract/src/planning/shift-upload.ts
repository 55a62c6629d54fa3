import * as z from '../platform/zod.ts'
import { exportFormat, one, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { importCounts, importDescription, importRow, TABLE_FILE } from '../platform/imports.ts'
import type { ImportColumns } from '../platform/imports.ts'

/** The accepted headers of each column of a schedule file; the template uses the first. */
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
  stops: ['Planned stops', 'Stops'],
} as const satisfies ImportColumns<string>
export type ShiftUploadColumn = keyof typeof shiftUploadColumns

/** A schedule file needs these columns. */
export const requiredUploadColumns = ['date', 'start', 'end', 'truck', 'driver', 'program', 'market'] as const

/** The rules for reading a file, shown in the template and on the screen. */
export const shiftUploadRules = [
  'Dates are month/day/year, such as 7/4/2026, or 2026-07-04. A two-digit year is 20xx.',
  'Times are 8am, 8:00 PM or, without am and pm, 24-hour times: 08:00, 0800. They are local times of the market. An end that is not after the start is on the next day.',
  'Name a driver by email address, or by full name if it is unique. A client is needed only if two clients have a program with the same name.',
  'Planned stops are written as Stadium, 5:00–7:00 PM (32.7473 -97.0945, 1300 ft, at least 30 min: North gate); several are separated by a semicolon. What follows the place may be left out.',
  'A row with the truck, date and start of a planned shift changes that shift. Values without a column in the file do not change.',
] as const

const example = { market: 'Houston, TX' }

export const shiftImport = importDescription<ShiftUploadColumn>({
  nouns: ['shift', 'shifts'],
  screen: '/schedule/program-schedule',
  columns: shiftUploadColumns,
  required: requiredUploadColumns,
  leftOut: ['Zone', 'Status', 'Reason', 'Updated'],
  rules: shiftUploadRules,
  examples: [
    {
      ...example,
      date: '7/4/2026',
      start: '8:00 AM',
      end: '4:00 PM',
      truck: 'T-101',
      driver: 'dana.reed@example.com',
      program: 'Summer Sale',
      artworkSet: 'Main',
      payOption: '8-hour day',
      note: 'Example: replace it with your own shift.',
    },
    {
      ...example,
      date: '2026-07-04',
      start: '20:00',
      end: '04:00',
      truck: 'T-102',
      driver: 'Sam Ortega',
      client: 'Acme',
      program: 'Game Night',
      addressSet: 'Stores',
      note: 'Example: it ends the next day.',
    },
  ],
})

const shiftUploadReply = z.strictObject({
  saved: z.boolean(),
  /** Identifies the shifts to save; the request that saves sends it back. */
  digest: z.string(),
  counts: importCounts,
  /** The shifts to save that are of draft or paused programs. Saving plans them on purpose. */
  inactive: z.int(),
  /** Headers of unknown columns, which were not read. */
  ignored: z.array(z.string()),
  rows: z.array(importRow),
  /** The act to undo; null if nothing was saved. */
  undoUid: uid.nullable(),
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
    summary: 'A template with the columns of an upload, two examples and the rules for reading it.',
    added: true,
    query: z.strictObject({ format: exportFormat }),
    reply: z.unknown(),
  }),
}
