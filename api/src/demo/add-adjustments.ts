import { addDays } from '@roadshow/contract'
import type { Db } from '../platform/db/connection.ts'
import type { Scope } from '../platform/db/records/scope.ts'
import { addAdjustment } from '../pay/payroll/index.ts'
import { driverUids } from './add-fleet.ts'

// Days before the demo began, for whom, how much in cents, and why.
const GIVEN: [daysAgo: number, driver: number, cents: number, note: string][] = [
  [4, 0, 1850, 'Parking at the stadium'],
  [5, 3, -2500, 'Advance paid in cash'],
  [9, 1, 4200, 'Truck wash and fuel, receipts in the office'],
  [12, 5, 3000, 'Trained a new driver'],
]

/** Adds what some drivers got or gave back beside their shifts. */
export async function addAdjustments(db: Db, scope: Scope, today: string): Promise<void> {
  const drivers = await driverUids(db)
  for (const [daysAgo, index, cents, note] of GIVEN) {
    const driverUid = drivers[index % drivers.length]
    if (!driverUid) continue
    await addAdjustment(db, scope, { driverUid, date: addDays(today, -daysAgo), cents, note, shiftUid: null })
  }
}
