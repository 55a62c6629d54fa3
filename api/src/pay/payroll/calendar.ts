import {
  addDays,
  formatDays,
  openPayPeriodOn,
  type PayCalendar,
  payCalendarLabel,
  type PayDays,
  payPeriodOn,
  type payReview,
  type QueryOf,
  type ReplyOf,
  unsettledDays,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { readSettings } from '../../catalog/settings/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { dayIn, type FillIn, today } from '../../platform/http/fill-in.ts'

type Reply = ReplyOf<typeof payReview.calendar>['data']

/** Approved and locked periods by day, with the days of each. */
const loadClosed = (db: Db) =>
  db
    .selectFrom('pay_period')
    .select(['starts_on as from', 'ends_on as to', 'state'])
    .where('state', '<>', 'open')
    .where('deleted_at', 'is', null)
    .orderBy('starts_on')
    .execute()

/** The pay period of a day and those beside it; without a day the one to work on. */
export async function loadPayCalendar(
  db: Db,
  { rows }: Scope,
  { date }: QueryOf<typeof payReview.calendar>,
): Promise<Reply> {
  const calendar = await readSettings(db)
  const present = await today(db)
  const closed = await loadClosed(db)
  const periodOn = (day: string) => openPayPeriodOn(calendar, day, closed)
  const current = periodOn(present)
  const oldest = rows === 'all' ? await oldestToWorkOn(db, current, closed) : undefined
  const oldestPeriod = oldest === undefined ? null : periodOn(oldest)
  const shown = date === undefined ? (oldestPeriod ?? current) : periodOn(date)
  return {
    payCalendar: calendar.payCalendar,
    ...shown,
    previous: periodOn(addDays(shown.from, -1)),
    next: periodOn(addDays(shown.to, 1)),
    current,
    oldest: oldestPeriod,
    today: present,
  }
}

/**
 * The first day before the current period that payroll has not locked: of an approved period, or with a shift or an adjustment
 * in none. Days before the first period were not paid here; without any period, the one before the current one is the first.
 */
async function oldestToWorkOn(
  db: Db,
  current: PayDays,
  closed: Awaited<ReturnType<typeof loadClosed>>,
): Promise<string | undefined> {
  const yesterday = addDays(current.from, -1)
  const begins = closed[0]?.from ?? payPeriodOn(await readSettings(db), yesterday).from
  const gaps = begins <= yesterday ? unsettledDays({ from: begins, to: yesterday }, closed) : []
  const { rows } = await sql<{ day: string | null }>`
    select min(d.day) as day
      from jsonb_to_recordset(${JSON.stringify(gaps)}::jsonb) g ("from" date, "to" date)
     cross join lateral (
       (select local_date as day from shift where local_date between g."from" and g."to" and deleted_at is null
           and status not in ('cancelled', 'noShow') order by local_date limit 1)
       union all
       (select local_date from pay_adjustment where local_date between g."from" and g."to" and deleted_at is null
         order by local_date limit 1)) d`.execute(db)
  const approved = closed.find(({ state }) => state === 'approved')?.from
  return [rows[0]?.day, approved].filter((day) => typeof day === 'string').toSorted()[0]
}

/** Refuses days that are no period of the pay calendar. A period that was approved before may be approved again. */
export async function refuseOutOfStep(db: Db, { from, to }: PayDays): Promise<void> {
  const known = await db
    .selectFrom('pay_period')
    .select('uid')
    .where('starts_on', '=', from)
    .where('ends_on', '=', to)
    .executeTakeFirst()
  if (known) return
  const calendar = await readSettings(db)
  const due = openPayPeriodOn(calendar, from, await loadClosed(db))
  if (due.from === from && due.to === to) return
  throw new AppError('payPeriodMove', { text: outOfStep(calendar, { from, to }, due) })
}

const outOfStep = ({ payCalendar }: PayCalendar, given: PayDays, due: PayDays): string =>
  `${formatDays(given.from, given.to)} is out of step with the pay calendar (${payCalendarLabel[payCalendar].toLowerCase()}): ` +
  `${formatDays(given.from, given.from)} belongs to the pay period ${formatDays(due.from, due.to)}.`

/** The pay period of today, or of the day that was given; given days stay. */
export const fillPayPeriod: FillIn = async ({ query }, db) => {
  const [from, to] = [dayIn(query['from']), dayIn(query['to'])]
  if (from !== undefined && to !== undefined) return { from, to }
  const period = openPayPeriodOn(await readSettings(db), from ?? to ?? (await today(db)), await loadClosed(db))
  return { from: from ?? period.from, to: to ?? period.to }
}
