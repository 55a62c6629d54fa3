import type { TruckFacts } from '@roadshow/contract'
import { countIssuesOfTrucks, liveTrucks, weekMilesOfTrucks } from '../../live/fleet/index.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { nextShiftOfEach } from './next-shifts.ts'

/** What a page of trucks does, in one statement for each kind of fact. */
export async function factsOfTrucks(db: Db, uids: readonly string[]): Promise<TruckFacts[]> {
  const now = await sharedNow(db)
  const live = new Map((await liveTrucks(db, now, uids)).map((truck) => [truck.uid, truck]))
  const next = await nextShiftOfEach(db, 'truck_uid', uids)
  const issues = await countIssuesOfTrucks(db, uids, now)
  const miles = await weekMilesOfTrucks(db, uids, now)
  return uids.map((uid) => {
    const { state = null, shift = null } = live.get(uid) ?? {}
    const { truck: _truck, total = 0, ...nextShift } = next.get(uid) ?? {}
    return {
      uid,
      state,
      shift: shift && { uid: shift.uid, program: shift.program, driver: shift.driver ?? '' },
      nextShift: 'uid' in nextShift ? nextShift : null,
      shiftsPlanned: total,
      openIssues: issues.get(uid) ?? 0,
      weekMetres: miles.get(uid) ?? null,
    }
  })
}
