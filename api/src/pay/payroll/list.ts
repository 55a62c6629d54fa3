import type { payroll, PayRow, PayStatement, QueryOf, ReplyOf } from '@roadshow/contract'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { figuresOf, type PayBook, payBook, type PayFigures, totalsOf } from './book.ts'
import { driversOf } from './facts.ts'

type Query = QueryOf<typeof payroll.list>

const shiftsIn = ({ halfDay, eightHours, twelveHours }: PayFigures) => halfDay + eightHours + twelveHours

const sorts: Record<string, (row: PayRow) => number> = {
  cents: ({ cents }) => cents,
  shifts: shiftsIn,
  actualMinutes: ({ actualMinutes }) => actualMinutes,
  anomalies: ({ anomalies }) => anomalies,
  overtimeCents: ({ overtimeCents }) => overtimeCents,
}

/** The rows that a query leaves of a book, in its order; by name where it does not say. */
function rowsOf({ drivers }: PayBook, { driver, search = '', only, sort = 'name' }: Query): PayRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const rows = drivers
    .map(({ driver, figures }): PayRow => ({ driver, ...figures }))
    .filter((row) => !driver || driver.includes(row.driver.uid))
    .filter(({ driver: { name, payrollId } }) =>
      words.every((word) => `${name} ${payrollId}`.toLowerCase().includes(word)),
    )
    .filter(
      (row) =>
        !only ||
        (only.includes('anomalies') && row.anomalies > 0) ||
        (only.includes('overtime') && row.overtimeMinutes > 0),
    )
  const value = sorts[sort.replace('-', '')]
  const ordered = value ? rows.toSorted((a, b) => value(a) - value(b)) : rows
  return sort.startsWith('-') ? ordered.toReversed() : ordered
}

/** A page of what drivers earned, with the totals of everybody whom the caller may see. */
export async function payPage(db: Db, scope: Scope, query: Query): Promise<ReplyOf<typeof payroll.list>> {
  const { page, pageSize, from, to } = query
  const book = await payBook(db, { from, to }, { scope })
  const rows = rowsOf(book, query)
  return {
    data: rows.slice((page - 1) * pageSize, page * pageSize),
    page,
    pageSize,
    total: rows.length,
    period: book.period,
    periods: book.periods,
    totals: totalsOf(book.drivers.map(({ figures }) => figures)),
  }
}

export const payRows = async (db: Db, scope: Scope, query: Query): Promise<PayRow[]> =>
  rowsOf(await payBook(db, query, { scope }), query)

/** Everything that makes up one driver's pay of some days. */
export async function payStatement(
  db: Db,
  scope: Scope,
  { from, to, driver = scope.actor.uid }: QueryOf<typeof payroll.statement>,
): Promise<PayStatement> {
  if (scope.rows === 'own' && driver !== scope.actor.uid) throw new AppError('notFound')
  const known = (await driversOf(db, [driver])).get(driver)
  if (!known) throw new AppError('notFound')
  const { period, periods, drivers } = await payBook(db, { from, to }, { scope, drivers: [driver] })
  const [paid = { driver: known, figures: figuresOf([], [], []), lines: [], adjustments: [], weeks: [] }] = drivers
  return { period, periods, from, to, ...paid }
}
