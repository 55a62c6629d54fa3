import { blocksTruck, type BodyOf, type ShiftStatus, type shiftPlanChanges, UNDO_HOURS } from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../platform/db/connection.ts'
import type { Scope } from '../../../platform/db/records/scope.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { someNames } from '../../../platform/imports/index.ts'
import { BookingIndex, describeShift } from '../bookings.ts'
import { restoreShifts } from '../bulk-write.ts'
import { withShiftEvents } from '../changes.ts'
import { applyDriverEventsOf } from '../driver-events.ts'
import { followShopStays } from '../../../catalog/trucks/index.ts'
import { revertStretch } from '../out-of-service/stored.ts'
import { loadBookingsAround, loadShiftFacts } from '../facts.ts'
import { PLANNED_JOINS, WORD_COLUMNS } from '../queries.ts'
import { checkInService, checkPayLock, clashProblems, type ShiftCandidate, type ShiftFacts } from '../rules.ts'
import { type PlanChangeState, loadVersions, lockShifts, type StoredShift, type StretchChange } from './record.ts'

const refuse = (text: string) => new AppError('undoRefused', { text })

function refuseFor(problem: string | undefined): void {
  if (problem) throw refuse(`This can't be undone. ${problem}`)
}

interface Whose {
  /** The change may be of anyone: the caller of this has checked who may undo it. */
  ofAnyone?: boolean
}

/** Loads a change that can still be undone, the caller's own unless said otherwise, and locks it against a second undo. */
async function lockPlanChange(
  db: Db,
  { actor }: Scope,
  named: BodyOf<typeof shiftPlanChanges.undo>,
  { ofAnyone = false }: Whose,
) {
  let changes = db.selectFrom('shift_act')
  if (!ofAnyone) changes = changes.where('by_uid', '=', actor.uid)
  const change = await changes
    .select([
      'uid',
      'undone_at',
      sql<PlanChangeState[]>`states`.as('states'),
      sql<StretchChange | null>`out_of_service`.as('outOfService'),
    ])
    .select(sql<boolean>`at < now() - ${sql.lit(UNDO_HOURS)} * interval '1 hour'`.as('isOld'))
    .where((eb) =>
      named.shiftUid
        ? sql<boolean>`states @> ${JSON.stringify([{ uid: named.shiftUid }])}::jsonb`
        : eb('uid', '=', named.uid ?? ''),
    )
    .orderBy('at', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (!change) throw new AppError('notFound')
  if (change.undone_at !== null) throw refuse('This was undone already.')
  if (change.isOld) throw refuse(`Only changes of the last ${UNDO_HOURS} hours can be undone.`)
  return change
}

const text = (row: StoredShift, column: string) => String(row[column])

const candidateOf = (row: StoredShift): ShiftCandidate => ({
  truckUid: text(row, 'truck_uid'),
  driverUid: text(row, 'driver_uid'),
  programUid: text(row, 'program_uid'),
  marketUid: text(row, 'market_uid'),
  date: text(row, 'local_date'),
  start: text(row, 'start_time').slice(0, 5),
  end: text(row, 'end_time').slice(0, 5),
  artworkSetUid: row.artwork_set_uid === null ? null : text(row, 'artwork_set_uid'),
  addressSetUid: row.address_set_uid === null ? null : text(row, 'address_set_uid'),
})

const isBlocking = (row: StoredShift) => row.deleted_at === null && blocksTruck(text(row, 'status') as ShiftStatus)

/** Shifts in words, deleted ones too. */
async function loadShiftNames(db: Db, uids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<Parameters<typeof describeShift>[0]>`
    select ${WORD_COLUMNS} from shift t ${PLANNED_JOINS}
     where t.uid = any(${[...uids]}::uuid[]) order by t.starts_at, t.uid`.execute(db)
  return rows.map(describeShift)
}

const changedSince = async (db: Db, uids: readonly string[]) =>
  `This can't be undone, because it was changed since: ${someNames(await loadShiftNames(db, uids))}.`

/** What is known to be in the way of undoing a change. The rest, such as who has the truck by now, shows when it is undone. */
export async function findUndoObstacle(db: Db, uid: string): Promise<string | undefined> {
  const change = await db
    .selectFrom('shift_act')
    .select(['undone_at', sql<PlanChangeState[]>`states`.as('states')])
    .where('uid', '=', uid)
    .executeTakeFirst()
  if (!change) return `Only changes of the last ${UNDO_HOURS} hours can be undone.`
  if (change.undone_at !== null) return 'This was undone already.'
  const now = await loadVersions(
    db,
    change.states.map((state) => state.uid),
  )
  const versions = new Map(now.map(({ uid, version }) => [uid, version]))
  const changed = change.states.filter((state) => versions.get(state.uid) !== state.version).map((state) => state.uid)
  return changed.length > 0 ? changedSince(db, changed) : undefined
}

/** Locks the shifts of a change, and refuses to undo it if one of them changed since. */
async function lockUnchanged(db: Db, states: readonly PlanChangeState[]): Promise<Map<string, StoredShift>> {
  const now = await lockShifts(
    db,
    states.map(({ uid }) => uid),
  )
  const versions = new Map(now.map(({ uid, version }) => [uid, version]))
  const changed = states.filter(({ uid, version }) => versions.get(uid) !== version).map(({ uid }) => uid)
  if (changed.length > 0) {
    throw refuse(await changedSince(db, changed))
  }
  return new Map(now.map(({ uid, row }) => [uid, row]))
}

interface Restored {
  uid: string
  before: StoredShift
  now: StoredShift
}

type Needed = { column: Exclude<keyof ShiftCandidate, 'stops'>; known: ReadonlyMap<string, unknown>; sentence: string }

const neededBy = (facts: ShiftFacts): Needed[] => [
  { column: 'truckUid', known: facts.trucks, sentence: 'Its truck was deleted.' },
  { column: 'driverUid', known: facts.drivers, sentence: 'Its driver was deleted.' },
  { column: 'programUid', known: facts.programs, sentence: 'Its program was deleted.' },
  { column: 'marketUid', known: facts.markets, sentence: 'Its market was deleted.' },
  { column: 'artworkSetUid', known: facts.artworkSets, sentence: 'Its artwork set was deleted.' },
  { column: 'addressSetUid', known: facts.addressSets, sentence: 'Its SD address set was deleted.' },
]

/** Why a shift can't be as it was before: a record that it refers to was deleted since, or pay is locked. */
function goneProblem({ before, now }: Restored, facts: ShiftFacts): string | undefined {
  const [was, is] = [candidateOf(before), candidateOf(now)]
  const isReturning = isBlocking(before) && !isBlocking(now)
  for (const { column, known, sentence } of neededBy(facts)) {
    const uid = was[column]
    if (uid !== null && (isReturning || uid !== is[column]) && !known.has(uid)) {
      return sentence
    }
  }
  const away = awayProblem({ before, now }, facts)
  return away ?? (isReturning ? checkPayLock(was, facts) : checkPayLock(was, facts, is))
}

/** Why a planned shift can't be where it was: its truck or driver is out of service by now. */
function awayProblem({ before, now }: Pick<Restored, 'before' | 'now'>, facts: ShiftFacts): string | undefined {
  const isPlanned = (row: StoredShift) => row.deleted_at === null && row.status === 'planned'
  if (!isPlanned(before)) return undefined
  const [was, is] = [candidateOf(before), candidateOf(now)]
  const place = ['truckUid', 'driverUid', 'date', 'start', 'end', 'marketUid'] as const
  if (isPlanned(now) && place.every((field) => was[field] === is[field])) return undefined
  const problems = { ...checkInService('truckUid', was, facts), ...checkInService('driverUid', was, facts) }
  return problems.truckUid ?? problems.driverUid
}

/** Why shifts can't be where they were: others are there now. */
async function takenProblem(
  db: Db,
  restored: readonly Restored[],
  uids: ReadonlySet<string>,
): Promise<string | undefined> {
  const wanted = restored
    .filter(({ before }) => isBlocking(before))
    .map(({ uid, before }) => ({
      uid,
      ...candidateOf(before),
      startsAt: Date.parse(text(before, 'starts_at')),
      endsAt: Date.parse(text(before, before['released_at'] ? 'released_at' : 'ends_at')),
    }))
  const bookings = await loadBookingsAround(db, wanted)
  const index = new BookingIndex(bookings.filter(({ uid }) => !uids.has(uid)))
  const clashes = wanted.flatMap((each) => index.clashesWith(each))
  if (clashes.length === 0) return undefined
  const once = [...new Map(clashes.map((clash) => [`${clash.over} ${clash.uid}`, clash])).values()]
  return Object.values(clashProblems(once)).join(' ')
}

/** Why a deleted shift can't be restored. Its truck and driver stay locked until the transaction ends. */
export async function restoreProblem(db: Db, uid: string): Promise<string | undefined> {
  const { rows } = await sql<{ row: StoredShift }>`select to_jsonb(t) as row from shift t where t.uid = ${uid}`.execute(
    db,
  )
  const now = rows[0]?.row
  if (!now) return undefined
  const returning = { uid, now, before: { ...now, deleted_at: null } }
  const facts = await loadShiftFacts(db, [candidateOf(now)])
  return goneProblem(returning, facts) ?? takenProblem(db, [returning], new Set([uid]))
}

/** Undoes a change: every shift is again as it was before, and the shifts that it added are deleted. */
export const undoPlanChange = (db: Db, scope: Scope, named: BodyOf<typeof shiftPlanChanges.undo>, whose: Whose = {}) =>
  inTransaction(db, async (db) => {
    const { uid: changeUid, states, outOfService } = await lockPlanChange(db, scope, named, whose)
    // Shifts come back to a truck or a driver that is in service again.
    if (outOfService) await revertStretch(db, scope, outOfService)
    const uids = states.map(({ uid }) => uid)
    const kept = states.flatMap(({ uid, before }) => (before ? [{ uid, before }] : []))
    // Trucks and drivers are locked before the shifts, as by every other change.
    const facts = await loadShiftFacts(
      db,
      kept.map(({ before }) => candidateOf(before)),
    )
    return withShiftEvents(db, uids, async () => {
      const now = await lockUnchanged(db, states)
      const restored = kept.flatMap(({ uid, before }) => {
        const row = now.get(uid)
        return row ? [{ uid, before, now: row }] : []
      })
      for (const each of restored) refuseFor(goneProblem(each, facts))
      refuseFor(await takenProblem(db, restored, new Set(uids)))
      await restoreShifts(db, scope, {
        rows: restored.map(({ before }) => before),
        removed: states.filter(({ before }) => !before).map(({ uid }) => uid),
      })
      await applyDriverEventsOf(db, uids, { userUid: scope.actor.uid, address: scope.actor.address })
      await db
        .updateTable('shift_act')
        .set({ undone_at: sql`now()` })
        .where('uid', '=', changeUid)
        .execute()
      if (outOfService) await followShopStays(db)
      return { changed: await loadVersions(db, uids), added: uids.length - kept.length }
    })
  })
