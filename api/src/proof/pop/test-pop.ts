import { createHash, randomBytes } from 'node:crypto'
import { NIL_UUID, type Pop, pops, type ProgramInput, shiftRange } from '@roadshow/contract'
import { sql } from 'kysely'
import { openFleet } from '../../live/telemetry/test-fleet.ts'
import type { World } from '@roadshow/test-kit/world'
import { pictureBlob } from '../photos/pictures.ts'

/** Where the drives of tests begin; a depot is there. */
export const DEPOT = { name: 'Yard', latitude: 32.78, longitude: -96.8, radiusM: 400 }

interface GivenShift {
  programUid: string
  marketUid: string
  truckUid: string
  driverUid: string
  date: string
  start: string
  end: string
  /** UTC unless said otherwise; date, start and end are in it. */
  zone?: string
  status?: 'planned' | 'out' | 'completed' | 'cancelled' | 'noShow'
}

interface GivenPlays {
  programUid: string
  marketUid: string | null
  truckUid: string
  shiftUid?: string
  hour: string
  plays: number
}

/** Programs with shifts, plays and photos in the given world. */
export async function openPops(world: World) {
  const { db, call, app } = world
  const fleet = await openFleet(world)
  const austin = await world.addMarket('Austin')
  let count = 0

  async function addMarket(name: string, depots: object[] = []) {
    const { uid } = await world.addMarket(name)
    await db
      .updateTable('market')
      .set({ depots: JSON.stringify(depots) })
      .where('uid', '=', uid)
      .execute()
    return uid
  }

  const popOf = async (uid: string): Promise<Pop> => (await call(pops.get, { params: { uid } })).body.data

  /** A program that runs in these markets, as its POP. */
  async function addPop(marketUids: string[] = [austin.uid], given: Partial<ProgramInput> = {}): Promise<Pop> {
    const { uid } = await world.addProgram({ markets: marketUids.map((marketUid) => ({ marketUid })), ...given })
    return popOf(uid)
  }

  /** A shift that took place as planned, unless it is said to be something else. */
  async function addShift(given: GivenShift): Promise<string> {
    const { date, start, end, zone = 'UTC', status = 'completed' } = given
    const { startsAt = 0, endsAt = 0 } = shiftRange({ date, start, end, zone })
    const [starts_at, ends_at] = [new Date(startsAt).toISOString(), new Date(endsAt).toISOString()]
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
        starts_at,
        ends_at,
        status,
        ...(status === 'completed' && {
          started_at: starts_at,
          stopped_at: ends_at,
        }),
        ...(['cancelled', 'noShow'].includes(status) && { reason: 'It rained.' }),
      })
      .returning('uid')
      .executeTakeFirstOrThrow()
    return uid
  }

  /** Plays of an hour, of a shift or outside any. They belong to the day of their shift. */
  const addPlays = async (given: GivenPlays): Promise<void> => {
    const { programUid, marketUid, truckUid, shiftUid = NIL_UUID, hour, plays } = given
    const shift = await db.selectFrom('shift').select('local_date').where('uid', '=', shiftUid).executeTakeFirst()
    await sql`insert into play_hour (hour, truck_uid, shift_uid, program_uid, market_uid, day, side, plays, duration_ms,
                                      verified, conflict)
        values (${hour}, ${truckUid}, ${shiftUid}, ${programUid}, coalesce(${marketUid}::uuid, ${NIL_UUID}),
                coalesce(${shift?.local_date ?? null}::date, ${hour}::timestamptz::date), 'rear',
                ${plays}, ${plays * 8500}, ${Math.floor(plays / 2)}, ${plays % 3})`.execute(db)
  }

  /** A photo with pictures that are only bytes. */
  async function addPhoto(programUid: string, marketUid: string | null, given: object = {}) {
    const key = randomBytes(16).toString('hex')
    const content = Buffer.from(`The pixels of ${key}`)
    const sha256 = createHash('sha256').update(content).digest('hex')
    const size = (width: number) => ({ width, height: width / 2, bytes: content.length, sha256 })
    for (const name of ['small', 'medium', 'large'] as const) {
      await app.blobs.write(pictureBlob(key, name), content, 'image/webp')
    }
    const { uid } = await db
      .insertInto('pop_photo')
      .values({
        program_uid: programUid,
        market_uid: marketUid,
        key,
        original_name: `IMG_${++count}.jpg`,
        original_sha256: sha256,
        sizes: JSON.stringify({
          small: size(400),
          medium: size(1e3),
          large: size(2e3),
        }),
        blur: 'data:image/webp;base64,AAAA',
        position: count,
        status: 'approved',
        ...given,
      })
      .returning('uid')
      .executeTakeFirstOrThrow()
    return { uid, key, sha256 }
  }

  const publish = async (uid: string, note = '', token = world.people.admin.token, headers = {}) =>
    call(pops.publish, { body: { uid, version: (await popOf(uid)).version, note } }, { token, headers })

  return { ...fleet, austin: austin.uid, addMarket, addPop, popOf, addShift, addPlays, addPhoto, publish }
}
