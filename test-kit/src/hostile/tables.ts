import { seeded } from '../random.ts'
import type { HostileFile } from './files.ts'
import { type ZipPart, zipOf } from './zip.ts'

type Outcome = NonNullable<HostileFile['outcome']>

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'

const TITLES = ['Date', 'Start', 'End', 'Truck', 'Driver', 'Program', 'Market']
const letterOf = (column: number) => String.fromCharCode(65 + column)
const textCell = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`
const HEADING = `<row r="1">${TITLES.map((title, n) => textCell(`${letterOf(n)}1`, title)).join('')}</row>`

interface Workbook {
  rows?: string
  sharedStrings?: string
  more?: ZipPart[]
  claimed?: number
}

/** A workbook of a schedule with these rows below its titles. */
export function workbookOf({ rows = '', sharedStrings, more = [], claimed }: Workbook): Buffer {
  const relation = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`
  const relations = [relation('r1', 'worksheet', 'worksheets/sheet1.xml'), relation('r2', 'styles', 'styles.xml')]
  if (sharedStrings) relations.push(relation('r3', 'sharedStrings', 'sharedStrings.xml'))
  const sheet = `<worksheet xmlns="${MAIN}"><sheetData>${HEADING}${rows}</sheetData></worksheet>`
  const parts: ZipPart[] = [
    {
      name: 'xl/workbook.xml',
      content: Buffer.from(
        `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Plan" sheetId="1" r:id="r1"/></sheets></workbook>`,
      ),
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: Buffer.from(`<Relationships xmlns="${PACKAGE}">${relations.join('')}</Relationships>`),
    },
    {
      name: 'xl/styles.xml',
      content: Buffer.from(`<styleSheet xmlns="${MAIN}"><cellXfs><xf/></cellXfs></styleSheet>`),
    },
    { name: 'xl/worksheets/sheet1.xml', content: Buffer.from(sheet), ...(claimed !== undefined && { claimed }) },
  ]
  if (sharedStrings) parts.push({ name: 'xl/sharedStrings.xml', content: Buffer.from(sharedStrings) })
  return zipOf([...parts, ...more])
}

let count = 0
const table = (what: string, content: Buffer, ending: 'csv' | 'xlsx', outcome?: Outcome): HostileFile => ({
  what,
  way: 'table',
  name: `table-${++count}.${ending}`,
  contentType: ending === 'csv' ? 'text/csv' : XLSX,
  content,
  ...(outcome && { outcome }),
})
const xlsx = (what: string, workbook: Workbook, outcome?: Outcome) =>
  table(`Workbook ${what}`, workbookOf(workbook), 'xlsx', outcome)
const csv = (what: string, text: string | Buffer, outcome?: Outcome) =>
  table(`CSV ${what}`, Buffer.from(text as string), 'csv', outcome)

const rowOf = (row: number) =>
  `<row r="${row}">${TITLES.map((_, n) => textCell(`${letterOf(n)}${row}`, `x${row}`)).join('')}</row>`
const rowsOf = (many: number) => Array.from({ length: many }, (_, n) => rowOf(n + 2)).join('')
const MANY_STRINGS = `<sst xmlns="${MAIN}">${'<si><t>text</t></si>'.repeat(1_500_000)}</sst>`
const ENTITIES = Array.from({ length: 9 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('')

const SPACES = ' '.repeat(120 * 1024 * 1024)

/** Workbooks that are small as files. */
const workbooks = (): HostileFile[] => [
  xlsx('of one row', { rows: rowOf(2) }, 'stored'),
  xlsx('with row 1,000,000,000', { rows: rowOf(1_000_000_000) }, 'refused'),
  xlsx('with a cell in row 1,000,000,000', { rows: '<row r="2"><c r="A1000000000"><v>1</v></c></row>' }, 'refused'),
  xlsx('with row 10^40', { rows: `<row r="1${'0'.repeat(40)}"><c r="A2"><v>1</v></c></row>` }, 'refused'),
  xlsx('with a cell in its last row', { rows: rowOf(1_048_576) }, 'refused'),
  xlsx(
    'with an empty cell in its last row',
    { rows: `${rowOf(2)}<row r="1048576"><c r="A1048576" s="0"/></row>` },
    'stored',
  ),
  xlsx(
    'with a cell in its last column',
    { rows: '<row r="2"><c r="A2"><v>1</v></c><c r="XFD2"><v>1</v></c></row>' },
    'refused',
  ),
  xlsx('with a column that no sheet has', { rows: '<row r="2"><c r="ZZZZZZ2"><v>1</v></c></row>' }, 'refused'),
  xlsx('of 30,000 rows', { rows: rowsOf(30_000) }, 'refused'),
  xlsx('of 120 MB of spaces', { rows: SPACES }, 'refused'),
  xlsx('of 120 MB that claims to have 1 kB', { rows: SPACES, claimed: 1000 }, 'refused'),
  xlsx('of 1,500,000 strings', { rows: rowOf(2), sharedStrings: MANY_STRINGS }),
  xlsx(
    'with macros',
    { rows: rowOf(2), more: [{ name: 'xl/vbaProject.bin', content: Buffer.from('Sub') }] },
    'refused',
  ),
  xlsx('of 3,000 parts', { rows: rowOf(2), more: manyParts() }, 'refused'),
  xlsx('with a text in a text', { rows: `<row r="2"><c r="A2" t="inlineStr"><is>${'<t>'.repeat(100_000)}` }, 'refused'),
  xlsx('with entities of entities', {
    rows: `<!DOCTYPE x [<!ENTITY e0 "ha">${ENTITIES}]><row r="2"><c r="A2" t="inlineStr"><is><t>&e9;</t></is></c></row>`,
  }),
  xlsx('with a style that it lacks', { rows: '<row r="2"><c r="A2" s="99"><v>1</v></c></row>' }, 'refused'),
  table('Workbook that is cut off', workbookOf({ rows: rowsOf(50) }).subarray(0, 900), 'xlsx', 'refused'),
]

const manyParts = (): ZipPart[] =>
  Array.from({ length: 3000 }, (_, n) => ({ name: `xl/part${n}.xml`, content: Buffer.from('<a/>') }))

const HEAD = TITLES.join(',')

function texts(): HostileFile[] {
  const random = seeded(11)
  const noise = Buffer.from(Array.from({ length: 200_000 }, () => random(256)))
  return [
    csv('of one row', `${HEAD}\n7/4/2026,8am,4pm,T-1,Dana,Summer,Houston`, 'stored'),
    csv('of four million cells in a row', `${HEAD}\n${','.repeat(4_000_000)}`, 'refused'),
    csv('of four million titles', 'Date,'.repeat(1_000_000), 'refused'),
    csv('of two million short rows', `${HEAD}\n${'x\n'.repeat(2_000_000)}`, 'refused'),
    csv('of five million empty lines', `${HEAD}${'\n'.repeat(5_000_000)}`, 'refused'),
    csv('with a quote that does not end', `${HEAD}\n"${'a'.repeat(5_000_000)}`, 'refused'),
    csv('of five million quotes', `${HEAD}\n${'"'.repeat(4_999_999)}`, 'refused'),
    csv('with a cell of nine million letters', `${HEAD}\n${'a'.repeat(9_000_000)},8am`, 'refused'),
    csv('of noise', noise, 'refused'),
    csv('of zeros', Buffer.alloc(1_000_000), 'refused'),
    csv('that begins as UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), noise]), 'refused'),
    csv('of nothing but a mark', '\ufeff', 'refused'),
  ]
}

export const hostileTables = (): HostileFile[] => [...workbooks(), ...texts()]
