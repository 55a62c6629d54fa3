import { randomUUID } from 'node:crypto'
import { shiftRange } from '@roadshow/contract'
import type { World } from '@roadshow/test-kit/world'

const MINUTE = 60_000

interface ChartShift {
  truckUid: string
  driverUid: string
  programUid: string
  marketUid: string
  zone?: string
  date: string
  start?: string
  end?: string
  status?: string
  /** Minutes from the planned to the actual start; no start without it. */
  late?: number
  /** Actual minutes. */
  worked?: number
  isDeleted?: boolean
}

/** What charts are drawn of: markets in zones, trucks, drivers and shifts of the past. */
export function chartFleet({ db, addMarket, addUser }: World) {
  async function addPlace(name: string, zone = 'America/Chicago'): Promise<string> {
    const { uid } = await addMarket(name)
    await db.updateTable('market').set({ zone }).where('uid', '=', uid).execute()
    return uid
  }

  const addTruck = async (homeMarketUid: string | null, createdAt: string, state = 'active'): Promise<string> =>
    (
      await db
        .insertInto('truck')
        .values({
          number: `T ${randomUUID()}`,
          kind: 'led',
          state,
          home_market_uid: homeMarketUid,
          created_at: createdAt,
        })
        .returning('uid')
        .executeTakeFirstOrThrow()
    ).uid

  async function addDriver(name: string): Promise<string> {
    const { uid } = await addUser('driver')
    await db.updateTable('user_account').set({ name }).where('uid', '=', uid).execute()
    return uid
  }

  async function addShift(given: ChartShift): Promise<string> {
    const { zone = 'America/Chicago', date, start = '08:00', end = '16:00', status = 'planned', late, worked } = given
    const { startsAt = Number.NaN, endsAt = Number.NaN } = shiftRange({ date, start, end, zone })
    const startedAt = late === undefined ? null : startsAt + late * MINUTE
    const stoppedAt = startedAt === null || worked === undefined ? null : startedAt + worked * MINUTE
    const isoOf = (at: number | null) => (at === null ? null : new Date(at).toISOString())
    const { uid } = await db
      .insertInto('shift')
      .values({
        truck_uid: given.truckUid,
        driver_uid: given.driverUid,
        program_uid: given.programUid,
        market_uid: given.marketUid,
        local_date: date,
        start_time: start,
        end_time: end,
        zone,
        starts_at: new Date(startsAt).toISOString(),
        ends_at: new Date(endsAt).toISOString(),
        status,
        reason: ['cancelled', 'noShow'].includes(status) ? 'Rain' : '',
        started_at: isoOf(startedAt),
        stopped_at: isoOf(stoppedAt),
        deleted_at: given.isDeleted ? new Date() : null,
      })
      .returning('uid')
      .executeTakeFirstOrThrow()
    return uid
  }

  return { addPlace, addTruck, addDriver, addShift }
}
