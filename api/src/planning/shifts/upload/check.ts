import type { ShiftUploadColumn, ImportRow, ImportRowState } from '@roadshow/contract'
import { joinNames } from '../../../platform/runtime/app-error.ts'
import { groupBy } from '../../../platform/runtime/group-by.ts'
import { checkShift, describeInactiveProgram, type ShiftFacts, type ShiftValues } from '../rules.ts'
import { shiftInstants } from '../shift-row.ts'
import { stopsText } from '../stop-cells.ts'
import { type BookedResource, bookedResources, BookingIndex, describeShift } from '../bookings.ts'
import type { Cells, DraftRow } from './draft-rows.ts'
import { remarksOf } from './remarks.ts'
import type { PlannedRow } from './short-rests.ts'
import type { SavedShift } from './saved-shifts.ts'

/** Equal rows of the file; together they are one shift. */
interface RowGroup {
  rows: [DraftRow, ...DraftRow[]]
  input: ShiftValues
  /** The saved shift that the rows change, if there is one. */
  saved: SavedShift | undefined
  state: Exclude<ImportRowState, 'wrong'>
  problems: Cells
  /** `Summer is paused.` */
  inactiveProgram: string | undefined
  truckUid: string
  driverUid: string
  startsAt: number
  endsAt: number
}

export interface ShiftToSave {
  input: ShiftValues
  saved: SavedShift | undefined
  /** The remark that saving accepts. */
  inactiveProgram: string | undefined
}

export interface CheckedUpload {
  rows: ImportRow[]
  /** The shifts to add and change, in an order that does not depend on the order of the rows. */
  toSave: ShiftToSave[]
  /** The shifts of all good rows. */
  planned: PlannedRow[]
}

const columnOf: Record<string, ShiftUploadColumn> = {
  truckUid: 'truck',
  driverUid: 'driver',
  programUid: 'program',
  marketUid: 'market',
  artworkSetUid: 'artworkSet',
  addressSetUid: 'addressSet',
  stops: 'stops',
}

const isWrong = ({ problems }: { problems: Cells }) => Object.keys(problems).length > 0

/** Decides for every row what it would do or what is wrong with it. Order and repetition of rows do not matter. */
export function checkDrafts(
  drafts: readonly DraftRow[],
  facts: ShiftFacts,
  existing: readonly SavedShift[],
): CheckedUpload {
  const groups = groupEqualRows(drafts, facts, existing)
  refuseContradictions(groups)
  const sound = groups.filter((group) => !isWrong(group))
  refuseOverlaps(sound)
  refuseClashes(sound, existing)
  const rows = groups.flatMap(toUploadRows).toSorted((a, b) => a.row - b.row)
  const good = sound.filter((group) => !isWrong(group))
  const toSave = good
    .filter(({ state }) => state !== 'same')
    .map(({ input, saved, inactiveProgram }) => ({ input, saved, inactiveProgram }))
    .toSorted((a, b) => (shiftKeyOf(a.input) < shiftKeyOf(b.input) ? -1 : 1))
  return { rows, toSave, planned: good.map(toPlannedRow) }
}

const toPlannedRow = ({ rows, input, truckUid, driverUid, startsAt, endsAt, saved }: RowGroup): PlannedRow => ({
  row: Math.min(...rows.map(({ row }) => row)),
  truckUid,
  driverUid,
  marketUid: input.marketUid,
  startsAt,
  endsAt,
  savedUid: saved?.uid,
})

/** Truck, day and start identify a shift. */
const shiftKeyOf = ({ truckUid, date, start }: Pick<ShiftValues, 'truckUid' | 'date' | 'start'>) =>
  `${truckUid} ${date} ${start}`

function groupEqualRows(drafts: readonly DraftRow[], facts: ShiftFacts, existing: readonly SavedShift[]): RowGroup[] {
  const alike = groupBy(drafts, (draft) => JSON.stringify(isWrong(draft) ? [draft.cells] : draft.values))
  const known = groupBy(existing, shiftKeyOf)
  return [...alike.values()].map((rows) => groupRows(rows as RowGroup['rows'], facts, known))
}

function groupRows(rows: RowGroup['rows'], facts: ShiftFacts, known: ReadonlyMap<string, SavedShift[]>): RowGroup {
  const [{ values, problems: unreadable }] = rows
  let problems = { ...unreadable }
  // In two zones a truck can have two shifts with the same day and start; the market identifies one of them.
  const meant = known.get(shiftKeyOf(values)) ?? []
  const saved = meant.length > 1 ? meant.find(({ marketUid }) => marketUid === values.marketUid) : meant[0]
  if (meant.length > 1 && !saved) problems.start ??= 'This truck has two shifts with this start, in other markets.'
  const input: ShiftValues = {
    ...values,
    artworkSetUid: values.artworkSetUid === undefined ? (saved?.artworkSetUid ?? null) : values.artworkSetUid,
    addressSetUid: values.addressSetUid === undefined ? (saved?.addressSetUid ?? null) : values.addressSetUid,
    payOption: values.payOption === undefined ? (saved?.payOption ?? null) : values.payOption,
    note: values.note ?? saved?.note ?? '',
    stops: keptIfEqual(values.stops, saved?.stops),
  }
  const isComplete = values.date !== '' && values.start !== '' && values.end !== ''
  if (isComplete) problems = { ...findRuleProblems({ values, input, facts, saved }), ...problems }
  const state = !saved ? 'new' : isSame(input, saved) ? 'same' : 'changed'
  if (saved && state === 'changed' && saved.status !== 'planned') {
    problems.date ??= saved.status === 'out' ? 'This shift is already out.' : 'This shift is already completed.'
  }
  // The rules for shifts do not look at the pay option.
  if (saved && saved.payOption !== input.payOption && isLocked(values.date, facts)) {
    problems.payOption ??= 'Pay for this day is locked.'
  }
  const { startsAt, endsAt } = isWrong({ problems })
    ? { startsAt: 0, endsAt: 0 }
    : shiftInstants(input, facts, savedPlaceOf(saved))
  const { truckUid, driverUid } = input
  const inactiveProgram = describeInactiveProgram(input, facts, saved)
  return { rows, input, saved, state, problems, inactiveProgram, truckUid, driverUid, startsAt, endsAt }
}

/** The stops of the saved shift where the file says the same or nothing: their fields stand in another order there. */
const keptIfEqual = (given: ShiftValues['stops'], saved: ShiftValues['stops']) =>
  given === undefined || (saved && stopsText(given) === stopsText(saved)) ? saved : given

const isLocked = (date: string, { lockedPay }: ShiftFacts) =>
  lockedPay.some(({ from, to }) => date >= from && date <= to)

const isSame = (one: ShiftValues, other: ShiftValues) =>
  (Object.keys(one) as (keyof ShiftValues)[]).every((field) => one[field] === other[field])

/** Market, day and zone of a saved shift. */
export const savedPlaceOf = (saved: SavedShift | undefined) =>
  saved && { zone: saved.zone, date: saved.date, market: { uid: saved.marketUid } }

interface RuleCheck {
  /** The values of the row, before those of the saved shift are filled in. */
  values: DraftRow['values']
  input: ShiftValues
  facts: ShiftFacts
  saved: SavedShift | undefined
}

/** Finds problems by the rules for all shifts; an unreadable cell already has its problem. */
function findRuleProblems({ values, input, facts, saved }: RuleCheck): Cells {
  const problems: Cells = {}
  for (const [field, problem] of Object.entries(checkShift(input, facts, saved))) {
    // Where the file has no stops, what is wrong with those of the saved shift comes from its hours.
    const isOfHours = field === 'stops' && values.stops === undefined
    const column = isOfHours ? 'start' : (columnOf[field] ?? (field as ShiftUploadColumn))
    const isUnknown = input[field as keyof ShiftValues] === ''
    const isKept =
      field !== 'stops' &&
      input[field as keyof ShiftValues] !== undefined &&
      values[field as keyof DraftRow['values']] === undefined
    if (isKept) problems[column] = 'The saved shift has a set of another program. Add this column to the file.'
    else if (!isUnknown) problems[column] = problem
  }
  return problems
}

const rowNumbers = (groups: Iterable<RowGroup>) =>
  [...groups].flatMap(({ rows }) => rows.map(({ row }) => row)).toSorted((a, b) => a - b)

/** `row 5`, `rows 5, 7 and 9` */
function nameRows(groups: Iterable<RowGroup>): string {
  const numbers = rowNumbers(groups)
  return `${numbers.length > 1 ? 'rows' : 'row'} ${joinNames(numbers.map(String))}`
}

/** Two different rows for the same shift are both wrong: neither can be preferred. */
function refuseContradictions(groups: readonly RowGroup[]): void {
  const complete = groups.filter(({ input }) => input.truckUid !== '' && input.date !== '' && input.start !== '')
  for (const contradicting of groupBy(complete, ({ input }) => shiftKeyOf(input)).values()) {
    if (contradicting.length < 2) continue
    for (const group of contradicting) {
      const others = nameRows(contradicting.filter((other) => other !== group))
      group.problems.start ??= `Conflicts with ${others}: same truck, date and start.`
    }
  }
}

// More rows than this are not named.
const MOST_NAMED = 20

/** Rows that need the same truck or driver at the same time are all wrong. */
function refuseOverlaps(groups: readonly RowGroup[]): void {
  const others = { truck: new Map<RowGroup, Set<RowGroup>>(), driver: new Map<RowGroup, Set<RowGroup>>() }
  const note = (over: BookedResource, one: RowGroup, other: RowGroup) => {
    const known = others[over].get(one)
    if (!known) others[over].set(one, new Set([other]))
    else if (known.size < MOST_NAMED) known.add(other)
  }
  const index = new BookingIndex<RowGroup>()
  for (const group of groups) {
    for (const over of bookedResources) {
      for (const other of index.overlapping(over, group)) {
        note(over, group, other)
        note(over, other, group)
      }
    }
    index.add(group)
  }
  for (const over of bookedResources) {
    for (const [group, overlapping] of others[over]) {
      group.problems[over] ??= `This ${over} is also in ${nameRows(overlapping)} at that time.`
    }
  }
}

/**
 * A row is wrong if a saved shift overlaps it and keeps its hours. A saved shift that a good row changes counts with
 * its new hours. If that row turns out wrong, the shift keeps its old hours, which may overlap further rows.
 */
function refuseClashes(groups: readonly RowGroup[], existing: readonly SavedShift[]): void {
  const booked = new BookingIndex(existing)
  const inTheWay = new Map<RowGroup, { over: BookedResource; saved: SavedShift }[]>()
  const waiting = new Map<SavedShift, RowGroup[]>()
  const replacedBy = new Map(groups.flatMap((group) => (group.saved ? [[group.saved, group] as const] : [])))
  for (const group of groups) {
    const found = bookedResources.flatMap((over) => booked.overlapping(over, group).map((saved) => ({ over, saved })))
    const foreign = found.filter(({ saved }) => saved !== group.saved)
    if (foreign.length > 0) inTheWay.set(group, foreign)
    for (const { saved } of foreign) waiting.set(saved, [...(waiting.get(saved) ?? []), group])
  }
  const wrong = new Set(groups.filter(isWrong))
  const stays = (saved: SavedShift) => {
    const by = replacedBy.get(saved)
    return !by || wrong.has(by)
  }
  const queue = [...inTheWay].flatMap(([group, found]) => (found.some(({ saved }) => stays(saved)) ? [group] : []))
  for (let group = queue.pop(); group; group = queue.pop()) {
    if (wrong.has(group)) continue
    wrong.add(group)
    if (group.saved) queue.push(...(waiting.get(group.saved) ?? []))
  }
  for (const [group, found] of inTheWay) {
    for (const over of bookedResources) {
      const names = found
        .filter((each) => each.over === over && stays(each.saved))
        .map(({ saved }) => describeShift(saved))
      if (names.length > 0) group.problems[over] ??= `This ${over} has another shift at that time: ${joinNames(names)}.`
    }
  }
}

// Most of the thousands of rows have none; they share one object.
const NO_CELLS = {}

function toUploadRows({
  rows,
  state,
  problems,
  inactiveProgram,
  input,
  saved,
  startsAt,
  endsAt,
}: RowGroup): ImportRow[] {
  const [first, ...repeats] = rows.toSorted((a, b) => a.row - b.row)
  if (!first) return []
  if (isWrong({ problems }))
    return rows.map(({ row, cells }) => ({ row, state: 'wrong', cells, problems, remarks: NO_CELLS }))
  const remarks = remarksOf(input, saved, endsAt - startsAt)
  if (inactiveProgram) remarks.program = [inactiveProgram, remarks.program].filter(Boolean).join(' ')
  return [
    { row: first.row, state, cells: first.cells, problems: NO_CELLS, remarks },
    ...repeats.map(({ row, cells }) => ({
      row,
      state: 'same' as const,
      cells,
      problems: NO_CELLS,
      remarks: { date: `Same as row ${first.row}.` },
    })),
  ]
}
