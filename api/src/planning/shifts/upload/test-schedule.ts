import { buffer } from 'node:stream/consumers'
import { shiftUpload } from '@roadshow/contract'
import { ZipFile } from 'yazl'
import type { openWorld } from '@roadshow/test-kit/world'
import { addStretch } from '../out-of-service/test-stretch.ts'

type World = Awaited<ReturnType<typeof openWorld>>

/** A small business with something to plan: three trucks, drivers, two clients, programs, markets and sets. */
export async function addBusiness({ db }: World) {
  const one = async <T extends { uid: string }>(query: { executeTakeFirstOrThrow: () => Promise<T> }) =>
    (await query.executeTakeFirstOrThrow()).uid
  const market = (name: string, state: string, zone: string) =>
    one(db.insertInto('market').values({ name, state, zone }).returning('uid'))
  const houston = await market('Houston', 'TX', 'America/Chicago')
  const portland = await market('Portland', 'OR', 'America/Los_Angeles')
  await market('Portland', 'ME', 'America/New_York')
  for (const number of ['T-1', 'T-2', 'T-3']) {
    await db.insertInto('truck').values({ number, kind: 'led', state: 'active', home_market_uid: houston }).execute()
  }
  const shop = await one(
    db.insertInto('truck').values({ number: 'Shop', kind: 'led', state: 'active' }).returning('uid'),
  )
  await addStretch(db, { truckUid: shop, from: '2026-07-04', to: '2026-07-05' })
  const person = (name: string, email: string, role = 'driver', deleted_at: Date | null = null) =>
    one(db.insertInto('user_account').values({ name, email, role, modules: [], deleted_at }).returning('uid'))
  await person('Dana Reed', 'dana@example.com')
  await person('Sam Ortega', 'sam@example.com')
  await person('Alex Kim', 'alex1@example.com')
  await person('Alex Kim', 'alex2@example.com')
  await person('Pat Sales', 'pat@example.com', 'sales')
  await person('Gone Away', 'gone@example.com', 'driver', new Date())
  const acme = await one(db.insertInto('client').values({ name: 'Acme' }).returning('uid'))
  const bolt = await one(db.insertInto('client').values({ name: 'Bolt' }).returning('uid'))
  const program = async (client_uid: string, name: string, pop_url: string, markets: string[]) => {
    const dates = { starts_on: '2026-01-01', ends_on: '2026-12-31' }
    const uid = await one(
      db
        .insertInto('client_program')
        .values({ client_uid, name, status: 'active', pop_url, ...dates })
        .returning('uid'),
    )
    for (const market_uid of markets) {
      await db.insertInto('program_market').values({ program_uid: uid, market_uid }).execute()
    }
    return uid
  }
  const summer = await program(acme, 'Summer', 'summer', [houston, portland])
  await program(acme, 'Twin', 'twin-a', [houston])
  await program(bolt, 'Twin', 'twin-b', [houston])
  await db.insertInto('artwork_set').values({ program_uid: summer, name: 'Main' }).execute()
  await db.insertInto('address_set').values({ program_uid: summer, name: 'Stores' }).execute()
}

export const CSV_HEADER = 'Date,Start,End,Truck,Driver,Client,Program,Market,Artwork set,SD set,Pay option,Note'

/** A row of a file: a good one, apart from what is given. */
export function csvRow(given: Partial<Record<string, string>> = {}): string {
  const good = { Date: '7/4/2026', Start: '8am', End: '4pm', Truck: 'T-1', Driver: 'Dana Reed' }
  const cells: Partial<Record<string, string>> = { ...good, Program: 'Summer', Market: 'Houston', ...given }
  return CSV_HEADER.split(',')
    .map((title) => cells[title] ?? '')
    .join(',')
}

export const scheduleCsv = (...lines: string[]) => [CSV_HEADER, ...lines].join('\n')

/** Sends files to be checked and saved, as the admin unless a token is given. */
export function uploadCalls({ call }: World) {
  const file = (content: string | Uint8Array, name = 'shifts.csv', type = 'text/csv') => ({
    file: [new File([content as BlobPart], name, { type })],
  })
  const check = (content: string | Uint8Array, options: { name?: string; type?: string; token?: string } = {}) =>
    call(
      shiftUpload.upload,
      { body: { save: false }, files: file(content, options.name, options.type) },
      options.token === undefined ? {} : { token: options.token },
    )
  const save = (content: string | Uint8Array, digest: string) =>
    call(shiftUpload.upload, { body: { save: true, digest }, files: file(content) })
  /** Checks, then saves what was found good. */
  const both = async (content: string | Uint8Array) => save(content, (await check(content)).body.data.digest)
  return { check, save, both }
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'

/** A workbook of one sheet as Excel writes it. Style 1 is a date, style 2 a time of day. */
export async function excelFile(sheetRows: string, more: Record<string, Buffer> = {}): Promise<Buffer> {
  const zip = new ZipFile()
  const parts = {
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Plan" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="18" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${sheetRows}</sheetData></worksheet>`,
  }
  for (const [name, xml] of Object.entries(parts)) zip.addBuffer(Buffer.from(xml), name)
  for (const [name, content] of Object.entries(more)) zip.addBuffer(content, name)
  zip.end()
  return buffer(zip.outputStream)
}
