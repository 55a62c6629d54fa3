import type { BodyOf, payReview, QueryOf, UndecidedShift } from '@roadshow/contract'
import { sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { loadPayBook } from './book.ts'
import { loadRates } from './facts.ts'
import { centsOf, evidenceGapOf, rateOn } from './rules.ts'

/** The shifts of some days that need a decision, by driver and day. */
export async function loadUndecided(
  db: Db,
  scope: Scope,
  days: QueryOf<typeof payReview.undecided>,
): Promise<UndecidedShift[]> {
  const { drivers } = await loadPayBook(db, days, { scope })
  const undecided = drivers.flatMap(({ driver, lines }) =>
    lines.filter(({ needsDecision }) => needsDecision).map((line) => ({ driver, line })),
  )
  const rates = await loadRates(db, [...new Set(undecided.map(({ driver }) => driver.uid))])
  return undecided.map(({ driver: { uid, name }, line }) => {
    const option = line.planned ?? line.proposed
    const rate = rateOn(rates.get(uid) ?? [], line.date)
    return {
      line,
      driver: { uid, name },
      gap: evidenceGapOf(line) ?? 'noTimes',
      asPlanned: { option, cents: rate ? centsOf[option](rate) : null },
    }
  })
}

type Decision = BodyOf<typeof payReview.decide>

/** Decides on several shifts at once, as they were seen: all of them or none. */
export const decideShifts = (db: Db, scope: Scope, { from, to, shifts, decision, note }: Decision) =>
  inTransaction(db, async (db) => {
    const uids = [...new Set(shifts.map(({ uid }) => uid))].toSorted()
    // Other decisions on these shifts wait here and then find newer versions.
    await sql`select from shift where uid = any(${uids}) order by uid for update`.execute(db)
    const before = await db
      .selectFrom('pay_override')
      .select(['shift_uid', 'version'])
      .where('shift_uid', 'in', uids)
      .execute()
    const versions = new Map(before.map(({ shift_uid, version }) => [shift_uid, version]))
    if (shifts.some(({ uid, version }) => (versions.get(uid) ?? null) !== version)) throw new AppError('staleVersion')
    if (decision !== null) await refuseDecided(db, scope, { from, to }, uids)
    const row = {
      pay_option: null,
      decision,
      note: note || DEFAULT_NOTE[decision ?? 'none'],
      changed_by: scope.actor.uid,
      changed_from: scope.actor.address,
    }
    const saved = await db
      .insertInto('pay_override')
      .values(uids.map((shift_uid) => ({ shift_uid, ...row })))
      .onConflict((conflict) => conflict.column('shift_uid').doUpdateSet(row))
      .returning(['shift_uid as uid', 'version'])
      .execute()
    return { shifts: saved }
  })

const DEFAULT_NOTE = { pay: 'Paid as planned.', doNotPay: 'Not paid.', none: 'Decision taken back.' }

/** Refuses shifts that need no decision on these days: others decided, or evidence came. */
async function refuseDecided(db: Db, scope: Scope, days: { from: string; to: string }, uids: readonly string[]) {
  const { drivers } = await loadPayBook(db, days, { scope })
  const open = new Set(
    drivers.flatMap(({ lines }) => lines.filter(({ needsDecision }) => needsDecision).map(({ uid }) => uid)),
  )
  if (uids.every((uid) => open.has(uid))) return
  throw new AppError('staleVersion', { text: 'Some of these shifts no longer need a decision. Review the list again.' })
}
