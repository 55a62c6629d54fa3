import type { payroll, PayRow, PayStatement, QueryOf, ReplyOf } from '@roadshow/contract'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { loadDeletedAdjustments } from './adjustments.ts'
import { loadPayBook, type PayBook } from './book.ts'
import { countAnomalies, type PayFigures, sumPay, totalPay } from './book-rules.ts'
import { type DayRange, loadDrivers } from './facts.ts'

type Query = QueryOf<typeof payroll.list>

const countPaidShifts = ({ halfDay, eightHours, twelveHours }: PayFigures) => halfDay + eightHours + twelveHours

const sorts: Record<string, (row: PayRow) => number> = {
  cents: ({ cents }) => cents,
  shifts: countPaidShifts,
  actualMinutes: ({ actualMinutes }) => actualMinutes,
  anomalies: ({ anomalies }) => anomalies,
  overtimeCents: ({ overtimeCents }) => overtimeCents,
}

/** The rows that match a query, in its order or by name. */
function filterRows({ drivers }: PayBook, { driver, search = '', only, anomaly, sort = 'name' }: Query): PayRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const rows = drivers
    .filter(
      ({ lines }) => !anomaly || lines.some(({ anomalies }) => anomalies.some(({ kind }) => anomaly.includes(kind))),
    )
    .map(({ driver, figures }): PayRow => ({ driver, ...figures }))
    .filter((row) => !driver || driver.includes(row.driver.uid))
    .filter(({ driver: { name, payrollId } }) =>
      words.every((word) => `${name} ${payrollId}`.toLowerCase().includes(word)),
    )
    .filter(
      (row) =>
        !only ||
        (only.includes('undecided') && row.undecided > 0) ||
        (only.includes('anomalies') && row.anomalies > 0) ||
        (only.includes('overtime') && row.overtimeMinutes > 0),
    )
  const value = sorts[sort.replace('-', '')]
  const ordered = value ? rows.toSorted((a, b) => value(a) - value(b)) : rows
  return sort.startsWith('-') ? ordered.toReversed() : ordered
}

/** A page of drivers with their pay, and the totals of all drivers whom the caller may see. */
export async function loadPayPage(db: Db, scope: Scope, query: Query): Promise<ReplyOf<typeof payroll.list>> {
  const { page, pageSize, from, to } = query
  const book = await loadPayBook(db, { from, to }, { scope })
  const rows = filterRows(book, query)
  return {
    data: rows.slice((page - 1) * pageSize, page * pageSize),
    page,
    pageSize,
    total: rows.length,
    period: book.period,
    periods: book.periods,
    anomalyKinds: countAnomalies(book.drivers),
    totals: totalPay(book.drivers.map(({ figures }) => figures)),
  }
}

export const loadPayRows = async (db: Db, scope: Scope, query: Query): Promise<PayRow[]> =>
  filterRows(await loadPayBook(db, query, { scope }), query)

/** The actual minutes of drivers on some days, as their pay counts them; drivers without a shift are left out. */
export async function payMinutesOfDrivers(
  db: Db,
  scope: Scope,
  days: DayRange,
  uids: readonly string[],
): Promise<Map<string, number>> {
  const { drivers } = await loadPayBook(db, days, { scope, drivers: [...uids] })
  const withShifts = drivers.filter(({ lines }) => lines.length > 0)
  return new Map(withShifts.map(({ driver, figures }) => [driver.uid, figures.actualMinutes]))
}

/** Everything that makes up the pay of one driver on some days. */
export async function loadStatement(
  db: Db,
  scope: Scope,
  { from, to, driver = scope.actor.uid }: QueryOf<typeof payroll.statement>,
): Promise<PayStatement> {
  if (scope.rows === 'own' && driver !== scope.actor.uid) throw new AppError('notFound')
  const known = (await loadDrivers(db, [driver])).get(driver)
  if (!known) throw new AppError('notFound')
  const { period, periods, drivers } = await loadPayBook(db, { from, to }, { scope, drivers: [driver] })
  const [paid = { driver: known, figures: sumPay([], [], []), lines: [], adjustments: [], weeks: [] }] = drivers
  // Drivers read what is paid; only the office reads what was deleted.
  const deletedAdjustments =
    scope.rows === 'own' ? [] : await loadDeletedAdjustments(db, { from, to }, { scope, drivers: [driver] })
  return { period, periods, from, to, ...paid, deletedAdjustments }
}
