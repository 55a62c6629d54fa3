import type { ShiftUploadColumn, UploadRow, UploadRowState } from '@roadshow/contract'
import { joinNames } from '../../../platform/runtime/app-error.ts'
import type { ShiftFacts } from '../facts.ts'
import { checkShift } from '../problems.ts'
import { shiftInstants } from '../rules.ts'
import { describeShift } from '../takings.ts'
import type { Cells, DraftRow } from './drafts.ts'
import { eachOverlap, type Resource, resources, BookedSpans } from './overlaps.ts'
import { remarksOf } from './remarks.ts'
import type { PlannedRow } from './rests.ts'
import type { UploadInput, SavedShift } from './saved.ts'

/** Rows of the file that say the same; they are one shift. */
interface Group {
  rows: [DraftRow, ...DraftRow[]]
  input: UploadInput
  /** The shift that it means, where there is one. */
  saved: SavedShift | undefined
  state: Exclude<UploadRowState, 'wrong'>
  problems: Cells
  truckUid: string
  driverUid: string
  startsAt: number
  endsAt: number
}

export interface ShiftToSave {
  input: UploadInput
  saved: SavedShift | undefined
}

export interface CheckedUpload {
  rows: UploadRow[]
  /** What the good rows would add and change, in an order that does not depend on that of the rows. */
  toSave: ShiftToSave[]
  /** Every shift that the good rows speak of. */
  planned: PlannedRow[]
}

const columnOf: Record<string, ShiftUploadColumn> = {
  truckUid: 'truck',
  driverUid: 'driver',
  programUid: 'program',
  marketUid: 'market',
  artworkSetUid: 'artworkSet',
  addressSetUid: 'addressSet',
}

const isWrong = ({ problems }: { problems: Cells }) => Object.keys(problems).length > 0

/**
 * Tells of every row what it would do, or what is wrong with it. Depends on what the rows say, not on their order or on
 * how often they say it.
 */
export function checkDrafts(
  drafts: readonly DraftRow[],
  facts: ShiftFacts,
  existing: readonly SavedShift[],
): CheckedUpload {
  const groups = groupsOf(drafts, facts, existing)
  refuseContradictions(groups)
  const sound = groups.filter((group) => !isWrong(group))
  refuseOverlaps(sound)
  refuseClashes(sound, existing)
  const rows = groups.flatMap(resultsOf).toSorted((a, b) => a.row - b.row)
  const good = sound.filter((group) => !isWrong(group))
  const toSave = good
    .filter(({ state }) => state !== 'same')
    .map(({ input, saved }) => ({ input, saved }))
    .toSorted((a, b) => (shiftKeyOf(a.input) < shiftKeyOf(b.input) ? -1 : 1))
  return { rows, toSave, planned: good.map(plannedOf) }
}

const plannedOf = ({ rows, driverUid, startsAt, endsAt, saved }: Group): PlannedRow => ({
  row: Math.min(...rows.map(({ row }) => row)),
  driverUid,
  startsAt,
  endsAt,
  savedUid: saved?.uid,
})

/** A shift is known by its truck, its day and its start. */
const shiftKeyOf = ({ truckUid, date, start }: Pick<UploadInput, 'truckUid' | 'date' | 'start'>) =>
  `${truckUid} ${date} ${start}`

function groupsOf(drafts: readonly DraftRow[], facts: ShiftFacts, existing: readonly SavedShift[]): Group[] {
  const alike = new Map<string, [DraftRow, ...DraftRow[]]>()
  for (const draft of drafts) {
    const content = JSON.stringify(isWrong(draft) ? [draft.cells] : draft.said)
    const rows = alike.get(content)
    if (rows) rows.push(draft)
    else alike.set(content, [draft])
  }
  const known = new Map<string, SavedShift[]>()
  for (const saved of existing) {
    const found = known.get(shiftKeyOf(saved))
    if (found) found.push(saved)
    else known.set(shiftKeyOf(saved), [saved])
  }
  return [...alike.values()].map((rows) => groupOf(rows, facts, known))
}

function groupOf(rows: Group['rows'], facts: ShiftFacts, known: ReadonlyMap<string, SavedShift[]>): Group {
  const [{ said, problems: unread }] = rows
  const problems = { ...unread }
  // In two zones a truck can have two shifts of the same day and time; then the market tells them apart.
  const meant = known.get(shiftKeyOf(said)) ?? []
  const saved = meant.length > 1 ? meant.find(({ marketUid }) => marketUid === said.marketUid) : meant[0]
  if (meant.length > 1 && !saved) problems.start ??= 'Two shifts of this truck start then, in other markets.'
  const input: UploadInput = {
    ...said,
    artworkSetUid: said.artworkSetUid === undefined ? (saved?.artworkSetUid ?? null) : said.artworkSetUid,
    addressSetUid: said.addressSetUid === undefined ? (saved?.addressSetUid ?? null) : said.addressSetUid,
    payOption: said.payOption === undefined ? (saved?.payOption ?? null) : said.payOption,
    note: said.note ?? saved?.note ?? '',
  }
  const isComplete = said.date !== '' && said.start !== '' && said.end !== ''
  if (isComplete) addRuleProblems(problems, said, input, facts, saved)
  const state = !saved ? 'new' : isSame(input, saved) ? 'same' : 'changed'
  if (saved && state === 'changed' && saved.status !== 'planned') {
    problems.date ??= saved.status === 'out' ? 'This shift is already out.' : 'This shift is already completed.'
  }
  // The pay option of a locked shift is nothing that the rules of its plan look at.
  if (saved && saved.payOption !== input.payOption && isLocked(said.date, facts)) {
    problems.payOption ??= 'The pay of this day is locked.'
  }
  const { startsAt, endsAt } = isWrong({ problems })
    ? { startsAt: 0, endsAt: 0 }
    : shiftInstants(input, facts, savedPlaceOf(saved))
  const { truckUid, driverUid } = input
  return { rows, input, saved, state, problems, truckUid, driverUid, startsAt, endsAt }
}

const isLocked = (date: string, { lockedPay }: ShiftFacts) =>
  lockedPay.some(({ from, to }) => date >= from && date <= to)

const isSame = (one: UploadInput, other: UploadInput) =>
  (Object.keys(one) as (keyof UploadInput)[]).every((field) => one[field] === other[field])

/** Where the shift that a row means is kept. */
export const savedPlaceOf = (saved: SavedShift | undefined) =>
  saved && { zone: saved.zone, market: { uid: saved.marketUid } }

/** Problems by the rules of every shift; a cell that could not be read has said so already. */
function addRuleProblems(
  problems: Cells,
  said: DraftRow['said'],
  input: UploadInput,
  facts: ShiftFacts,
  saved?: SavedShift,
): void {
  for (const [field, problem] of Object.entries(checkShift(input, facts, saved))) {
    const column = columnOf[field] ?? (field as ShiftUploadColumn)
    const isUnknown = input[field as keyof UploadInput] === ''
    const isKept =
      input[field as keyof UploadInput] !== undefined && said[field as keyof DraftRow['said']] === undefined
    if (isKept) problems[column] ??= 'What the shift has is of another program. Add this column to the file.'
    else if (!isUnknown) problems[column] ??= problem
  }
}

const rowNumbers = (groups: Iterable<Group>) =>
  [...groups].flatMap(({ rows }) => rows.map(({ row }) => row)).toSorted((a, b) => a - b)

/** `row 5`, `rows 5, 7 and 9` */
function inRows(groups: Iterable<Group>): string {
  const numbers = rowNumbers(groups)
  return `${numbers.length > 1 ? 'rows' : 'row'} ${joinNames(numbers.map(String))}`
}

/** Two rows that mean the same shift and say different things are both wrong: nobody knows which one is right. */
function refuseContradictions(groups: readonly Group[]): void {
  const alike = new Map<string, Group[]>()
  for (const group of groups) {
    const { truckUid, date, start } = group.input
    if (truckUid === '' || date === '' || start === '') continue
    alike.set(shiftKeyOf(group.input), [...(alike.get(shiftKeyOf(group.input)) ?? []), group])
  }
  for (const contradicting of alike.values()) {
    if (contradicting.length < 2) continue
    for (const group of contradicting) {
      const others = inRows(contradicting.filter((other) => other !== group))
      group.problems.start ??= `Contradicts ${others}: the same truck, day and start.`
    }
  }
}

// More are counted, not named.
const MOST_NAMED = 20

/** Rows that want the same truck or driver at the same time are all wrong. */
function refuseOverlaps(groups: readonly Group[]): void {
  const others = { truck: new Map<Group, Set<Group>>(), driver: new Map<Group, Set<Group>>() }
  const note = (over: Resource, one: Group, other: Group) => {
    const known = others[over].get(one)
    if (!known) others[over].set(one, new Set([other]))
    else if (known.size < MOST_NAMED) known.add(other)
  }
  eachOverlap(groups, (over, one, other) => {
    note(over, one, other)
    note(over, other, one)
  })
  for (const over of resources) {
    for (const [group, overlapping] of others[over]) {
      group.problems[over] ??= `This ${over} is also in ${inRows(overlapping)} at that time.`
    }
  }
}

/**
 * A row is wrong when a shift of the database is in its way that stays where it is. A shift that a good row changes
 * counts at its new place; once that row turns out wrong, it is back at its old one, and may be in the way of others.
 */
function refuseClashes(groups: readonly Group[], existing: readonly SavedShift[]): void {
  const taken = new BookedSpans(existing)
  const inTheWay = new Map<Group, { over: Resource; saved: SavedShift }[]>()
  const waiting = new Map<SavedShift, Group[]>()
  const replacedBy = new Map(groups.flatMap((group) => (group.saved ? [[group.saved, group] as const] : [])))
  for (const group of groups) {
    const found = resources.flatMap((over) => [...taken.inTheWayOf(group, over)].map((saved) => ({ over, saved })))
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
    for (const over of resources) {
      const names = found
        .filter((each) => each.over === over && stays(each.saved))
        .map(({ saved }) => describeShift(saved))
      if (names.length > 0) group.problems[over] ??= `This ${over} has another shift then: ${joinNames(names)}.`
    }
  }
}

// Most rows have none, and there are thousands.
const NOTHING = {}

function resultsOf({ rows, state, problems, input, saved, startsAt, endsAt }: Group): UploadRow[] {
  const [first, ...repeats] = rows.toSorted((a, b) => a.row - b.row)
  if (!first) return []
  if (isWrong({ problems }))
    return rows.map(({ row, cells }) => ({ row, state: 'wrong', cells, problems, remarks: NOTHING }))
  const remarks = remarksOf(input, saved, endsAt - startsAt)
  return [
    { row: first.row, state, cells: first.cells, problems: NOTHING, remarks },
    ...repeats.map(({ row, cells }) => ({
      row,
      state: 'same' as const,
      cells,
      problems: NOTHING,
      remarks: { date: `Same as row ${first.row}.` },
    })),
  ]
}
