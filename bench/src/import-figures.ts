import { contract, type ImportKindName, type ImportResult } from '@roadshow/contract'
import { fillShifts } from './fill-shifts.ts'
import { median } from './load.ts'
import { type BenchFigure, times } from './report.ts'
import { bareUploads, milliseconds, MOST_TIMES, timed } from './schedule-figures.ts'
import { apiTarget, type BenchWorld } from './world.ts'

const ROWS = 10_000
const PROGRAMS = 20

/** The heading of a file, and its rows; all of them new, and each kind stands on those before it. */
const files: [kind: ImportKindName, heading: string, row: (n: number) => string][] = [
  [
    'markets',
    'Market,State,Zone,Latitude,Longitude',
    (n) => `Import ${n},TX,Central,${place(n, 26)},${place(n, -106)}`,
  ],
  ['clients', 'Client,Contact,Email', (n) => `Import ${n},Person ${n},person-${n}@import.example`],
  ['users', 'Name,Email,Role', (n) => `Import ${n},driver-${n}@import.example,driver`],
  [
    'pay-rates',
    'Email,Effective,Half day,8 hours,12 hours',
    (n) => `driver-${n}@import.example,1/1/2026,$90.00,$175.00,$250.00`,
  ],
  ['trucks', 'Truck,License Plate,Home market', (n) => `IMPORT-${n},I ${n},"Import ${n}, TX"`],
  [
    'programs',
    'Client,Program,Starts,Ends,Market,Unit,Amount,Price',
    (n) => `Import ${n},Import ${n},6/1/2031,8/31/2031,"Import ${n}, TX",truck-days,12,"$9,000.00"`,
  ],
  [
    'sd-addresses',
    'Program,Set,Label,Latitude,Longitude,Radius',
    (n) => `Import ${n % PROGRAMS},Stores,Store ${n},${place(n, 29)},${place(n, -96)},1`,
  ],
  [
    'shifts',
    'Date,Start,End,Truck,Driver,Program,Market',
    (n) => `6/15/2031,8:00 AM,4:00 PM,IMPORT-${n},driver-${n}@import.example,Import ${n},"Import ${n}, TX"`,
  ],
]

const place = (n: number, from: number) => (from + n / ROWS).toFixed(5)

/**
 * Files of 10,000 new records of each kind, checked and saved. The bar is that of an upload of as many shifts: so many times
 * what the bare INSERT of those shifts takes.
 */
export async function* measureImports(world: BenchWorld): AsyncGenerator<BenchFigure> {
  await fillShifts(world.sql)
  const bare = median(await bareUploads(world))
  for (const [kind, heading, row] of files) {
    const file = `${heading}\n${Array.from({ length: ROWS }, (_, n) => row(n)).join('\n')}\n`
    const took = await timed(() => importRecords(world, kind, file))
    const ratio = took / bare
    yield {
      name: `Import of 10,000 rows of ${kind}, checked and saved, beside a bare INSERT of 10,000 shifts`,
      ours: milliseconds(took),
      beside: milliseconds(bare),
      ratio: times(ratio),
      bar: `≤ ${times(MOST_TIMES)}`,
      met: ratio <= MOST_TIMES,
    }
  }
}

async function importRecords(world: BenchWorld, kind: ImportKindName, content: string): Promise<void> {
  const { url, headers } = apiTarget(world, contract.imports.run.path)
  const send = async (body: object): Promise<ImportResult> => {
    const form = new FormData()
    form.append('data', JSON.stringify({ kind, ...body }))
    form.append('file', new Blob([content], { type: 'text/csv' }), `${kind}.csv`)
    const answer = await fetch(url, { method: 'POST', headers, body: form })
    const { data } = (await answer.json()) as { data?: ImportResult }
    if (!data || data.counts.wrong > 0 || data.counts.new + data.counts.changed !== ROWS)
      throw new Error(`The import of ${kind} was not as expected: ${answer.status} ${JSON.stringify(data?.counts)}`)
    return data
  }
  const { digest } = await send({ save: false })
  await send({ save: true, digest })
}
