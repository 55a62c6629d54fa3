import { buffer } from 'node:stream/consumers'
import { addresses } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { type Cell, writeXlsx } from '../../platform/spreadsheet/xlsx.ts'
import { openWorld } from '@roadshow/test-kit/world'

const { addProgram, call, db } = await openWorld()
const { uid: programUid } = await addProgram()
await db.insertInto('artwork_set').values({ program_uid: programUid, name: 'Red Door' }).execute()

const check = (content: string | Uint8Array, type = 'text/csv', name = 'shops.csv') =>
  call(addresses.checkImport, {
    body: { programUid },
    files: { file: [new File([content as BlobPart], name, { type })] },
  })

async function workbook(rows: Cell[][]): Promise<Buffer> {
  async function* each() {
    yield* rows
  }
  return buffer(writeXlsx('shops', each(), () => []))
}

const problemsOf = async (csv: string) => (await check(csv)).body.data.map(({ problems }) => problems)

describe('a file of addresses', () => {
  test('is read row by row', async () => {
    const { status, body } = await check(
      'Store Name,Street Address,City,ST,Zip Code,LAT,Lng,Radius (mi),Artwork set,Phone\r\n' +
        'Galleria,5085 Westheimer Rd,Houston,TX,77056,29.7375,-95.4613,2.5,red door,555\r\n' +
        '"Downtown, East",100 Main St,Boston,MA,2134,,,800 m,,\r\n',
    )
    expect(status).toBe(200)
    const [first, second] = body.data
    expect(first).toMatchObject({
      row: 2,
      problems: {},
      value: {
        label: 'Galleria',
        address: '5085 Westheimer Rd, Houston, TX 77056',
        latitude: 29.7375,
        longitude: -95.4613,
        radiusM: 4023,
        locatedBy: 'given',
        artworkSetUid: expect.any(String),
      },
    })
    expect(second).toMatchObject({
      row: 3,
      value: {
        label: 'Downtown, East',
        address: '100 Main St, Boston, MA 02134',
        radiusM: 800,
        locatedBy: 'zip',
        artworkSetUid: null,
      },
    })
    expect(second?.value?.latitude).toBeCloseTo(42.36, 1)
  })

  test('says in which cell what is wrong', async () => {
    const csv = [
      'label;address;latitude;longitude;radius;artwork',
      ';x;30;-97;1;',
      'A;x;91;-97;1;',
      'B;x;30;;1;',
      'C;x;thirty;-97;1;',
      'D;nowhere at all;;;1;',
      'E;x 99999;;;1;',
      'F;x;30;-97;wide;',
      'G;x;30;-97;900;',
      'H;x;30;-97;1;Blue',
      'a;x;30;-97;1;',
      'Z;x;0;0;1;',
    ].join('\n')
    expect(await problemsOf(csv)).toEqual([
      { label: 'Required.' },
      { latitude: 'Must be a number from -90 to 90.' },
      { longitude: 'Give both latitude and longitude, or neither.' },
      { latitude: 'Must be a number from -90 to 90.' },
      { address: 'Give latitude and longitude, or an address with its ZIP code.' },
      { address: 'The ZIP code is not known. Give latitude and longitude.' },
      { radius: 'Must be a number of miles, such as 2.5.' },
      { radius: expect.stringContaining('Must be from') },
      { artwork: 'This program has no artwork set with this name.' },
      { label: 'Row 3 has this label too.' },
      { latitude: '0, 0 is not a place in a market.' },
    ])
  })

  test('may come in any of the usual encodings and with blanks at its end', async () => {
    const csv = 'Label,Lat,Long\nCafé Niño,30,-97\n,,\n\n'
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(csv.replaceAll(',', '\t'), 'utf16le')])
    for (const content of [csv, `\ufeff${csv}`, Buffer.from(csv, 'latin1'), utf16]) {
      const { data } = (await check(content)).body
      expect(data.map(({ cells }) => cells.label)).toEqual(['Café Niño'])
    }
  })

  test('may be a workbook, and one that this program exported', async () => {
    const xlsx = await workbook([
      ['Label', 'Latitude', 'Longitude', 'ZIP'],
      ['One', 30.25, -97.75, null],
      [null, null, null, null],
      ["'=Two", null, null, 77002],
      ['# 2 rows', null, null, null],
    ])
    const { body } = await check(
      xlsx,
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'shops.xlsx',
    )
    expect(body.data.map(({ row, value }) => [row, value?.label, value?.locatedBy])).toEqual([
      [2, 'One', 'given'],
      [4, '=Two', 'zip'],
    ])
  })

  test('that is none is refused with a sentence', async () => {
    const refused = async (content: string | Uint8Array, type?: string) => {
      const { status, error } = await check(content, type)
      return [status, error.fields?.file]
    }
    const unreadable = [422, 'This file could not be read as a table. Please use a CSV or XLSX file.']
    expect(await refused('')).toEqual([400, 'The file is empty.'])
    expect(await refused('Label,Lat\n')).toEqual([400, 'The file has no rows below the header row.'])
    expect(await refused('<html><body>Hello</body></html>')).toEqual([
      400,
      expect.stringContaining('The first row must name the columns: Label'),
    ])
    expect(await refused('Label\n"open')).toEqual(unreadable)
    expect(await refused(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]))).toEqual(unreadable)
    expect(await refused(Buffer.from('PK\u0003\u0004 and rubbish'))).toEqual(unreadable)
    const cut = await workbook([['Label'], ['One']])
    expect(await refused(cut.subarray(0, cut.length / 2))).toEqual(unreadable)
    expect(await refused('Label\nx', 'image/png')).toEqual([415, expect.any(String)])
    expect(await refused(`Label\n${'x\n'.repeat(20_001)}`)).toEqual([413, expect.stringContaining('20,000 rows')])
    expect((await call(addresses.checkImport, { body: { programUid } })).error.fields).toEqual({
      file: 'Choose a file.',
    })
  })

  test('that would fill the memory once unpacked is refused before', async () => {
    const xlsx = await workbook([['Label'], ['One']])
    // The directory of the archive says how large its files are.
    const at = xlsx.indexOf('PK\u0001\u0002')
    xlsx.writeUInt32LE(2 ** 31, at + 24)
    expect((await check(xlsx)).status).toBe(413)
  })

  test('of 5,000 rows with errors in a tenth of them is checked, every bad row named, the good ones saved', async () => {
    const lines = Array.from({ length: 5_000 }, (_, n) =>
      n % 10 === 3 ? `Shop ${n},${n} Elm St,,,` : `Shop ${n},${n} Elm St,${30 + n / 10_000},-97.5,`,
    )
    const { data } = (await check(`Label,Address,Latitude,Longitude,ZIP\n${lines.join('\n')}`)).body
    const bad = data.filter(({ value }) => value === null)
    expect(data).toHaveLength(5_000)
    expect(bad.map(({ row }) => row)).toEqual(Array.from({ length: 500 }, (_, n) => n * 10 + 5))
    expect(bad.every(({ problems }) => problems.address !== undefined)).toBe(true)
    const good = data.flatMap(({ value }) => value ?? [])
    const saved = await call(addresses.create, { body: { programUid, name: 'Imported', addresses: good } })
    expect(saved.body.data.addressCount).toBe(4_500)
  })
})
