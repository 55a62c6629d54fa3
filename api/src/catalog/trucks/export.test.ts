import { trucks } from '@roadshow/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readWorkbook } from '@roadshow/test-kit/workbook'
import { openWorld } from '@roadshow/test-kit/world'
import { truckSheet } from './export.ts'

const world = await openWorld()
const { db } = world

const addMarket = async (name: string) => (await world.addMarket(name)).uid
const dallas = await addMarket('Dallas')
const texas = await addMarket('=Export, "Texas"')

const notes = ['=1+1', '+1', '-1', '@SUM(A1)', 'a,b', 'say "x"', 'two\nlines', '<b>&amp;', 'Größe 🚚', ' = ', '1-2']
for (const [n, note] of notes.entries()) {
  const body = {
    number: `E-${n + 1}`,
    kind: 'led',
    state: 'active',
    note: `${note} exported`,
    homeMarketUid: texas,
  } as const
  await world.call(trucks.create, { body })
}

const day = () => new Date().toISOString().slice(0, 10)
const titles = Object.keys(truckSheet.columns)
const at = (row: string[] | undefined, title: string) => row?.[titles.indexOf(title)]

const fetchFile = async (query: Record<string, string>) => {
  const response = await world.app.inject({
    url: '/api/v1/trucks/run',
    query,
    headers: { authorization: `Bearer ${world.people.admin.token}` },
  })
  expect(response.statusCode).toBe(200)
  return response
}

/** Rows of a CSV file as RFC 4180 writes them. */
function readCsv(file: string): string[][] {
  const text = file.replace(/^\ufeff/, '')
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') rows.push([])
    if (end === '') break
  }
  return rows.at(-1)?.join('') === '' ? rows.slice(0, -1) : rows
}

const safe = (text: string) => (/^[=+\-@]/.test(text) ? `'${text}` : text)

test('an export as CSV holds every row beyond the page, says what it is of, and runs no formula', async () => {
  const { headers, body, rawPayload } = await fetchFile({ format: 'csv', search: 'exported', pageSize: '2', page: '2' })
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(headers['content-disposition']).toBe(
    `attachment; filename="trucks_${day()}.csv"; filename*=UTF-8''trucks_${day()}.csv`,
  )
  expect([...rawPayload.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const rows = readCsv(body)
  expect(rows[0]).toEqual(titles)
  expect(rows.slice(1, -1).map((row) => [at(row, 'Number'), at(row, 'Note')])).toEqual(
    notes.map((note, n) => [`E-${n + 1}`, safe(`${note} exported`.trim())]),
  )
  expect(['Kind', 'State', 'Home market'].map((title) => at(rows[1], title))).toEqual([
    'LED screens',
    'Active',
    `'=Export, "Texas"`,
  ])
  expect(at(rows[1], 'Updated')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  expect(rows.at(-1)?.join(',')).toMatch(
    /^# 11 rows; search: exported; times in UTC; exported \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/,
  )
})

test('an export as XLSX holds the same, and a sheet about it', async () => {
  const { headers, rawPayload } = await fetchFile({ format: 'xlsx', search: 'exported', pageSize: '2' })
  expect(headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
  expect(headers['content-disposition']).toContain(`filename="trucks_${day()}.xlsx"`)
  const workbook = readWorkbook(rawPayload)
  expect(Object.keys(workbook)).toEqual(['trucks', 'about'])
  const rows = workbook['trucks'] ?? []
  expect(rows[0]).toEqual(titles)
  expect(rows.slice(1).map((row) => [at(row, 'Number'), at(row, 'Note')])).toEqual(
    notes.map((note, n) => [`E-${n + 1}`, safe(`${note} exported`.trim())]),
  )
  expect(at(rows[1], 'Home market')).toBe(`'=Export, "Texas"`)
  const about = workbook['about']?.flat() ?? []
  expect(about.slice(0, 3)).toEqual(['11 rows', 'search: exported', 'times in UTC'])
  expect(about[3]).toMatch(/^exported \d{4}-\d\d-\d\d/)
})

test('an export holds all rows of a long list, in the order of the screen', async () => {
  await sql`insert into truck (number, kind, state) select 'L-' || n, 'led', 'retired' from generate_series(1, 1203) n`.execute(
    db,
  )
  const sorted = Array.from({ length: 1203 }, (_, n) => `L-${1203 - n}`)
  const asked = { state: 'retired', sort: '-number', pageSize: '10' }
  const csv = readCsv((await fetchFile({ format: 'csv', ...asked })).body)
  expect(csv.slice(1, -1).map((row) => row[0])).toEqual(sorted)
  expect(csv.at(-1)?.join(',')).toContain('# 1203 rows; state: Retired; sorted by -number; ')
  const sheet = readWorkbook((await fetchFile({ format: 'xlsx', ...asked })).rawPayload)
  expect(sheet['trucks']?.slice(1).map((row) => row[0])).toEqual(sorted)
  expect(sheet['about']?.[0]).toEqual(['1203 rows'])
})

test('an export names its filters in words', async () => {
  const asked = `/api/v1/trucks/run?format=csv&state=active&state=inShop&kind=led&market=${dallas}&market=01900000-0000-7000-8000-000000000000`
  const { body } = await world.app.inject({
    url: asked,
    headers: { authorization: `Bearer ${world.people.admin.token}` },
  })
  const last = body.trimEnd().split('\r\n').at(-1)
  expect(last).toContain('; state: Active, In shop; kind: LED screens; home market: Dallas, unknown; times in UTC; ')
})

test('an export of nothing has its titles and says so', async () => {
  const rows = readCsv((await fetchFile({ format: 'csv', search: 'no such truck' })).body)
  expect(rows).toEqual([titles, [expect.stringMatching(/^# 0 rows; search: no such truck; /) as string]])
  expect(readWorkbook((await fetchFile({ format: 'xlsx', search: 'no such truck' })).rawPayload)['trucks']).toEqual([
    titles,
  ])
  const one = (await fetchFile({ format: 'csv', search: 'two lines exported' })).body
  expect(one).toContain('# 1 row; ')
})

test('an export says “no filters” when there are none', async () => {
  expect((await fetchFile({ format: 'csv' })).body).toMatch(/# \d+ rows; no filters; times in UTC; /)
})
