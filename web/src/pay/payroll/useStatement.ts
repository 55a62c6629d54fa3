import { payroll } from '@roadshow/contract/pay/payroll'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import type { PayDateRange } from './usePayDays.ts'

/** The pay statement of a driver, or of the user. */
export function useStatement({ from, to }: PayDateRange, driver?: string) {
  const query = { from, to, ...(driver && { driver }) }
  return useQuery({
    queryKey: keyOf(payroll.statement, query),
    queryFn: async ({ signal }) => (await call(payroll.statement, { query }, { signal })).data,
  })
}
