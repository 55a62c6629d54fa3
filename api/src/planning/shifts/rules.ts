import {
  type BodyOf,
  type ShiftClash,
  driverMoves,
  type Shift,
  type ShiftStatus,
  shiftMoves,
  shiftRange,
  shiftStatusLabel,
  type shifts,
  blocksTruck,
} from '@roadshow/contract'
import { CompiledQuery } from 'kysely'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction, prepared } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { type ShiftCandidate, type ShiftFacts, loadShiftFacts } from './facts.ts'
import { checkPayLock, checkShift } from './problems.ts'
import { shiftRecords } from './queries.ts'
import { lastShiftBefore, shortRest } from './rest.ts'
import { BookingIndex, loadBookings } from './takings.ts'

type Input = BodyOf<typeof shifts.create>

export const toShiftInput = (shift: Shift): Input => ({
  truckUid: shift.truck.uid,
  driverUid: shift.driver.uid,
  programUid: shift.program.uid,
  marketUid: shift.market.uid,
  date: shift.date,
  start: shift.start,
  end: shift.end,
  artworkSetUid: shift.artworkSet?.uid ?? null,
  addressSetUid: shift.addressSet?.uid ?? null,
  payOption: shift.payOption,
  note: shift.note,
})

/** Where a saved shift is. */
type Placed = { market: { uid: string }; zone: string }

/** When the candidate starts and ends, in the zone that its market has now, or had when it was saved. */
export function shiftInstants(candidate: ShiftCandidate, facts: ShiftFacts, saved?: Placed) {
  const kept = saved?.market.uid === candidate.marketUid ? saved.zone : undefined
  const zone = kept ?? facts.markets.get(candidate.marketUid)?.zone ?? 'UTC'
  const { startsAt = Number.NaN, endsAt = Number.NaN } = shiftRange({ ...candidate, zone })
  return { zone, startsAt, endsAt }
}

/** The row of a shift that was found right. */
export function toShiftRow(input: Input, facts: ShiftFacts, saved?: Placed) {
  const { zone, startsAt, endsAt } = shiftInstants(input, facts, saved)
  return {
    truck_uid: input.truckUid,
    driver_uid: input.driverUid,
    program_uid: input.programUid,
    market_uid: input.marketUid,
    local_date: input.date,
    start_time: input.start,
    end_time: input.end,
    zone,
    starts_at: new Date(startsAt).toISOString(),
    ends_at: new Date(endsAt).toISOString(),
    artwork_set_uid: input.artworkSetUid,
    address_set_uid: input.addressSetUid,
    pay_option: input.payOption,
    note: input.note,
  }
}

async function clashesOf(db: Db, candidate: ShiftCandidate, facts: ShiftFacts, saved?: Shift): Promise<ShiftClash[]> {
  const { startsAt, endsAt } = shiftInstants(candidate, facts, saved)
  const { truckUid, driverUid } = candidate
  const around = { truckUids: [truckUid], driverUids: [driverUid], from: startsAt, to: endsAt }
  return new BookingIndex(await loadBookings(db, around)).clashesWith({
    uid: saved?.uid ?? '',
    truckUid,
    driverUid,
    startsAt,
    endsAt,
  })
}

const inTheWay: Record<ShiftClash['over'], string> = {
  truck: 'The truck has another shift then:',
  driver: 'The driver has another shift then:',
}

function refuseClashes(clashes: ShiftClash[]): void {
  if (clashes.length === 0) return
  const sentences = (['truck', 'driver'] as const).flatMap((over) => {
    const names = clashes.filter((clash) => clash.over === over).map(({ name }) => name)
    return names.length > 0 ? [[`${over}Uid`, `${inTheWay[over]} ${names.join('; ')}.`] as const] : []
  })
  throw new AppError('shiftClash', {
    text: sentences.map(([, sentence]) => sentence).join(' '),
    fields: Object.fromEntries(sentences),
    clashes,
  })
}

/** Refuses what cannot be saved; gives the row of what can. Truck and driver are the caller's until it commits. */
async function checked(db: Db, input: Input, saved?: Shift) {
  const facts = await loadShiftFacts(db, [input])
  const before = saved && toShiftInput(saved)
  const locked = checkPayLock(input, facts, before)
  if (locked) throw new AppError('payPeriodClosed', { text: locked, fields: { date: locked } })
  refuseFields(checkShift(input, facts, before))
  if (!saved || blocksTruck(saved.status)) refuseClashes(await clashesOf(db, input, facts, saved))
  return toShiftRow(input, facts, saved)
}

export const createShift = (db: Db, scope: Scope, input: Input): Promise<Shift> =>
  inTransaction(db, async (db) => shiftRecords.create(db, scope, await checked(db, input)))

export const updateShift = (db: Db, scope: Scope, uid: string, version: number, input: Input): Promise<Shift> =>
  inTransaction(db, async (db) => {
    const saved = await shiftRecords.get(db, scope, uid)
    // What clashes with an old version says nothing about the shift as it is now.
    if (saved.version !== version) throw new AppError('staleVersion')
    return shiftRecords.update(db, scope, uid, version, await checked(db, input, saved))
  })

/** Whether a shift could be saved, without saving it. */
export async function previewShift(db: Db, scope: Scope, { uid, ...input }: BodyOf<typeof shifts.clashes>) {
  const saved = uid === undefined ? undefined : await shiftRecords.get(db, scope, uid)
  const facts = await loadShiftFacts(db, [input])
  const problems = checkShift(input, facts, saved && toShiftInput(saved))
  const { startsAt, endsAt } = shiftInstants(input, facts, saved)
  if (Number.isNaN(startsAt) || Number.isNaN(endsAt)) return { problems, clashes: [], shortRestHours: null }
  return {
    problems,
    clashes: await clashesOf(db, input, facts, saved),
    shortRestHours: await restBefore(db, input.driverUid, startsAt, uid),
  }
}

const REST = prepared(
  `select ${shortRest('$2::timestamptz', lastShiftBefore('$1::uuid', '$2::timestamptz', 'b.uid is distinct from $3::uuid'))} as hours`,
)

/** Hours since the driver's last shift before an instant, where that is less than the settings ask for. */
async function restBefore(db: Db, driverUid: string, startsAt: number, uid: string | undefined) {
  const values = [driverUid, new Date(startsAt).toISOString(), uid ?? null]
  return (await db.executeQuery<{ hours: number | null }>(CompiledQuery.raw(REST, values))).rows[0]?.hours ?? null
}

export async function removeShift(db: Db, scope: Scope, uid: string): Promise<{ uid: string }> {
  return shiftRecords.removeUnless(db, scope, uid, async (db) => {
    const { status } = await shiftRecords.get(db, scope, uid)
    if (status !== 'out' && status !== 'completed') return
    throw new AppError('shiftMove', { text: 'A shift that has been out is part of the record and cannot be deleted.' })
  })
}

/** Starts, completes, cancels or reopens a shift. */
export const moveShift = (db: Db, scope: Scope, { uid, version, status, reason }: BodyOf<typeof shifts.move>) =>
  inTransaction(db, async (db) => {
    const saved = await shiftRecords.get(db, scope, uid)
    if (saved.version !== version) throw new AppError('staleVersion')
    const moves = scope.rows === 'own' ? driverMoves[saved.status] : shiftMoves[saved.status]
    if (!moves?.includes(status)) throw new AppError('shiftMove', { text: refusedMove(saved.status, moves) })
    // What left its truck and driver free takes them again.
    if (!blocksTruck(saved.status)) {
      const candidate = toShiftInput(saved)
      const facts = await loadShiftFacts(db, [candidate])
      refuseClashes(await clashesOf(db, candidate, facts, saved))
    }
    return shiftRecords.update(db, scope, uid, version, { status, reason, ...actual(saved, status) })
  })

function refusedMove(from: ShiftStatus, moves: readonly ShiftStatus[] = []): string {
  const word = (status: ShiftStatus) => shiftStatusLabel[status].toLowerCase()
  const to = moves.length > 0 ? `can become ${moves.map(word).join(' or ')}` : 'stays as it is'
  return `A shift that is ${word(from)} ${to}.`
}

/** When it really began and ended. */
function actual({ startedAt, stoppedAt }: Shift, status: ShiftStatus) {
  const now = new Date()
  if (status === 'out') return { started_at: startedAt ?? now, stopped_at: null }
  // Completed without ever having been started: nobody knows when it began.
  if (status === 'completed') return startedAt ? { stopped_at: stoppedAt ?? now } : {}
  return { started_at: null, stopped_at: null }
}
