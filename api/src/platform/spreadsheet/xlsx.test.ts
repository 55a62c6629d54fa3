import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { findOpenpyxl, readWithSheetJs, readWithOpenpyxl } from '@roadshow/test-kit/workbook-readers'
import { describe, expect, test, vi } from 'vitest'
import { type Cell, writeXlsx } from './xlsx.ts'

async function* tableOf(rows: Iterable<Cell[]>) {
  yield* rows
}

const odd = [
  'plain',
  'a & b < c > "d"',
  'two\nlines',
  ' spaces ',
  '_x0041_ stays',
  'bell\u0007 gone',
  'half \ud83d pair',
  '🚚',
]

const write = (rows: Cell[][], kinds?: Parameters<typeof writeXlsx>[3]) =>
  buffer(writeXlsx('a list/of: things that are far too many', tableOf(rows), () => ['2 rows', 'no filters'], kinds))

describe('a workbook', () => {
  test('keeps every text, number and date in every reader', async () => {
    const rows: Cell[][] = [
      ['Text', 'Day', 'Time', 'Amount', 'Miles', 'Nothing'],
      ...odd.map((text, index): Cell[] => [text, 46_204, 46_204.5, 180.5, index === 0 ? Number.NaN : 76.71, null]),
    ]
    const file = await write(rows, [undefined, 'day', 'time', 'money', 'miles'])
    const python = findOpenpyxl()
    const books = [readWithSheetJs(file), ...(python ? readWithOpenpyxl(python, [file]) : [])]
    for (const book of books) {
      expect(Object.keys(book)).toEqual(['a list of  things that are far', 'about'])
      const [sheet, about] = Object.values(book)
      // Excel reads _x005F_ as the underscore it stands for; other readers leave it.
      expect(sheet?.rows.slice(1).map(([text]) => String(text).replace('_x005F_', '_'))).toEqual([
        ...odd.slice(0, 5),
        'bell gone',
        'half  pair',
        '🚚',
      ])
      expect(sheet?.rows[2]?.slice(1, 5)).toEqual([
        expect.stringMatching(/^2026-07-01/),
        '2026-07-01 12:00:00',
        180.5,
        76.71,
      ])
      expect(sheet?.rows[1]?.[4]).toBeNull()
      expect(sheet?.formats).toEqual([
        'General',
        String.raw`yyyy\-mm\-dd`,
        String.raw`yyyy\-mm\-dd\ hh:mm:ss`,
        '"$"#,##0.00',
        '#,##0.00',
        'General',
      ])
      expect(sheet?.filtered).toBe(`A1:F${rows.length}`)
      expect([undefined, 'A2']).toContain(sheet?.frozen)
      expect(about?.rows).toEqual([['2 rows'], ['no filters']])
      expect(about?.filtered).toBeNull()
    }
  })

  test('of no rows has its heading, and opens', async () => {
    const [sheet] = Object.values(readWithSheetJs(await write([['One', 'Two']])))
    expect(sheet).toMatchObject({ rows: [['One', 'Two']], filtered: 'A1:B1' })
  })

  test('shows its first rows whole, and no text is wider than a screen', async () => {
    const rows = [
      ['Id', 'A long heading of a column', 'Note'],
      ...Array.from({ length: 300 }, (_, n) => [n, '', 'x'.repeat(n)]),
    ]
    const [sheet] = Object.values(readWithSheetJs(await write(rows)))
    expect(sheet?.widths).toEqual([8, 30, 60])
    expect(sheet?.rows).toHaveLength(301)
  })

  test('that is not read to its end stops the reading of its rows', async () => {
    const ended = vi.fn<() => void>()
    async function* endless() {
      try {
        for (let n = 0; ; n++) yield [n, randomBytes(500).toString('hex')]
      } finally {
        ended()
      }
    }
    const file = writeXlsx('endless', endless(), () => [])
    let bytes = 0
    for await (const chunk of file) {
      bytes += (chunk as Buffer).length
      if (bytes > 50_000) break
    }
    await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(1))
  })
})
