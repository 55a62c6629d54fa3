import { payroll } from '@roadshow/contract/pay/payroll'
import { useCall } from '../../api/useCall.ts'
import type { PayDateRange } from './usePayDays.ts'

/** The pay statement of a driver, or of the user. */
export function useStatement({ from, to }: PayDateRange, driver?: string) {
  const query = { from, to, ...(driver && { driver }) }
  return useCall(payroll.statement, { query })
}
