import {
  type BodyOf,
  localDay,
  needsUnlockReason,
  type payroll,
  type PayPeriod,
  payPeriodMoves,
  type PayPeriodState,
  payPeriodStateLabel,
  type QueryOf,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { AppError, joinNames } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { noOwnRows, records } from '../../platform/db/records/records.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { readSettings } from '../../catalog/settings/index.ts'
import { type PayBook, payBook, totalsOf } from './book.ts'
import { periodsOf } from './facts.ts'

const LINES = 'from pay_line l where l.period_uid = t.uid'
const CHANGED = `from pay_adjustment a where a.local_date between t.starts_on and t.ends_on and a.deleted_at is null`
// Before and after its approval nothing is settled.
const settled = (figure: string) => `case when t.state = 'open' then 0 else (${figure})::int end`

export const periodRecords = records<'pay_period', PayPeriod, QueryOf<typeof payroll.periods>>({
  table: 'pay_period',
  columns: {
    uid: 't.uid',
    from: 't.starts_on',
    to: 't.ends_on',
    state: 't.state',
    reason: 't.reason',
    approvedAt: 't.approved_at',
    lockedAt: 't.locked_at',
    drivers: settled(
      `select count(*) from (select l.driver_uid ${LINES} union select a.driver_uid ${CHANGED}) as paid`,
    ),
    shifts: settled(`select count(*) filter (where l.line ->> 'unpaid' = '') ${LINES}`),
    cents: settled(`(select coalesce(sum(l.cents), 0) ${LINES}) + (select coalesce(sum(a.cents), 0) ${CHANGED})`),
    createdAt: 't.created_at',
    updatedAt: 't.updated_at',
    version: 't.version',
  },
  sorts: { from: 't.starts_on', updatedAt: 't.updated_at' },
  filters: { state: 't.state = any(?)' },
  search: () => `lower(t.starts_on || ' ' || t.ends_on || ' ' || t.state || ' ' || t.reason) like lower(?)`,
  own: noOwnRows,
  taken: { pay_period_once: ['payPeriodTaken'] },
})

/** Whoever approves or opens a period waits for adjustments and overrides that are being written, and they for it. */
const alone = (db: Db) => sql`select pg_advisory_xact_lock(hashtext('pay_period'))`.execute(db)

// The last of the country's clocks: there a day is over when it is over everywhere.
const LAST_ZONE = 'Pacific/Honolulu'

/** Freezes what is paid for the shifts of some days, as it was seen. */
export const approvePeriod = (db: Db, scope: Scope, { from, to, cents }: BodyOf<typeof payroll.approve>) =>
  inTransaction(db, async (db): Promise<PayPeriod> => {
    if (to >= localDay(LAST_ZONE)) throw new AppError('payPeriodMove', { text: 'The period is not over yet.' })
    await alone(db)
    await refuseTaken(db, from, to)
    const book = await payBook(db, { from, to }, { scope })
    if (totalsOf(book.drivers.map(({ figures }) => figures)).cents !== cents) throw new AppError('payChanged')
    const { overtimeAfterHours: overtime_after_hours } = await readSettings(db)
    const state = { state: 'approved', approved_at: new Date(), overtime_after_hours }
    const { uid } = book.period
      ? await periodRecords.update(db, scope, book.period.uid, book.period.version, state)
      : await periodRecords.create(db, scope, { starts_on: from, ends_on: to, ...state })
    await freeze(db, uid, book)
    return periodRecords.get(db, scope, uid)
  })

async function refuseTaken(db: Db, from: string, to: string): Promise<void> {
  const closed = (await periodsOf(db, { from, to })).filter(({ state }) => state !== 'open')
  if (closed.length === 0) return
  const names = closed.map((each) => `${each.from} to ${each.to} (${each.state})`)
  throw new AppError('payPeriodTaken', { text: `Some of these days are settled already: ${joinNames(names)}.` })
}

// Each row is six values; a statement takes 65,535.
const AT_ONCE = 5_000

async function freeze(db: Db, periodUid: string, { drivers }: PayBook): Promise<void> {
  const rows = drivers.flatMap(({ driver, lines }) =>
    lines.map((line) => ({
      shift_uid: line.uid,
      period_uid: periodUid,
      driver_uid: driver.uid,
      local_date: line.date,
      cents: line.cents,
      line: JSON.stringify(line),
    })),
  )
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    await db
      .insertInto('pay_line')
      .values(rows.slice(at, at + AT_ONCE))
      // What another period has settled stays settled there.
      .onConflict((conflict) => conflict.column('shift_uid').doNothing())
      .execute()
  }
}

/** Locks a period, unlocks it with a reason, or opens it again. */
export const movePeriod = (db: Db, scope: Scope, { uid, version, state, reason }: BodyOf<typeof payroll.move>) =>
  inTransaction(db, async (db): Promise<PayPeriod> => {
    await alone(db)
    const before = await periodRecords.get(db, scope, uid)
    if (before.version !== version) throw new AppError('staleVersion')
    const moves = payPeriodMoves[before.state]
    if (!moves.includes(state)) throw new AppError('payPeriodMove', { text: refusedMove(before.state, moves) })
    if (needsUnlockReason(before.state, state) && reason === '') {
      throw new AppError('badInput', { fields: { reason: 'Say why.' } })
    }
    await periodRecords.update(db, scope, uid, version, {
      state,
      reason: needsUnlockReason(before.state, state) ? reason : before.reason,
      approved_at: state === 'open' ? null : before.approvedAt,
      locked_at: state === 'locked' ? new Date() : null,
    })
    if (state === 'open') await db.deleteFrom('pay_line').where('period_uid', '=', uid).execute()
    return periodRecords.get(db, scope, uid)
  })

function refusedMove(from: PayPeriodState, moves: readonly PayPeriodState[]): string {
  const word = (state: PayPeriodState) => payPeriodStateLabel[state].toLowerCase()
  return moves.length > 0
    ? `A period that is ${word(from)} can become ${moves.map(word).join(' or ')}.`
    : 'An open period is approved first.'
}
