import { sql } from 'kysely'
import { hasShifts } from '../../catalog/in-use/index.ts'
import { countRows, type DependentSource } from '../../platform/deletion/index.ts'

/** Periods that have paid shifts of a record. */
export const payPeriodDependents: DependentSource = {
  kind: 'payPeriods',
  count(db, record) {
    const condition = hasShifts(record)
    return (
      condition &&
      countRows(
        db,
        sql`(select distinct l.period_uid from pay_line l join shift s on s.uid = l.shift_uid where ${condition}) t`,
      )
    )
  },
  screen: () => '/users/payroll',
}

export const adjustmentDependents: DependentSource = {
  kind: 'payAdjustments',
  count: (db, { kind, uid }) =>
    kind === 'user' || kind === 'shift'
      ? countRows(
          db,
          sql`pay_adjustment t where t.deleted_at is null
                and ${sql.ref(kind === 'user' ? 't.driver_uid' : 't.shift_uid')} = ${uid}`,
        )
      : undefined,
  screen: () => '/users/payroll',
}
