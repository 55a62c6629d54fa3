import { type ProgramFacts, valueOfLines } from '@roadshow/contract'
import { countTrucksOfPrograms } from '../../live/fleet/index.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { nextShifts } from '../../proof/campaigns/index.ts'
import { deliveriesOf } from '../../proof/delivery/index.ts'

/** How a page of programs is doing: those that the reader may see. */
export async function factsOfPrograms(db: Db, scope: Scope, asked: readonly string[]): Promise<ProgramFacts[]> {
  const now = await sharedNow(db)
  const deliveries = await deliveriesOf(db, scope, asked, now)
  const uids = [...deliveries.keys()]
  const next = new Map((await nextShifts(db, uids, 1)).map(({ programUid, ...shift }) => [programUid, shift]))
  const trucks = await countTrucksOfPrograms(db, uids, now)
  return [...deliveries].map(([uid, { pace, state, lines }]) => {
    const { total = 0, ...shift } = next.get(uid) ?? {}
    return {
      uid,
      pace,
      state,
      ...valueOfLines(lines),
      nextShift: 'uid' in shift ? shift : null,
      shiftsPlanned: total,
      trucksOut: trucks.get(uid) ?? 0,
    }
  })
}
