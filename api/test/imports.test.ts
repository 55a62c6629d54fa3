import {
  importDescriptions,
  importKinds,
  type ImportKindName,
  imports,
  type ModuleKey,
  type Role,
} from '@roadshow/contract'
import { openWorld, type World } from '@roadshow/test-kit/world'
import { describe, expect, test } from 'vitest'
import { excelFile } from '../src/planning/shifts/upload/test-schedule.ts'
import { csvOf, importCalls } from '../src/platform/imports/test-import.ts'

// Each kind as companies have it in spreadsheets, imported one after the other; then out, and into another installation.

interface Example {
  file: string | Uint8Array
  counts: { new?: number; changed?: number; same?: number; wrong?: number }
  records: { new: number; changed: number }
  /** Problems of the rows, by their numbers. */
  problems?: Record<number, Record<string, string>>
}

const letters = 'ABCDEFGHIJKLMNOP'
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A workbook of lines: numbers as numbers, `@46000` as a date of Excel, null for a cell that is not there. */
const workbookOf = (lines: readonly (string | number | null)[][]) =>
  excelFile(
    lines
      .map((cells, at) => {
        const xml = cells.map((cell, index) => {
          const place = `${letters[index]}${at + 1}`
          if (cell === null || cell === '') return ''
          if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`
          if (cell.startsWith('@')) return `<c r="${place}" s="1"><v>${cell.slice(1)}</v></c>`
          return `<c r="${place}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`
        })
        return `<row r="${at + 1}">${xml.join('')}</row>`
      })
      .join(''),
  )

// Excel counts days from the end of 1899.
const serial = (day: string) => `@${Date.parse(`${day}T00:00:00Z`) / 86_400_000 + 25_569}`

async function examples(): Promise<Record<ImportKindName, Example>> {
  return {
    markets: {
      file: csvOf(
        ['Where we drive', '', ''],
        [],
        ['Market', 'ZIP code', 'Time zone'],
        ['Houston, TX', '77002', ''],
        ['Portland, OR', '97201', 'Pacific'],
        [],
        ['Portland, ME', '4101', 'Eastern'],
        ['Atlantis', '00000', ''],
      ),
      counts: { new: 3, wrong: 1 },
      records: { new: 3, changed: 0 },
      problems: { 8: { zip: 'The ZIP code is not known. Give latitude and longitude.' } },
    },
    clients: {
      // Excel's "Unicode text": UTF-16 with tabs.
      file: Buffer.concat([
        Buffer.from([0xff, 0xfe]),
        Buffer.from(
          [
            'Customer\tContact\tE-mail\tPhone\tNotes',
            'Acme Foods\tKim “K.” Park\tKIM@acme.example\t(713) 555-0170 ext. 12\tPays late',
            'ACME FOODS\tLee Moss\tlee@acme.example\t713.555.0171\t',
            'Café Niño\t\t\t+1 713 555 0172\t',
            'Bolt\tSam\tsam at bolt\t\t',
            'Bolt\tPat\t\tcall me\t',
          ].join('\r\n'),
          'utf16le',
        ),
      ]),
      counts: { new: 3, wrong: 2 },
      records: { new: 2, changed: 0 },
      problems: {
        5: { contactEmail: 'Not a valid email address.' },
        6: { name: 'Belongs to row 5 with errors.' },
      },
    },
    users: {
      // As an older Windows program writes it.
      file: Buffer.from(
        csvOf(
          ['Driver roster', '', '', '', ''],
          ['Employee name', 'E-mail', 'Cell phone', 'Position', 'Employee no'],
          ['Dana Reed', 'Dana.Reed@Example.com', '(713) 555-0142', 'driver', '1042'],
          ['Jos\u00e9 Ni\u00f1o', 'jose@example.com', '713.555.0143', '', '1043'],
          ['Dana Reed', 'dana2@example.com', '+1 713 555 0144', 'Driver', ''],
          [],
          ['Office, Kim', 'kim@example.com', '', 'office', ''],
          ['Sam', 'sam at example', '', 'pilot', ''],
          ['', 'noname@example.com', '', '', ''],
          ['Twice', 'twice@example.com', '', '', '1042'],
        ),
        'latin1',
      ),
      counts: { new: 4, wrong: 3 },
      records: { new: 4, changed: 0 },
      problems: {
        8: { email: 'Not a valid email address.', role: 'Must be Admin, Driver, Sales or Client.' },
        9: { name: 'Required.' },
        10: { payrollId: 'Also in row 3.' },
      },
    },
    'pay-rates': {
      file: await workbookOf([
        ['Pay 2026', null, null, null, null],
        [],
        ['Driver', 'Effective', 'Half day', '8 hours', '12 hours'],
        ['dana.reed@example.com', serial('2026-01-01'), 95, 180.5, '$1,260.00'],
        ['José Niño', '1/1/26', '$ 90.00', '175', '250 USD'],
        ['Dana Reed', '1/1/2026', '90', '175', '250'],
        ['Nobody', '1/1/2026', '90', '175', '250'],
        ['José Niño', 'soon', '-90', 'many', ''],
      ]),
      counts: { new: 0, changed: 1, wrong: 4 },
      records: { new: 0, changed: 1 },
      problems: {
        5: { name: 'Belongs to row 8 with errors.' },
        6: { name: '2 users are named Dana Reed. Use the email address instead.' },
        7: { name: 'User Nobody not found.' },
        8: {
          validFrom: 'Must be a date such as 7/4/2026 (month/day/year) or 2026-07-04.',
          halfDay: 'Must not be negative.',
          eightHours: 'Must be an amount such as $1,250.00 or 1250.',
          twelveHours: 'Required.',
        },
      },
    },
    trucks: {
      file: await workbookOf([
        ['Fleet list 2026', null, null, null, null],
        [null, null, 'as of', serial('2026-11-18'), null],
        [],
        ['Truck #', 'License plate', 'Type', 'City', 'Year', 'Telematics', 'IMEI'],
        [101, 'hdk 2291', 'LED', 'Houston', 2019, 'yard', 861234567890123],
        [],
        ['T-102', 'HDK 2292', 'static', 'Portland, ME', 2020, null, 'Samsara: 281; Yard: 9'],
        ['T-103', 'HDK 2292', 'LED', 'houston tx', 2020, null, null],
        ['T-104', '', 'LED', 'Portland', 2021, null, null],
        ['T-102', 'HDK 2292', 'static', 'Portland, ME', 2020, null, 'Samsara: 281; Yard: 9'],
      ]),
      counts: { new: 2, same: 1, wrong: 2 },
      records: { new: 2, changed: 0 },
      problems: {
        8: { plate: 'Also in row 7.' },
        9: { homeMarket: 'Several markets have this name. Enter one of: Portland, ME; Portland, OR.' },
      },
    },
    programs: {
      file: await workbookOf([
        ['Campaigns, sold', null, null, null, null, null, null, null, null],
        ['Customer', 'Campaign', 'Start date', 'End date', 'City', 'Unit', 'Qty', 'Rate', 'Status'],
        [
          'Acme Foods',
          'Summer Sale',
          serial('2026-06-01'),
          'Aug 31, 2026',
          'Houston',
          'truck days',
          60,
          '$54,000.00',
          'Active',
        ],
        ['Acme Foods', 'Summer Sale', null, null, 'Portland, ME', 'Plays', '20,000', '1,200.50', null],
        ['café niño', 'Taco "Tuesday"', '6/1/26', '8/31/26', 'Houston', null, null, null, 'active'],
        ['Acme Foods', 'Backwards', '8/31/26', '6/1/26', 'Houston', null, null, null, null],
        ['Nobody Inc', 'Lost', '6/1/26', '8/31/26', 'Atlantis', 'Smiles', 'lots', 'free', null],
        ['Acme Foods', 'Half', '6/1/26', '8/31/26', 'Houston', 'hours', null, null, null],
      ]),
      counts: { new: 3, wrong: 3 },
      records: { new: 2, changed: 0 },
    },
    'sd-addresses': {
      file: csvOf(
        ['Stores for the summer', '', '', '', '', '', ''],
        ['Campaign', 'List', 'Store name', 'Street', 'City', 'ST', 'Zip', 'Lat', 'Long', 'Radius'],
        ['Summer Sale', 'Stores', 'Store 12', '500 Main St', 'Houston', 'TX', '77002', '', '', '2'],
        ['Summer Sale', 'Stores', 'Stadium gate', '', '', '', '', '29.6847', '-95.4107', '0.5 mi'],
        ['Summer Sale', 'Others', 'Nowhere', 'Main St', '', '', '', '', '', ''],
        ['Winter', 'Stores', 'Store 1', '', '', '', '77002', '', '', ''],
      ),
      counts: { new: 2, wrong: 2 },
      records: { new: 1, changed: 0 },
      problems: {
        5: { address: 'Give latitude and longitude, or an address with its ZIP code.' },
        6: { program: 'Program Winter not found.' },
      },
    },
    shifts: {
      file: csvOf(
        ['Week 27', '', '', '', '', '', ''],
        ['Day', 'From', 'To', 'Truck', 'Driver', 'Campaign', 'City', 'Stops'],
        [
          '7/4/2026',
          '8am',
          '4:00 PM',
          '101',
          'dana.reed@example.com',
          'Summer Sale',
          'Houston',
          'Stadium, 12–2 PM (29.6847 -95.4107, 1300 ft, at least 30 min: North gate); "Joe\'s (Diner)", 2:30-3:30pm (29.7 -95.4)',
        ],
        ['Jul 5, 2026', '20:00', '04:00', 'T-102', 'José Niño', 'Summer Sale', 'Portland, ME'],
        [],
        ['7/6/2026', '8am', '4 PM', '101', 'Dana Reed', 'Summer Sale', 'Houston'],
        ['7/6/2026', '8am', '4 PM', 'T-9', 'José Niño', 'Summer Sale', 'Houston'],
      ),
      counts: { new: 2, wrong: 2 },
      records: { new: 2, changed: 0 },
      problems: {
        6: { driver: '2 users are named Dana Reed. Use the email address instead.' },
        7: { truck: 'Truck T-9 not found.' },
      },
    },
  }
}

// Each needs those before it.
const ORDER = ['markets', 'clients', 'users', 'pay-rates', 'trucks', 'programs', 'sd-addresses', 'shifts'] as const

const world = await openWorld()
const other = await openWorld()
const given = await examples()
const OWN_CLIENT = 'The client'
// Trucks name the sources of their positions.
for (const { db } of [world, other]) {
  for (const [name, kind] of [
    ['Yard', 'traccar'],
    ['Samsara', 'samsara'],
  ] as const)
    await db.insertInto('position_source').values({ name, kind }).execute()
}
// Users of role client belong to a client; those of the test have none yet.
for (const { db, people, addClient } of [world, other]) {
  const { uid } = await addClient(OWN_CLIENT)
  await db.updateTable('user_account').set({ client_uid: uid }).where('uid', '=', people.client.uid).execute()
}
const undoUids = new Map<ImportKindName, string | null>()

describe('sheets as companies have them', () => {
  test.each(ORDER)('%s are read below titles, checked cell by cell, and saved', async (kind) => {
    const { check, save } = importCalls(world, kind)
    const { file, counts, records, problems = {} } = given[kind]
    const { status, body } = await check(file)
    expect([status, body.data.problem]).toEqual([200, null])
    const wrong = body.data.rows.filter((row) => row.state === 'wrong')
    expect({ counts: body.data.counts, records: body.data.records, wrong: wrong.map((row) => row.problems) }).toEqual({
      counts: { new: 0, changed: 0, same: 0, wrong: 0, ...counts },
      records,
      wrong: expect.any(Array),
    })
    for (const [row, expected] of Object.entries(problems))
      expect([row, wrong.find((each) => each.row === Number(row))?.problems]).toEqual([row, expected])
    for (const { problems: all } of wrong)
      for (const text of Object.values(all)) expect(text).toMatch(/^[A-Z0-9].*[.]$/s)
    const saved = await save(file, body.data.digest)
    expect([saved.status, saved.body.data.saved]).toEqual([200, true])
    undoUids.set(kind, saved.body.data.undoUid)
  })
})

const ownEmails = (some: World) => Object.values(some.people).map(({ email }) => email)

/** The lines of an export of the test's own people are of no other installation. */
const withoutOwn = (lines: string[][], some: World) =>
  lines.filter((cells) => !cells.some((cell) => ownEmails(some).includes(cell)))

const download = async ({ app, people }: World, path: string, kind: ImportKindName, format: 'csv' | 'xlsx') =>
  app.inject({
    url: `/api/v1/${path}?kind=${kind}&format=${format}`,
    headers: { authorization: `Bearer ${people.admin.token}` },
  })

describe('what was exported', () => {
  test.each(ORDER)('%s change nothing when they are imported again, as CSV and as XLSX', async (kind) => {
    const { check } = importCalls(world, kind)
    for (const format of ['csv', 'xlsx'] as const) {
      const { statusCode, rawPayload } = await download(world, imports.records.path, kind, format)
      const { data } = (await check(rawPayload)).body
      const unread = data.headings.filter(({ column, isLeftOut }) => column === null && !isLeftOut)
      const others = data.rows.filter(({ state }) => state !== 'same')
      expect([statusCode, data.problem, unread, others]).toEqual([200, null, [], []])
      expect(data.counts.same).toBeGreaterThan(0)
    }
  })

  test.each(ORDER)('%s are the same records in another installation, and the same export again', async (kind) => {
    const here = importCalls(world, kind)
    const there = importCalls(other, kind)
    const file =
      kind === 'users' ? (await download(world, imports.records.path, kind, 'xlsx')).rawPayload : await here.exported()
    const { data } = (await there.both(file)).body
    expect([data.saved, data.counts.wrong]).toEqual([true, 0])
    const { leftOut } = importDescriptions[kind]
    const [one, two] = [await here.exportedWithout(...leftOut), await there.exportedWithout(...leftOut)]
    const sorted = (lines: string[][], some: World) =>
      withoutOwn(withoutOwn(lines, some), world)
        .map((line) => line.join('\t'))
        .toSorted()
    expect(sorted(two, other)).toEqual(sorted(one, other))
    expect(two.length).toBeGreaterThan(1)
  })
})

describe('templates', () => {
  test.each(importKinds)('of %s name every column, show examples, and are read as they are', async (kind) => {
    for (const format of ['csv', 'xlsx'] as const) {
      const { statusCode, rawPayload } = await download(world, imports.template.path, kind, format)
      const { data } = (await importCalls(world, kind).check(rawPayload)).body
      expect([statusCode, data.problem]).toEqual([200, null])
      expect(data.headings.map(({ column }) => column)).toEqual(Object.keys(importDescriptions[kind].columns))
      expect(data.rows).toHaveLength(importDescriptions[kind].examples.length)
    }
  })
})

describe('who imports', () => {
  const NO_ONE = { admin: 403, sales: 403, driver: 403, client: 403 }
  const allowed: Record<ImportKindName, { module: ModuleKey; roles: Partial<Record<Role, number>> }> = {
    trucks: { module: 'trucks', roles: { admin: 200 } },
    users: { module: 'users', roles: { admin: 200 } },
    'pay-rates': { module: 'users', roles: { admin: 200 } },
    clients: { module: 'clients', roles: { admin: 200, sales: 200 } },
    markets: { module: 'clients', roles: { admin: 200, sales: 200 } },
    programs: { module: 'clients', roles: { admin: 200, sales: 200 } },
    'sd-addresses': { module: 'clients', roles: { admin: 200, sales: 200 } },
    shifts: { module: 'schedule', roles: { admin: 200, sales: 200 } },
  }
  const statusOf = async (kind: ImportKindName, token: string) => {
    const { check } = importCalls(world, kind)
    const status = [(await check(given[kind].file, { token })).status]
    const records = await world.app.inject({
      url: `/api/v1/${imports.records.path}?kind=${kind}&format=csv`,
      headers: { authorization: `Bearer ${token}` },
    })
    return [...status, records.statusCode]
  }

  test.each(importKinds)('%s: by role with every module, and without the one', async (kind) => {
    const { module, roles } = allowed[kind]
    const everything: ModuleKey[] = ['overview', 'clients', 'schedule', 'trucks', 'users', 'pop']
    for (const role of ['admin', 'sales', 'driver', 'client'] as const) {
      const { token } = await world.addUser(role, everything)
      const expected = { ...NO_ONE, ...roles }[role]
      expect([role, ...(await statusOf(kind, token))]).toEqual([role, expected, expected])
      if (role === 'admin') continue
      const without = await world.addUser(role, ['overview', 'pop'])
      expect([role, module, ...(await statusOf(kind, without.token))]).toEqual([role, module, 403, 403])
    }
    const key = await world.addKey({ access: 'write' } as never)
    expect((await importCalls(world, kind).check(given[kind].file, { token: key.token })).status).toBe(403)
  })
})

describe('undoing', () => {
  test('what others stand on is refused with its name', async () => {
    const refusals: Partial<Record<ImportKindName, string>> = {}
    for (const kind of ['markets', 'clients', 'users', 'trucks', 'programs'] as const) {
      const { error } = await importCalls(world, kind).undo(undoUids.get(kind) ?? null)
      refusals[kind] = error.error
    }
    expect(refusals).toEqual({
      markets: "This can't be undone. Houston and Portland have trucks by now.",
      clients: "This can't be undone. Acme Foods and Café Niño have programs by now.",
      // Pay rates belong to users: they go first.
      users:
        "This can't be undone before a later import, pay-rates.csv (Pay rates), which changed Dana Reed. Undo that one first.",
      trucks: "This can't be undone. 101 and T-102 have shifts by now.",
      programs: "This can't be undone. Summer Sale has shifts by now.",
    })
  })

  test('backwards takes everything back', async () => {
    const users = importCalls(world, 'users')
    const emailsOf = async () => (await users.exported()).match(/[\w.]+@example\.com/g)
    expect(await emailsOf()).toContain('dana.reed@example.com')
    for (const kind of ORDER.toReversed()) {
      const { status, error } = await importCalls(world, kind).undo(undoUids.get(kind) ?? null)
      expect([kind, status, error.error]).toEqual([kind, 200, undefined])
      expect([kind, (await importCalls(world, kind).undo(undoUids.get(kind) ?? null)).status]).toEqual([kind, 409])
    }
    for (const kind of ['markets', 'clients', 'trucks', 'programs', 'sd-addresses', 'shifts'] as const) {
      const [, ...lines] = await importCalls(world, kind).exportedWithout()
      expect([kind, lines.filter(([name]) => name !== OWN_CLIENT)]).toEqual([kind, []])
    }
    expect(await emailsOf()).not.toEqual(expect.arrayContaining([expect.stringMatching(/dana|jose|kim/)]))
  })

  test.each(ORDER)('leaves nothing behind: %s are imported again as the first time', async (kind) => {
    const { file, counts, records } = given[kind]
    const { status, body } = await importCalls(world, kind).both(file)
    expect([status, body.data.saved]).toEqual([200, true])
    expect({ counts: body.data.counts, records: body.data.records }).toEqual({
      counts: { new: 0, changed: 0, same: 0, wrong: 0, ...counts },
      records,
    })
  })
})

const cellOf = (place: string) => `<c r="${place}" t="inlineStr"><is><t>Name</t></is></c>`
const hostile: [string, () => Promise<string | Uint8Array>, number[]][] = [
  ['a zip bomb', async () => excelFile(`<row r="1">${cellOf('A1')}</row>${' '.repeat(120 * 1024 * 1024)}`), [413]],
  ['10 MB of commas', async () => `Name\n${','.repeat(10 * 1024 * 1024 - 10)}`, [413]],
  ['10 MB of empty lines', async () => `Name\n${'\n'.repeat(10 * 1024 * 1024 - 10)}`, [413]],
  ['10 MB in quotes', async () => `Name\n"${'""'.repeat(5 * 1024 * 1024 - 10)}`, [413, 422]],
  ['deep XML', async () => excelFile(`${'<row r="1">'.repeat(200_000)}${'</row>'.repeat(200_000)}`), [400, 413, 422]],
  ['20,001 rows', async () => `Name\n${'x\n'.repeat(20_001)}`, [413]],
  ['a PDF', async () => '%PDF-1.7\nName\n%%EOF', [422]],
]

describe('hostile files', () => {
  test.each(hostile)(
    '%s is refused with a sentence, and soon',
    async (_name, make, statuses) => {
      const file = await make()
      const began = performance.now()
      const { status, error } = await importCalls(world, 'trucks').check(file)
      expect([statuses.includes(status), status]).toEqual([true, status])
      expect(error.error).toMatch(/^[A-Z].*[.]$/)
      expect(performance.now() - began).toBeLessThan(30_000)
    },
    120_000,
  )

  test('formulas are never taken for what they show', async () => {
    const { data } = (
      await importCalls(world, 'clients').check('Client,Notes\n=1+1,x\nAcme,"=HYPERLINK(""http://x"")"\n@SUM(A1),y')
    ).body
    const sentence = 'This is a formula. Copy the cell and paste it as a value.'
    expect(data.rows.map(({ problems }) => problems)).toEqual([{ name: sentence }, { note: sentence }, {}])
  })
})
