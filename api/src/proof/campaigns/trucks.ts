import { type CampaignTruck, type Depot, motionOf } from '@roadshow/contract'
import { trucksOfPrograms } from '../../live/fleet/index.ts'
import { clientLimit } from '../../live/plays/index.ts'
import { anyOf } from '../../platform/db/any-of.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { isNearDepot } from '../pop/index.ts'

/** The depots of all markets: a truck may stand at another than that of its shift. */
export async function readDepots(db: Db): Promise<Depot[]> {
  const markets = db.selectFrom('market').select('depots').$narrowType<{ depots: Depot[] }>()
  const found = await markets.where('depots', '<>', '[]').where('deleted_at', 'is', null).execute()
  return found.flatMap(({ depots }) => depots)
}

/** Those of some programs that a scope reaches. */
async function programsWithin(db: Db, scope: Scope, uids: readonly string[]): Promise<string[]> {
  const client = clientLimit(scope)
  const programs = await db
    .selectFrom('client_program')
    .select('uid')
    .where('uid', '=', anyOf(uids))
    .where('deleted_at', 'is', null)
    .where('status', '<>', 'draft')
    .$if(client !== null, (query) => query.where('client_uid', '=', client))
    .execute()
  return programs.map(({ uid }) => uid)
}

/** The trucks on shifts of these programs at this moment, without what a client does not see. */
export async function campaignTrucks(db: Db, scope: Scope, uids: readonly string[]): Promise<CampaignTruck[]> {
  const programs = await programsWithin(db, scope, uids)
  const trucks = await trucksOfPrograms(db, programs, await sharedNow(db))
  const depots = trucks.length > 0 ? await readDepots(db) : []
  return trucks.flatMap(({ programUid, truck }) => {
    const { shift, latitude, longitude, heading, positionAt } = truck
    if (!shift) return []
    const isShown = latitude !== null && longitude !== null && !isNearDepot({ latitude, longitude }, depots)
    return [
      {
        uid: shift.uid,
        programUid,
        market: shift.market,
        motion: motionOf(truck),
        latitude: isShown ? latitude : null,
        longitude: isShown ? longitude : null,
        heading: isShown ? heading : null,
        positionAt: isShown ? positionAt : null,
      },
    ]
  })
}
