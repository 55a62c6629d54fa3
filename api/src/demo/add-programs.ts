import { createHash } from 'node:crypto'
import { truckSides } from '@roadshow/contract'
import { zipCenter } from '../catalog/markets/index.ts'
import type { Db } from '../platform/db/connection.ts'
import type { PicturesOf } from './add-clients.ts'
import { requireUid, type Uids, uidsByName } from './add-fleet.ts'
import { demoMarkets } from './markets.ts'
import { type DemoProgram, demoPrograms } from './programs.ts'
import { seededIntegers } from './seeded-integers.ts'

interface Known {
  clients: Uids
  markets: Uids
  pictures: PicturesOf
  today: string
}

type AddedProgram = DemoProgram & { uid: string; artworkUid: string }

/** Adds programs with their markets; answers the programs by the address of their POP. */
export async function insertPrograms(
  db: Db,
  changed_by: string,
  { clients, markets, planned }: { clients: Uids; markets: Uids; planned: readonly DemoProgram[] },
): Promise<Uids> {
  const rows = planned.map(({ client, name, status, startsOn, endsOn, popUrl }) => ({
    client_uid: requireUid(clients, client.name),
    name,
    status,
    starts_on: startsOn,
    ends_on: endsOn,
    pop_url: popUrl,
    changed_by,
  }))
  const added = await db.insertInto('client_program').values(rows).returning(['uid', 'pop_url as name']).execute()
  const uids = uidsByName(added)
  const inMarkets = planned.flatMap((program) =>
    program.markets.map(({ name, startsOn }, position) => ({
      program_uid: requireUid(uids, program.popUrl),
      market_uid: requireUid(markets, name),
      starts_on: startsOn,
      position,
    })),
  )
  await db.insertInto('program_market').values(inMarkets).execute()
  return uids
}

/** Adds the programs with an artwork set each, approved unless the program is a draft. */
export async function addPrograms(db: Db, changed_by: string, known: Known): Promise<AddedProgram[]> {
  const planned = demoPrograms(known.today)
  const uids = await insertPrograms(db, changed_by, { ...known, planned })
  const sets = planned.map(({ client, name, status, popUrl }) => {
    const files = known.pictures.get(client.name)?.artwork
    if (!files) throw new Error(`The demo has no artwork of ${client.name}.`)
    const hash = createHash('sha256')
      .update(truckSides.map((side) => files[side].sha256).join('\n'))
      .digest('hex')
    const isApproved = status !== 'draft'
    return {
      program_uid: requireUid(uids, popUrl),
      name: `${name} – main`,
      status: isApproved ? 'approved' : 'draft',
      driver_side_artwork_uid: files.driverSide.uid,
      passenger_side_artwork_uid: files.passengerSide.uid,
      rear_artwork_uid: files.rear.uid,
      approved_hash: isApproved ? hash : null,
      approved_by: isApproved ? changed_by : null,
      approved_at: isApproved ? new Date() : null,
      changed_by,
    }
  })
  const addedSets = await db.insertInto('artwork_set').values(sets).returning(['uid', 'program_uid as name']).execute()
  const setUids = uidsByName(addedSets)
  return planned.map((program) => {
    const uid = requireUid(uids, program.popUrl)
    return { ...program, uid, artworkUid: requireUid(setUids, uid) }
  })
}

// One to three miles.
const RADII = [1609, 3219, 4828]

/** Adds the places of clients who have some, in the markets of each of their programs. */
export async function addAddresses(db: Db, changed_by: string, added: readonly AddedProgram[]): Promise<void> {
  const pick = seededIntegers(67)
  const leading = added.filter(({ client }) => client.places)
  const rows = leading.map(({ uid, client }) => ({
    program_uid: uid,
    name: `${client.name}: every ${client.places}`,
    changed_by,
  }))
  const sets = await db.insertInto('address_set').values(rows).returning(['uid', 'program_uid as name']).execute()
  const setUids = uidsByName(sets)
  const places = leading.flatMap((program) =>
    demoMarkets
      .filter(({ name }) => program.markets.some((market) => market.name === name))
      .flatMap(({ name, state, places: near }) =>
        near.map(([zip, area, street]) => ({
          set_uid: requireUid(setUids, program.uid),
          label: `${area} ${program.client.places}, ${name}`,
          address: `${100 + pick(1800)} ${street}, ${name}, ${state} ${zip}`,
          radius_m: RADII[pick(RADII.length)] ?? 1609,
          artwork_set_uid: program.artworkUid,
          located_by: 'zip',
        })),
      )
      .map((place, position) => ({ ...place, position })),
  )
  const located = await Promise.all(
    places.map(async (place) => {
      const center = await zipCenter(place.address)
      if (!center) throw new Error(`There is no ZIP code in ${place.address}.`)
      return { ...place, latitude: center.latitude, longitude: center.longitude }
    }),
  )
  await db.insertInto('sd_address').values(located).execute()
}
