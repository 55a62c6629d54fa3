import type { BodyOf, payroll, PayPeriod, QueryOf } from '@roadshow/contract'
import { sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { SqlFragment } from '../../platform/db/records/fragments.ts'
import { noOwnRows, records } from '../../platform/db/records/records.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { applyDriverEventsOf, withShiftEvents } from '../../planning/shifts/index.ts'
import { recordEvents } from '../../platform/outbox/index.ts'
import { readSettings } from '../../catalog/settings/index.ts'
import { loadPayBook, type PayBook } from './book.ts'
import { refuseOutOfStep } from './calendar.ts'
import { totalPay } from './book-rules.ts'
import { loadPeriods } from './facts.ts'
import { approvalConflict, checkPeriodMove, isPeriodOver, undecidedRefusal } from './period-rules.ts'

const LINES = sql`from pay_line l where l.period_uid = t.uid`
const CHANGED = sql`from pay_adjustment a where a.local_date between t.starts_on and t.ends_on and a.deleted_at is null`
// An open period has nothing settled.
const settled = (figure: SqlFragment) => sql`case when t.state = 'open' then 0 else (${figure})::int end`

export const periodRecords = records<'pay_period', PayPeriod, QueryOf<typeof payroll.periods>>({
  table: 'pay_period',
  columns: {
    uid: sql`t.uid`,
    from: sql`t.starts_on`,
    to: sql`t.ends_on`,
    state: sql`t.state`,
    reason: sql`t.reason`,
    approvedAt: sql`t.approved_at`,
    lockedAt: sql`t.locked_at`,
    drivers: settled(
      sql`select count(*) from (select l.driver_uid ${LINES} union select a.driver_uid ${CHANGED}) as paid`,
    ),
    shifts: settled(sql`select count(*) filter (where l.line ->> 'unpaid' = '') ${LINES}`),
    cents: settled(sql`(select coalesce(sum(l.cents), 0) ${LINES}) + (select coalesce(sum(a.cents), 0) ${CHANGED})
      + (select coalesce(sum(o.cents), 0) from pay_overtime o where o.period_uid = t.uid)`),
    createdAt: sql`t.created_at`,
    updatedAt: sql`t.updated_at`,
    version: sql`t.version`,
  },
  sorts: { from: sql`t.starts_on`, updatedAt: sql`t.updated_at` },
  filters: { state: (state) => sql`t.state = any(${state})` },
  search: (pattern) =>
    sql`lower(t.starts_on || ' ' || t.ends_on || ' ' || t.state || ' ' || t.reason) like lower(${pattern})`,
  own: noOwnRows,
  taken: { pay_period_once: ['payPeriodTaken'] },
})

/** Approving and opening a period waits for adjustments and overrides that are being written, and they wait for it. */
const lockPeriods = (db: Db) => sql`select pg_advisory_xact_lock(hashtext('pay_period'))`.execute(db)

/** Freezes the pay for the shifts of some days, if the total is the one that was seen. */
export const approvePeriod = (db: Db, scope: Scope, { from, to, cents }: BodyOf<typeof payroll.approve>) =>
  inTransaction(db, async (db): Promise<PayPeriod> => {
    const now = await sharedNow(db)
    if (!isPeriodOver(to, now)) throw new AppError('payPeriodMove', { text: 'The pay period is not over yet.' })
    await lockPeriods(db)
    const closed = (await loadPeriods(db, { from, to })).filter(({ state }) => state !== 'open')
    const conflict = approvalConflict(closed)
    if (conflict) throw new AppError('payPeriodTaken', { text: conflict })
    await refuseOutOfStep(db, { from, to })
    const book = await loadPayBook(db, { from, to }, { scope })
    const totals = totalPay(book.drivers.map(({ figures }) => figures))
    // A decision is not possible after the approval.
    const undecided = undecidedRefusal(totals.undecided)
    if (undecided) throw new AppError('payUndecided', { text: undecided })
    if (totals.cents !== cents) throw new AppError('payChanged')
    const { overtimeAfterHours: overtime_after_hours } = await readSettings(db)
    const state = { state: 'approved', approved_at: new Date(now), overtime_after_hours }
    const { uid } = book.period
      ? await periodRecords.update(db, scope, book.period.uid, book.period.version, state)
      : await periodRecords.create(db, scope, { starts_on: from, ends_on: to, ...state })
    await freezeLines(db, uid, book)
    await freezeOvertime(db, uid, book)
    return periodRecords.get(db, scope, uid)
  })

// Each row has six values, and a statement takes 65,535.
const AT_ONCE = 5_000

async function freezeLines(db: Db, periodUid: string, { drivers }: PayBook): Promise<void> {
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
      // A shift that another period settled stays settled there.
      .onConflict((conflict) => conflict.column('shift_uid').doNothing())
      .execute()
  }
}

/** Freezes the overtime that is part of the total. */
async function freezeOvertime(db: Db, period_uid: string, { drivers }: PayBook): Promise<void> {
  const rows = drivers.flatMap(({ driver, weeks }) =>
    weeks
      .filter(({ isPaid }) => isPaid)
      .map(({ isPaid: _isPaid, ...week }) => ({
        period_uid,
        driver_uid: driver.uid,
        week: week.from,
        cents: week.owedCents,
        line: JSON.stringify(week),
      })),
  )
  if (rows.length > 0) await db.insertInto('pay_overtime').values(rows).execute()
}

/**
 * Applies what drivers reported while the period was locked, once it is unlocked. An event may have begun before the
 * lock and come to it after, so its time does not matter: shifts that have their events stay as they are.
 */
async function applyLateDriverEvents(db: Db, { actor }: Scope, { from, to }: PayPeriod): Promise<void> {
  const shifts = await db
    .selectFrom('shift as s')
    .select('s.uid')
    .where((eb) => eb.between('s.local_date', from, to))
    .where('s.deleted_at', 'is', null)
    .where((eb) => eb.exists(eb.selectFrom('driver_event as e').select('e.uid').whereRef('e.shift_uid', '=', 's.uid')))
    .execute()
  const uids = shifts.map(({ uid }) => uid)
  await withShiftEvents(db, uids, () => applyDriverEventsOf(db, uids, { userUid: actor.uid, address: actor.address }))
}

/** Records for partners that a period was locked. */
const recordLocked = (db: Db, { uid, from, to, lockedAt }: PayPeriod): Promise<void> =>
  recordEvents(db, [{ type: 'period.locked', object: `period ${uid}`, data: { periodUid: uid, from, to, lockedAt } }])

/** Locks a period, unlocks it with a reason, or opens it again. */
export const movePeriod = (db: Db, scope: Scope, { uid, version, state, reason }: BodyOf<typeof payroll.move>) =>
  inTransaction(db, async (db): Promise<PayPeriod> => {
    await lockPeriods(db)
    // Waits for events that are being applied, so that all of them are from before the lock.
    await periodRecords.lockRow(db, uid)
    const before = await periodRecords.get(db, scope, uid)
    if (before.version !== version) throw new AppError('staleVersion')
    const verdict = checkPeriodMove(before.state, state, reason)
    if ('refusal' in verdict) throw new AppError('payPeriodMove', { text: verdict.refusal })
    if ('isReasonMissing' in verdict) throw new AppError('badInput', { fields: { reason: 'Enter a reason.' } })
    await periodRecords.update(db, scope, uid, version, {
      state,
      reason: verdict.reason === 'new' ? reason : before.reason,
      approved_at: state === 'open' ? null : before.approvedAt,
      // Events carry the time of the database, and are late after this.
      locked_at: state === 'locked' ? new Date(await sharedNow(db)) : null,
    })
    if (before.state === 'locked') await applyLateDriverEvents(db, scope, before)
    if (state === 'open') {
      await db.deleteFrom('pay_line').where('period_uid', '=', uid).execute()
      await db.deleteFrom('pay_overtime').where('period_uid', '=', uid).execute()
    }
    const after = await periodRecords.get(db, scope, uid)
    if (state === 'locked') await recordLocked(db, after)
    return after
  })
