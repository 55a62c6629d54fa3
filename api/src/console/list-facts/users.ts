import { addDays, type UserFacts, workweekOf } from '@roadshow/contract'
import { payMinutesOfDrivers } from '../../pay/payroll/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { today } from '../../platform/http/fill-in.ts'
import { nextShiftOfEach } from './next-shifts.ts'

/** Hours of this week and next shifts of a page of users. */
export async function factsOfUsers(db: Db, scope: Scope, uids: readonly string[]): Promise<UserFacts[]> {
  const from = workweekOf(await today(db))
  const minutes = await payMinutesOfDrivers(db, scope, { from, to: addDays(from, 6) }, uids)
  const next = await nextShiftOfEach(db, 'driver_uid', uids)
  return uids.map((uid) => {
    const { driver: _driver, total: _total, ...nextShift } = next.get(uid) ?? {}
    return { uid, weekMinutes: minutes.get(uid) ?? null, nextShift: 'uid' in nextShift ? nextShift : null }
  })
}
