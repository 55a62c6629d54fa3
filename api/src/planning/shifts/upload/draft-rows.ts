import {
  addDays,
  formatDay,
  shiftInput,
  type PayOption,
  type PlannedStop,
  type Reading,
  type ShiftUploadColumn,
} from '@roadshow/contract'
import { findMarket } from '../../../catalog/markets/index.ts'
import { findProgram } from '../../../catalog/programs/index.ts'
import { readDate } from '../../../platform/imports/index.ts'
import { nameKey } from '../../../platform/runtime/name-key.ts'
import type { Table, TableRow } from '../../../platform/spreadsheet/table-file.ts'
import { readPayOption, readTime } from './cells.ts'
import { programMarketKey } from '../rules.ts'
import { readStops } from '../stop-cells.ts'
import { type KnownNames, programSetKey } from './known-names.ts'

export type Cells = Partial<Record<ShiftUploadColumn, string>>

/** The values of a row. Unreadable values are empty; values without a column in the file are undefined. */
interface RowValues {
  truckUid: string
  driverUid: string
  programUid: string
  marketUid: string
  date: string
  start: string
  end: string
  artworkSetUid: string | null | undefined
  addressSetUid: string | null | undefined
  payOption: PayOption | null | undefined
  note: string | undefined
  stops: PlannedStop[] | undefined
}

/** A row of the file, read without looking at other rows. */
export interface DraftRow {
  row: number
  /** Readable dates and times in our format; every other cell as it is in the file. */
  cells: Cells
  values: RowValues
  problems: Cells
}

const FORMULA = 'This is a formula. Copy the cell and paste it as a value.'

/** Cells that were read before: the rows of a schedule repeat each other's names. */
type ReadCells = Map<string, Finding<unknown>>

/** The value of a cell, or the problem with it or with another column. Undefined if another problem hides it. */
type Finding<T> = Reading<T> | { problem: string; column: ShiftUploadColumn } | undefined

/** Reads the rows of a file one by one. */
export function readDraftRows(table: Table<ShiftUploadColumn>, names: KnownNames): DraftRow[] {
  const known: ReadCells = new Map()
  const columns = new Set(table.columns)
  return table.rows.map((row) => readDraft(row, columns, names, known))
}

type Read = <T, F>(
  column: ShiftUploadColumn,
  fallback: F,
  reader: (text: string) => Finding<T>,
  within?: string,
) => T | F

function readDraft(
  { row, cells: given, formulas, beyond }: TableRow<ShiftUploadColumn>,
  columns: Set<ShiftUploadColumn>,
  names: KnownNames,
  known: ReadCells,
): DraftRow {
  const cells: Cells = { ...given }
  const problems: Cells = Object.fromEntries((formulas ?? []).map((column) => [column, FORMULA]))
  if (beyond) problems.date = `This row has more cells than the header row: ${beyond}.`

  /** Reads a cell; an empty or unreadable cell gives the fallback. */
  const read: Read = (column, fallback, reader, within = '') => {
    const text = given[column]
    if (problems[column] !== undefined || text === undefined) return fallback
    const key = `${column}\n${within}\n${text}`
    if (!known.has(key)) known.set(key, reader(text))
    const found = known.get(key) as ReturnType<typeof reader>
    if (!found) return fallback
    if ('value' in found) return found.value
    problems['column' in found ? found.column : column] = found.problem
    return fallback
  }
  const needed: Read = (column, fallback, reader, within) => {
    if (given[column] === undefined) problems[column] ??= 'Required.'
    return read(column, fallback, reader, within)
  }

  const hours = hoursOf(needed, cells, problems)
  const { client } = given
  const programUid = needed('program', '', (name) => findProgram(name, client, names.programs), client)
  /** An empty cell in a present column clears the value. */
  const readOptional = <T>(column: ShiftUploadColumn, reader: (text: string) => Finding<T>) =>
    columns.has(column) ? read(column, null, reader, programUid) : undefined
  const setNamed = (sets: Map<string, string>, noun: string) => (name: string) =>
    programUid === ''
      ? undefined
      : foundOr(sets.get(programSetKey(programUid, name)), `This program has no ${noun} named ${name}.`)
  const truckNamed = (number: string) => foundOr(names.trucks.get(nameKey(number))?.uid, `Truck ${number} not found.`)
  const values: RowValues = {
    ...hours,
    truckUid: needed('truck', '', truckNamed),
    driverUid: needed('driver', '', (name) => driverNamed(name, names)),
    programUid,
    marketUid: needed('market', '', (name) => marketNamed(name, names, programUid), programUid),
    artworkSetUid: readOptional('artworkSet', setNamed(names.artworkSets, 'artwork set')),
    addressSetUid: readOptional('addressSet', setNamed(names.addressSets, 'SD set')),
    payOption: readOptional('payOption', readPayOption),
    note: columns.has('note') ? read('note', '', readNote) : undefined,
    stops: columns.has('stops') ? read('stops', [], readStops) : undefined,
  }
  return { row, cells, values, problems }
}

/** Reads date, start and end. A cell that holds both a day and a time must agree with the others. */
function hoursOf(needed: Read, cells: Cells, problems: Cells) {
  const date = needed('date', '', readDate)
  const start = needed('start', undefined, readTime)
  const end = needed('end', undefined, readTime)
  const hours = { date, start: start?.clock ?? '', end: end?.clock ?? '' }
  for (const column of ['date', 'start', 'end'] as const) if (hours[column] !== '') cells[column] = hours[column]
  if (cells.start === cells.end && start && end) problems.end = 'Must differ from the start.'
  if (date === '' || !start || !end) return hours
  const endsOn = hours.end <= hours.start ? addDays(date, 1) : date
  const differs = (shouldBe: string) => `This cell has a different day. Expected ${formatDay(shouldBe)}.`
  if ((start.date ?? date) !== date) problems.start = differs(date)
  if ((end.date ?? endsOn) !== endsOn) problems.end = differs(endsOn)
  return hours
}

const foundOr = (uid: string | undefined, problem: string): Reading<string> =>
  uid === undefined ? { problem } : { value: uid }

function driverNamed(name: string, names: KnownNames): Reading<string> {
  const notFound = `Driver ${name} not found.`
  if (name.includes('@')) return foundOr(names.driversByEmail.get(nameKey(name))?.uid, notFound)
  const called = names.driversByName.get(nameKey(name)) ?? []
  // Active drivers come first: other users and deleted users match only if no driver has the name.
  const drivers = [
    called.filter(({ isDeleted, role }) => !isDeleted && role === 'driver'),
    called.filter(({ isDeleted }) => !isDeleted),
    called,
  ].find((some) => some.length > 0)
  if (drivers && drivers.length > 1) {
    return { problem: `${drivers.length} users are named ${name}. Use the email address instead.` }
  }
  return foundOr(drivers?.[0]?.uid, notFound)
}

const marketNamed = (name: string, names: KnownNames, programUid: string): Reading<string> =>
  findMarket(name, names.markets, (uid) => names.programMarkets.has(programMarketKey(programUid, uid)))

function readNote(text: string): Reading<string> {
  const { data, error } = shiftInput.shape.note.safeParse(text)
  return data === undefined ? { problem: error?.issues[0]?.message ?? 'This text cannot be stored.' } : { value: data }
}
