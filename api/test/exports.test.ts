import {
  API_BASE,
  auditLog,
  imports,
  type Endpoint,
  endpoints,
  exportFormat,
  shifts,
  shiftUpload,
  users,
} from '@roadshow/contract'
import {
  findOpenpyxl,
  readWithSheetJs,
  readWithOpenpyxl,
  type ReadBook,
  type ReadSheet,
} from '@roadshow/test-kit/workbook-readers'
import { openWorld } from '@roadshow/test-kit/world'
import { describe, expect, test } from 'vitest'
import { parseCsv } from '../src/platform/spreadsheet/csv.js'
import { endpointName, neededQueries, sampleBodies } from './samples.ts'

const world = await openWorld()
await sampleBodies(world)
const queryOf = await neededQueries(world)

/** Every call that gives a workbook. */
const exports = endpoints.filter(({ query }) => query?.shape['format']?.safeParse('xlsx').success)

await addDrivenShift()

/** A completed shift with miles, hours and pay, so that files have more than text to show. */
async function addDrivenShift(): Promise<void> {
  const { db, people, call } = world
  const person = (await call(users.list, { query: { role: 'driver' } })).body.data.find(
    ({ userUid }) => userUid === people.driver.uid,
  )
  if (!person) throw new Error('The driver is listed.')
  const rate = { validFrom: '2026-01-01', payHalfDay: 9000, payEightHours: 18_050, payTwelveHours: 26_000 }
  const { userUid, version, name, email, phone, role, modules } = person
  const body = { userUid, version, name, email, phone, role, modules, clientUid: null, photoFileUid: null }
  expect((await call(users.update, { body: { ...body, payRates: [rate] } })).status).toBe(200)
  const [shift] = (await call(shifts.list, { query: { from: '2026-02-01', to: '2026-02-28' } })).body.data
  if (!shift) throw new Error('The samples have a shift.')
  const times = { starts_at: shift.startsAt, ends_at: shift.endsAt }
  await db
    .updateTable('shift')
    .set({
      status: 'completed',
      local_date: '2026-02-03',
      starts_at: '2026-02-03T14:00:00Z',
      ends_at: '2026-02-03T22:00:00Z',
      started_at: '2026-02-03T14:05:00Z',
      stopped_at: '2026-02-03T22:10:30Z',
      changed_by: people.admin.uid,
    })
    .where('uid', '=', shift.uid)
    .execute()
  await db
    .insertInto('shift_track')
    .values({
      ...times,
      shift_uid: shift.uid,
      truck_uid: shift.truck.uid,
      gps_metres: 120_000,
      metres: 123_456,
      source: 'gps',
      coverage: 0.9,
      algorithm: 1,
      heard_ms: 1,
    })
    .execute()
}

const DAYS = { from: '2026-02-01', to: '2026-02-28' }

async function fetchFile(endpoint: Endpoint, format: 'csv' | 'xlsx') {
  const needed = queryOf(endpoint)
  const query = {
    ...needed,
    ...(needed['from'] !== undefined && DAYS),
    // Each export adds an entry to the audit log.
    ...(endpoint === auditLog.list && { kind: 'payPeriodMoved' }),
    ...((endpoint === imports.records || endpoint === imports.template) && { kind: 'trucks' }),
    ...(endpoint.query?.shape['driver'] && { driver: world.people.driver.uid }),
    ...(endpoint.query?.shape['timeZone'] && { timeZone: 'Asia/Tokyo' }),
    format,
  }
  const response = await world.app.inject({
    url: `${API_BASE}/${endpoint.path.replace(/\{\w+\}/g, needed['program'] ?? queryProgram())}`,
    query,
    headers: { authorization: `Bearer ${world.people.admin.token}` },
  })
  expect(`${response.statusCode} ${response.statusCode === 200 ? '' : response.body}`).toBe('200 ')
  return response
}

/** OLD calls have the program in their path. */
function queryProgram(): string {
  const [withProgram] = exports.filter((endpoint) => queryOf(endpoint)['program'])
  return withProgram ? (queryOf(withProgram)['program'] ?? '') : ''
}

interface ExportFiles {
  name: string
  csv: string[][]
  xlsx: Buffer
}

const files: ExportFiles[] = []
for (const endpoint of exports) {
  const csv = (await fetchFile(endpoint, 'csv')).body.replace(/^\ufeff/, '')
  const { rawPayload } = await fetchFile(endpoint, 'xlsx')
  files.push({ name: endpointName(endpoint), csv: parseCsv(csv, ',', 10_000) ?? [], xlsx: rawPayload })
}

const tableOf = (book: ReadBook): ReadSheet => {
  const [table] = Object.values(book)
  if (!table) throw new Error('A workbook has a sheet.')
  return table
}

const cellText = (cell: string | number | null) => (cell === null ? '' : String(cell))

/** What every workbook is expected to be: the same table as its CSV file, with a frozen heading, a filter and widths. */
function expectWorkbook(book: ReadBook, { csv }: ExportFiles): void {
  const { rows, frozen, filtered, widths } = tableOf(book)
  const table = csv.filter(([first = '', ...others]) => !first.startsWith('# ') || others.length > 0)
  const [titles = []] = table
  // openpyxl shows a day as a date and time at midnight.
  const asRead = rows.map((row) => row.map((cell) => cellText(cell).replace(/^(\d{4}-\d\d-\d\d) 00:00:00$/, '$1')))
  expect(asRead).toEqual(table.map((row) => row.map((cell) => cell.replace(/^(\d{4}-\d\d-\d\d) 00:00:00$/, '$1'))))
  expect([undefined, 'A2']).toContain(frozen)
  expect(filtered).toMatch(new RegExp(`^A1:[A-Z]+${rows.length}$`))
  expect(widths).toHaveLength(titles.length)
  for (const width of widths) expect(width).toBeGreaterThanOrEqual(8)
}

describe('every export of the product', () => {
  test('is covered here', () => {
    expect(exports.length).toBeGreaterThan(20)
    expect(exportFormat.options).toEqual(['csv', 'xlsx'])
  })

  test.each(files.map((file) => [file.name, file] as const))('%s opens in SheetJS', (_, file) => {
    expectWorkbook(readWithSheetJs(file.xlsx), file)
  })

  const python = findOpenpyxl()
  // Without the package python3-openpyxl this is shown as skipped.
  test.skipIf(python === undefined)('opens in openpyxl', () => {
    const books = readWithOpenpyxl(
      python ?? '',
      files.map(({ xlsx }) => xlsx),
    )
    for (const [index, file] of files.entries()) expectWorkbook(books[index] ?? {}, file)
  })
})

test('days and times of a workbook of shifts are read back by the upload', async () => {
  const file = files.find(({ name }) => name === endpointName(shifts.list))
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  const upload = new File([new Uint8Array(file?.xlsx ?? [])], 'schedule.xlsx', { type })
  const { body } = await world.call(shiftUpload.upload, { body: { save: false }, files: { file: [upload] } })
  expect(body.data.rows.map(({ cells: { date, start, end } }) => [date, start, end])).toContainEqual([
    '2026-02-03',
    '08:00',
    '16:00',
  ])
})
