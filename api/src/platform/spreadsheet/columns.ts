import { DAY_MS, METERS_PER_FOOT, toMiles } from '@roadshow/contract'
import { formatLocalTime } from './local-time.ts'

export type Cell = string | number | null

/** How the values of a column are stored in a file and shown by a spreadsheet. */
export type ColumnKind = 'count' | 'money' | 'miles' | 'feet' | 'hours' | 'day' | 'clock' | 'time' | 'localTime'

/** The file that a cell is written into. */
export interface SheetFileFacts {
  /** The zone of the file's times; the zone of a row goes before it. */
  zone: string
  /** The day on which the file is written, in that zone. */
  today: string
  isWorkbook: boolean
}

type CellValue<Row> = (row: Row, file: SheetFileFacts) => Cell

export interface TypedColumn<Row> {
  kind: ColumnKind
  value: CellValue<Row>
  /** The zone of a row's times, where it is not the zone of the whole file. */
  zone?: (row: Row) => string
}

/** A column of a file: text and plain numbers, or values of a kind. */
export type SheetColumn<Row> = CellValue<Row> | TypedColumn<Row>

/** A number of things. */
export const countColumn = <Row>(value: CellValue<Row>): TypedColumn<Row> => ({ kind: 'count', value })
/** An amount in cents, written in dollars. */
export const moneyColumn = <Row>(cents: CellValue<Row>): TypedColumn<Row> => ({ kind: 'money', value: cents })
/** A distance in meters, written in miles. */
export const milesColumn = <Row>(meters: CellValue<Row>): TypedColumn<Row> => ({ kind: 'miles', value: meters })
/** A short distance in meters, written in feet. */
export const feetColumn = <Row>(meters: CellValue<Row>): TypedColumn<Row> => ({ kind: 'feet', value: meters })
/** A duration in minutes, written in hours. */
export const hoursColumn = <Row>(minutes: CellValue<Row>): TypedColumn<Row> => ({ kind: 'hours', value: minutes })
/** A calendar day: `2026-07-01`. */
export const dayColumn = <Row>(day: CellValue<Row>): TypedColumn<Row> => ({ kind: 'day', value: day })
/** A time of day: `20:00`. */
export const clockColumn = <Row>(clock: CellValue<Row>): TypedColumn<Row> => ({ kind: 'clock', value: clock })
/** An instant, written as the clocks of the row's zone show it, or those of the zone that the file names. */
export const timeColumn = <Row>(
  instant: (row: Row) => string | null,
  zone?: (row: Row) => string,
): TypedColumn<Row> => ({ kind: 'time', value: instant, ...(zone && { zone }) })
/** A time that is already local: `2026-07-01 20:00:00`. */
export const localTimeColumn = <Row>(local: CellValue<Row>): TypedColumn<Row> => ({
  kind: 'localTime',
  value: local,
})

// Spreadsheets count days from the end of 1899.
const DAYS_TO_1970 = 25_569

/** A local day or time as the number that a spreadsheet stores. */
const serialOf = (local: string): number => Date.parse(`${local.replace(' ', 'T')}Z`) / DAY_MS + DAYS_TO_1970
const clockShare = (clock: string): number => Date.parse(`1970-01-01T${clock.slice(0, 5)}:00Z`) / DAY_MS

const rounded = (value: number) => Math.round(value * 100) / 100

interface Kind {
  /** The number format of a spreadsheet. */
  format: string
  /** In characters. */
  width: number
  /** The value in a CSV file, which is what people read. */
  text: (value: string | number, zone: string) => Cell
  /** The value in a workbook, where it is not the same. */
  stored?: (text: string) => number
}

const asNumber = (convert: (value: number) => number) => (value: string | number) => convert(Number(value))
const asText = (value: string | number) => String(value)
const LOCAL_TIME = { format: String.raw`yyyy\-mm\-dd\ hh:mm:ss`, width: 20, stored: serialOf }

const kinds: Record<ColumnKind, Kind> = {
  count: { format: '#,##0', width: 10, text: asNumber((count) => count) },
  money: { format: '"$"#,##0.00', width: 13, text: asNumber((cents) => cents / 100) },
  miles: { format: '#,##0.00', width: 11, text: asNumber((meters) => rounded(toMiles(meters))) },
  feet: { format: '#,##0', width: 11, text: asNumber((meters) => Math.round(meters / METERS_PER_FOOT)) },
  hours: { format: '#,##0.00', width: 10, text: asNumber((minutes) => rounded(minutes / 60)) },
  day: {
    format: String.raw`yyyy\-mm\-dd`,
    width: 12,
    text: asText,
    stored: (day) => serialOf(`${day} 00:00:00`),
  },
  clock: { format: 'hh:mm', width: 8, text: asText, stored: clockShare },
  time: { ...LOCAL_TIME, text: (instant, zone) => formatLocalTime(instant, zone) },
  localTime: { ...LOCAL_TIME, text: asText },
}

/** The kinds in the order of their styles in a workbook. */
export const columnKinds = Object.keys(kinds) as ColumnKind[]
export const formatOfKind = (kind: ColumnKind): string => kinds[kind].format
export const widthOfKind = (kind: ColumnKind): number => kinds[kind].width
export const kindOfColumn = <Row>(column: SheetColumn<Row>): ColumnKind | undefined =>
  typeof column === 'function' ? undefined : column.kind

/** Text that a spreadsheet would run as a formula gets a quote in front; numbers stay numbers. */
export const plainCell = (cell: Cell): Cell =>
  typeof cell === 'string' && /^[=+\-@\t\r\0]/.test(cell) ? `'${cell}` : cell

/** The cell of a row: in a CSV file as people read it, in a workbook as the number that its format shows. */
export function cellOf<Row>(column: SheetColumn<Row>, row: Row, file: SheetFileFacts): Cell {
  if (typeof column === 'function') return plainCell(column(row, file))
  const value = column.value(row, file)
  if (value === null || value === '') return null
  const { text, stored } = kinds[column.kind]
  const shown = text(value, column.zone?.(row) ?? file.zone)
  return file.isWorkbook && stored && shown !== null ? stored(String(shown)) : shown
}

/** The same columns for rows that hold the columns' own rows. */
export const columnsWithin = <Outer, Row>(
  columns: Readonly<Record<string, SheetColumn<Row>>>,
  rowOf: (outer: Outer) => Row,
): Record<string, SheetColumn<Outer>> =>
  Object.fromEntries(
    Object.entries(columns).map(([title, column]): [string, SheetColumn<Outer>] => {
      if (typeof column === 'function') return [title, (outer, file) => column(rowOf(outer), file)]
      const { kind, value, zone } = column
      return [
        title,
        {
          kind,
          value: (outer, file) => value(rowOf(outer), file),
          ...(zone && { zone: (outer) => zone(rowOf(outer)) }),
        },
      ]
    }),
  )
