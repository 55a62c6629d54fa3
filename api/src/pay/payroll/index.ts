import { partOfRecord, record } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { adjustmentDependents, payPeriodDependents } from './dependents.ts'
import { payrollRoutes } from './routes.ts'

export { addAdjustment } from './changes.ts'
export { loadPayPage, payMinutesOfDrivers } from './list.ts'
export { approvePeriod, movePeriod } from './periods.ts'

export const payrollModule = defineModule({
  name: 'pay/payroll',
  tables: {
    pay_adjustment: record,
    pay_line: partOfRecord,
    pay_overtime: partOfRecord,
    pay_override: record,
    pay_period: record,
  },
  routes: payrollRoutes,
  dependents: [payPeriodDependents, adjustmentDependents],
  // A trigger refuses every write to a closed period, and names the period.
  dbErrors: { pay_period_closed: 'payPeriodClosed' },
})
