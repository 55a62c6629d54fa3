import { API_BASE, shiftUpload } from '@roadshow/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { addBusiness, scheduleCsv, excelFile, CSV_HEADER, csvRow, uploadCalls } from './test-schedule.ts'

const world = await openWorld()
await addBusiness(world)
const { check, save, both } = uploadCalls(world)
const { db } = world

beforeEach(async () => void (await db.deleteFrom('shift').execute()))

/** Status and sentence of the check; the same answers a request that saves, and nothing is saved. */
async function refusal(content: string | Uint8Array, options: Parameters<typeof check>[1] = {}) {
  const [checked, sent] = [await check(content, options), await save(content, 'any')]
  expect(sent.status).not.toBe(200)
  expect(await db.selectFrom('shift').selectAll().execute()).toEqual([])
  expect(checked.error.error).toBe(checked.error.fields?.['file'] ?? checked.error.error)
  return [checked.status, checked.error.error]
}

const XLSX = { name: 'shifts.xlsx', type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' }
const aSheet = '<row r="1"><c r="A1" t="inlineStr"><is><t>Date</t></is></c></row>'

describe('refused with a sentence, nothing saved', () => {
  test('an empty file', async () => {
    expect(await refusal('')).toEqual([400, 'The file is empty.'])
    expect(await refusal('\ufeff')).toEqual([400, expect.stringContaining('The first row must name the columns: Date')])
    expect(await refusal(`${CSV_HEADER}\n`)).toEqual([400, 'The file has no rows below the header row.'])
    expect(await refusal(`${CSV_HEADER}\n,,,\n \n`)).toEqual([400, 'The file has no rows below the header row.'])
  })

  test('other columns', async () => {
    expect(await refusal('Name,Phone\nDana,555\n')).toEqual([
      400,
      expect.stringContaining('The first row must name the columns: Date, Start'),
    ])
    expect(await refusal('Date,Start,End\n7/4/2026,8am,4pm\n')).toEqual([
      400,
      'Missing columns: Truck, Driver, Program and Market. The first row must name the columns.',
    ])
    expect(await refusal(`${CSV_HEADER},Start time\n${csvRow()},9am\n`)).toEqual([
      400,
      'More than one column has the meaning of Start time. Remove or rename one.',
    ])
    // Columns that no one needs are no reason, but are said.
    const { data } = (await check(`${CSV_HEADER},Phone\n${csvRow()},555\n`)).body
    expect([data.ignored, data.counts.new]).toEqual([['Phone'], 1])
  })

  test('100 MB, and more rows than can be looked through', async () => {
    // One that says how large it is, is not even read.
    const announced = await world.app.inject({
      method: 'POST',
      url: `${API_BASE}/${shiftUpload.upload.path}`,
      headers: {
        authorization: `Bearer ${world.people.admin.token}`,
        'content-type': 'multipart/form-data; boundary=x',
      },
      payload: Buffer.alloc(100 * 1024 * 1024, `${csvRow()}\n`),
    })
    expect([announced.statusCode, announced.json()]).toEqual([413, expect.objectContaining({ code: 'tooLarge' })])
    expect(await refusal(Buffer.alloc(12 * 1024 * 1024, `${csvRow()}\n`))).toEqual([
      413,
      expect.stringContaining('at most 10 MB'),
    ])
    expect(await refusal(scheduleCsv(...Array.from({ length: 20_001 }, () => 'x')))).toEqual([
      413,
      expect.stringContaining('20,000 rows'),
    ])
    expect(await refusal(`${CSV_HEADER}${'\n'.repeat(200_000)}${csvRow()}`)).toEqual([
      413,
      expect.stringContaining('20,000'),
    ])
  })

  test('a cell that holds a book', async () => {
    expect(await refusal(scheduleCsv(csvRow(), csvRow({ Note: 'x'.repeat(10_001) })))).toEqual([
      413,
      'A cell in row 3 has more than 10,000 characters. Please shorten it.',
    ])
  })

  test('a zip bomb as a workbook, honest or not about its size', async () => {
    const bomb = await excelFile(`${aSheet}${' '.repeat(120 * 1024 * 1024)}`)
    expect(bomb.length).toBeLessThan(1024 * 1024)
    expect(await refusal(bomb, XLSX)).toEqual([413, 'This workbook is too large. Please save it as CSV.'])

    const liar = Buffer.from(bomb)
    liar.writeUInt32LE(1000, liar.lastIndexOf('PK\u0001\u0002') + 24)
    const before = process.memoryUsage.rss()
    expect(await refusal(liar, XLSX)).toEqual([422, expect.stringContaining('could not be read as a table')])
    expect(process.memoryUsage.rss() - before).toBeLessThan(120 * 1024 * 1024)
  })

  test('a workbook whose rows and columns no sheet has, at once', async () => {
    const cell = (place: string) => `<c r="${place}"><v>1</v></c>`
    const began = performance.now()
    expect(await refusal(await excelFile(`${aSheet}<row r="1000000000">${cell('A1000000000')}</row>`), XLSX)).toEqual([
      422,
      'This workbook names row 1,000,000,000, but a sheet has at most 1,048,576 rows. Please save it again as XLSX or CSV.',
    ])
    expect(await refusal(await excelFile(`${aSheet}<row r="2">${cell('ZZZZZ2')}</row>`), XLSX)).toEqual([
      422,
      expect.stringContaining('names column 12,356,630, but a sheet has at most 16,384 columns'),
    ])
    const far = await excelFile(`${aSheet}<row r="1048576">${cell('A1048576')}</row>`)
    expect(await refusal(far, XLSX)).toEqual([413, expect.stringContaining('20,000 rows')])
    expect(await refusal(await excelFile(`${aSheet}<row r="2">${cell('XFD2')}</row>`), XLSX)).toEqual([
      413,
      expect.stringContaining('more than 1,000 columns'),
    ])
    expect(await refusal(`${CSV_HEADER}\n${','.repeat(1_000_000)}`)).toEqual([
      413,
      expect.stringContaining('more than 1,000 columns'),
    ])
    expect(performance.now() - began).toBeLessThan(15_000)
  })

  test('a workbook with macros, also under another name', async () => {
    const macros = await excelFile(aSheet, { 'xl/vbaProject.bin': Buffer.from('Sub Auto_Open()') })
    expect(await refusal(macros, XLSX)).toEqual([422, expect.stringContaining('This workbook has macros')])
    const type = 'application/vnd.ms-excel.sheet.macroEnabled.12'
    expect((await check(macros, { name: 'shifts.xlsm', type })).status).toBe(415)
  })

  test('a PDF, a picture, an old workbook, an archive or a page under the name of a table', async () => {
    const pdf = `%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n${CSV_HEADER}\n${csvRow()}\n%%EOF`
    expect(await refusal(pdf)).toEqual([422, expect.stringContaining('This is a PDF file')])
    expect(await refusal(pdf, XLSX)).toEqual([422, expect.stringContaining('This is a PDF file')])
    const xls = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)])
    expect(await refusal(xls)).toEqual([422, expect.stringContaining('the old Excel format (.xls) or has a password')])
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
    expect((await refusal(png))[0]).toBe(422)
    expect((await refusal(Buffer.from('PK\u0003\u0004 rubbish'), XLSX))[0]).toBe(422)
    expect((await refusal('<html><body>Sign in</body></html>'))[0]).toBe(400)
  })

  test('a file in two encodings', async () => {
    const two = [
      Buffer.from(scheduleCsv(csvRow({ Note: 'Café' }))),
      Buffer.from(`\n${csvRow({ Note: 'Niño' })}`, 'latin1'),
    ]
    expect(await refusal(Buffer.concat(two))).toEqual([
      422,
      expect.stringContaining('mixes UTF-8 with another encoding'),
    ])
    const marked = Buffer.concat([
      Buffer.from([0xef, 0xbb, 0xbf]),
      Buffer.from(scheduleCsv(csvRow({ Note: 'Niño' })), 'latin1'),
    ])
    expect((await refusal(marked))[0]).toBe(422)
  })

  test('a file that ends within a quoted cell', async () => {
    expect((await refusal(`${scheduleCsv(csvRow())}\n7/5/2026,8am,4pm,T-1,"Dana Re`))[0]).toBe(422)
  })
})

describe('read as far as it is sound', () => {
  test('one encoding at a time', async () => {
    const note = csvRow({ Note: 'Café “Niño” – €5' })
    const utf16 = Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from(scheduleCsv(note).replaceAll(',', '\t'), 'utf16le'),
    ])
    const windows = Buffer.from(
      scheduleCsv(csvRow({ Note: 'Caf\u00e9 \u0093Ni\u00f1o\u0094 \u0096 \u00805' })),
      'latin1',
    )
    for (const content of [scheduleCsv(note), `\ufeff${scheduleCsv(note)}`, windows, utf16]) {
      const { data } = (await check(content)).body
      expect(data.rows.map(({ state, cells }) => [state, cells['note']])).toEqual([['new', 'Café “Niño” – €5']])
    }
  })

  test('half of a row is wrong, and only that', async () => {
    const { data } = (await both(`${scheduleCsv(csvRow())}\n7/5/2026,8am,4p`)).body
    expect(data.rows.map(({ state, problems }) => [state, problems])).toEqual([
      ['new', {}],
      ['wrong', { truck: 'Required.', driver: 'Required.', program: 'Required.', market: 'Required.' }],
    ])
    const cut = (await check(`${scheduleCsv(csvRow())}\n7/5/2026,8am,16:`)).body.data.rows[1]
    expect(cut?.problems['end']).toBe('Must be a time such as 8am, 8:00 PM or 08:00.')
    expect(await db.selectFrom('shift').select('uid').execute()).toHaveLength(1)
  })

  test('a formula is never taken for what it shows', async () => {
    const sentence = 'This is a formula. Copy the cell and paste it as a value.'
    const computed = (
      await check(
        scheduleCsv(csvRow({ Note: '=HYPERLINK("http://x")'.replaceAll('"', '') }), csvRow({ Date: '=A2+1' })),
      )
    ).body.data
    expect(computed.rows.map(({ problems }) => problems)).toEqual([{ note: sentence }, { date: sentence }])

    const heads = ['Date', 'Start', 'End', 'Truck', 'Driver', 'Program', 'Market']
    const text = (place: string, said: string) => `<c r="${place}" t="inlineStr"><is><t>${said}</t></is></c>`
    const row = (number: number, cells: string[]) =>
      `<row r="${number}">${cells.map((cell, at) => (cell.startsWith('<') ? cell : text(`${'ABCDEFG'[at]}${number}`, cell))).join('')}</row>`
    const good = ['7/4/2026', '8am', '4pm', 'T-1', 'Dana Reed', 'Summer', 'Houston']
    const sheet = await excelFile(
      [
        row(1, heads),
        row(2, good),
        row(3, ['<c r="A3" s="1"><f>A2+1</f><v>46208</v></c>', ...good.slice(1)]),
        row(4, ['7/6/2026', '<c r="B4"><f t="shared" si="0"/><v>0.5</v></c>', ...good.slice(2)]),
      ].join(''),
    )
    const { rows } = (await check(sheet, XLSX)).body.data
    expect(rows.map(({ problems }) => problems)).toEqual([{}, { date: sentence }, { start: sentence }])
  })

  test('text that only looks like a formula comes back from our own files', async () => {
    const { rows } = (
      await check(scheduleCsv(csvRow({ Note: "'=not a sum" }), csvRow({ Date: '7/5/2026', Note: '- bring cones' })))
    ).body.data
    expect(rows.map(({ cells }) => cells['note'])).toEqual(['=not a sum', '- bring cones'])
  })
})
