import { addDays, shiftInput, type PayOption, type ShiftUploadColumn } from '@roadshow/contract'
import type { Table, TableRow } from '../../../platform/spreadsheet/table-file.ts'
import { readDate, readPayOption, readTime, type Reading } from './cells.ts'
import { nameKey, type KnownNames, programSetKey } from './names.ts'

export type Cells = Partial<Record<ShiftUploadColumn, string>>

/** What a row says. What could not be found out is empty; what the file has no column for is undefined. */
interface Said {
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
}

/** A row of the file as far as it could be read by itself. */
export interface DraftRow {
  row: number
  /** Dates and times that could be read, as they were read; everything else as it stood there. */
  cells: Cells
  said: Said
  problems: Cells
}

const FORMULA = 'This is a formula. Write its value instead: copy the cell and paste it as a value.'

/** What cells were found to stand for: the rows of a schedule repeat each other's words. */
type Known = Map<string, Finding<unknown>>

/** What a cell stands for, or what is wrong with it or, where it says so, with another one. Undefined: cannot be known. */
type Finding<T> = Reading<T> | { problem: string; column: ShiftUploadColumn } | undefined

/** Reads the rows of a file one by one: no row knows of another here. */
export function readDraftRows(table: Table<ShiftUploadColumn>, names: KnownNames): DraftRow[] {
  const known: Known = new Map()
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
  known: Known,
): DraftRow {
  const cells: Cells = { ...given }
  const problems: Cells = Object.fromEntries((formulas ?? []).map((column) => [column, FORMULA]))
  if (beyond) problems.date = `The row has more cells than the first one has titles: ${beyond}.`

  /** What a cell stands for; of an empty one, or one that cannot be read, the fallback. */
  const read: Read = <T, F>(
    column: ShiftUploadColumn,
    fallback: F,
    reader: (text: string) => Finding<T>,
    within = '',
  ) => {
    const text = given[column]
    if (problems[column] !== undefined || text === undefined) return fallback
    const key = `${column}\n${within}\n${text}`
    if (!known.has(key)) known.set(key, reader(text))
    const found = known.get(key) as Finding<T>
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
  const programUid = needed('program', '', (name) => programNamed(name, client, names), client)
  /** What is left out of a row with such a column is meant to be empty. */
  const chosen = <T>(column: ShiftUploadColumn, reader: (text: string) => Finding<T>) =>
    columns.has(column) ? read(column, null, reader, programUid) : undefined
  const setNamed = (sets: Map<string, string>, noun: string) => (name: string) =>
    programUid === ''
      ? undefined
      : found(sets.get(programSetKey(programUid, name)), `The program has no ${noun} ${name}.`)
  const truckNamed = (number: string) => found(names.trucks.get(nameKey(number))?.uid, `There is no truck ${number}.`)
  const said: Said = {
    ...hours,
    truckUid: needed('truck', '', truckNamed),
    driverUid: needed('driver', '', (name) => driverNamed(name, names)),
    programUid,
    marketUid: needed('market', '', (name) => marketNamed(name, names, programUid), programUid),
    artworkSetUid: chosen('artworkSet', setNamed(names.artworkSets, 'artwork set')),
    addressSetUid: chosen('addressSet', setNamed(names.addressSets, 'SD set')),
    payOption: chosen('payOption', readPayOption),
    note: columns.has('note') ? read('note', '', readNote) : undefined,
  }
  return { row, cells, said, problems }
}

/** Date, start and end. A cell that holds both a day and a time must agree with the others. */
function hoursOf(needed: Read, cells: Cells, problems: Cells) {
  const date = needed('date', '', readDate)
  const start = needed('start', undefined, readTime)
  const end = needed('end', undefined, readTime)
  const hours = { date, start: start?.clock ?? '', end: end?.clock ?? '' }
  for (const column of ['date', 'start', 'end'] as const) if (hours[column] !== '') cells[column] = hours[column]
  if (cells.start === cells.end && start && end) problems.end = 'Must not be the start itself.'
  if (date === '' || !start || !end) return hours
  const endsOn = hours.end <= hours.start ? addDays(date, 1) : date
  const differs = (shouldBe: string) => `The day in this cell differs: it would have to be ${shouldBe}.`
  if ((start.date ?? date) !== date) problems.start = differs(date)
  if ((end.date ?? endsOn) !== endsOn) problems.end = differs(endsOn)
  return hours
}

const found = (uid: string | undefined, problem: string): Reading<string> =>
  uid === undefined ? { problem } : { value: uid }

function driverNamed(name: string, names: KnownNames): Reading<string> {
  const nobody = `There is no driver ${name}.`
  if (name.includes('@')) return found(names.driversByEmail.get(nameKey(name))?.uid, nobody)
  const called = names.driversByName.get(nameKey(name)) ?? []
  // Somebody of that name who does not drive, or has left, is meant only where no driver has it.
  const drivers = [
    called.filter(({ isDeleted, role }) => !isDeleted && role === 'driver'),
    called.filter(({ isDeleted }) => !isDeleted),
    called,
  ].find((some) => some.length > 0)
  if (drivers && drivers.length > 1) {
    return { problem: `${drivers.length} users are called ${name}. Write the email address instead.` }
  }
  return found(drivers?.[0]?.uid, nobody)
}

function programNamed(name: string, client: string | undefined, names: KnownNames): Finding<string> {
  const called = names.programs.get(nameKey(name)) ?? []
  if (called.length === 0) return { problem: `There is no program ${name}.` }
  const matching = client === undefined ? called : called.filter((each) => nameKey(each.client) === nameKey(client))
  const [first] = matching
  if (first && matching.length === 1) return { value: first.uid }
  const problem =
    matching.length === 0
      ? `${client} has no program of this name.`
      : `Several clients have a program of this name: ${matching.map((each) => each.client).join(', ')}. Name one.`
  return { problem, column: 'client' }
}

function marketNamed(name: string, names: KnownNames, programUid: string): Reading<string> {
  const called = names.markets.get(nameKey(name)) ?? []
  const there = called.filter(({ uid }) => names.marketsOf.get(programUid)?.has(uid))
  const meant = there.length === 1 ? there : called
  if (meant.length > 1) {
    const states = meant.map((each) => `${each.name}, ${each.state}`).join('; ')
    return { problem: `Several markets have this name. Write one of: ${states}.` }
  }
  return found(meant[0]?.uid, `There is no market ${name}.`)
}

function readNote(text: string): Reading<string> {
  const { data, error } = shiftInput.shape.note.safeParse(text)
  return data === undefined ? { problem: error?.issues[0]?.message ?? 'Cannot be stored.' } : { value: data }
}
