import { randomBytes } from 'node:crypto'
import { addresses, clients, DAY_MS, type Market, programs } from '@roadshow/contract'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { World } from '@roadshow/test-kit/world'
import { fleetOf, zoneWhereItIs } from '../../src/live/players/test-fleet.ts'
import { storePlays } from '../../src/live/plays/index.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Where the truck is in a client's own hours, and in all others. Each answer is searched for the digits of the latter. */
const OWN_PLACE = { latitude: 32.512345, longitude: -96.512345 }
const OTHER_PLACE = { latitude: 41.987654, longitude: -87.987654 }
const DEPOT = { name: 'Zyx yard', latitude: 33.112233, longitude: -97.445566, radiusM: 400 }
const ODOMETER = 98_765_432

interface Party {
  word: string
  driver: { uid: string; token: string; email: string; name: string; phone: string }
  clientUid: string
  programUid: string
  art: { uid: string; sha256: string }
  setUid: string
  addressUid: string
}

async function addParty(world: World, word: string, driverName: string, market: Market): Promise<Party> {
  const { db, call } = world
  const fleet = fleetOf(world)
  const client = (await call(clients.create, { body: { name: `${word} client`, note: 'Zyx note' } })).body.data
  const program = (
    await call(programs.create, {
      body: {
        clientUid: client.uid,
        name: `${word} program`,
        popUrl: `${word}-page`,
        status: 'active',
        startsOn: '2020-01-01',
        endsOn: '2099-12-31',
        markets: [{ marketUid: market.uid }],
        note: 'Zyx note',
      },
    })
  ).body.data
  const art = await fleet.addArtwork(program.uid)
  await db
    .updateTable('artwork_set')
    .set({ name: `${word} art`, note: 'Zyx note' })
    .where('uid', '=', art.uid)
    .execute()
  const place = { label: `${word} shop`, address: `${word} street`, radiusM: 500, locatedBy: 'pin' as const }
  const at = word === 'Acme' ? OWN_PLACE : OTHER_PLACE
  const body = {
    programUid: program.uid,
    name: `${word} places`,
    note: 'Zyx note',
    addresses: [{ ...place, ...at }],
  }
  const { uid: setUid } = (await call(addresses.create, { body })).body.data
  const address = await db
    .selectFrom('sd_address')
    .select('uid')
    .where('set_uid', '=', setUid)
    .executeTakeFirstOrThrow()
  const user = await world.addUser('driver', undefined)
  const phone = `+1 555 ${user.uid.slice(-7)}`
  await db.updateTable('user_account').set({ name: driverName, phone }).where('uid', '=', user.uid).execute()
  const driver = { ...user, name: driverName, phone }
  return { word, driver, clientUid: client.uid, programUid: program.uid, art, setUid, addressUid: address.uid }
}

async function addPhoto(world: World, { word, programUid, driver }: Party, given: object): Promise<string> {
  const size = { width: 4, height: 3, bytes: 10, sha256: 'b'.repeat(64) }
  const key = randomBytes(16).toString('hex')
  const { uid } = await world.db
    .insertInto('pop_photo')
    .values({
      program_uid: programUid,
      key,
      original_name: `${word}.jpg`,
      original_sha256: randomBytes(32).toString('hex'),
      caption: `${word} caption`,
      status: 'approved',
      sizes: JSON.stringify({ small: size, medium: size, large: size }),
      blur: '',
      position: 1,
      taken_by: driver.uid,
      ...given,
    })
    .returning('uid')
    .executeTakeFirstOrThrow()
  return uid
}

/**
 * One truck that drives for two clients, with a driver each: at night for Acme and from the handover at 2:00 AM for Zyxcorp;
 * today for Zyxcorp until half an hour after the planned end, now for Acme, and later for Zyxcorp again. Everything that can
 * be told of a truck exists in the hours of both. Whatever is Zyxcorp's, a driver's or for staff only has `Zyx` in its text.
 */
export async function openSharedTruck(world: World) {
  const { db } = world
  const fleet = fleetOf(world)
  const now = Math.floor(Date.now() / MINUTE) * MINUTE
  // The shifts from nine hours ago on are all of today.
  const zone = zoneWhereItIs(14)
  const localDayOf = (ms: number) => zone.localTime(ms).slice(0, 10)
  const market = await world.addMarket('Dallas')
  await db
    .updateTable('market')
    .set({ zone: zone.name, ...OWN_PLACE, radius_m: 90_000, depots: JSON.stringify([DEPOT]) })
    .where('uid', '=', market.uid)
    .execute()
  const acme = await addParty(world, 'Acme', 'Dorothea Zyxley', market)
  const zyx = await addParty(world, 'Zyxcorp', 'Quentin Zyxler', market)
  const truckUid = await fleet.addTruck({ number: 'T-7', note: 'Zyx note' })
  const player = await fleet.addDevice(truckUid)

  const addShift = (party: Party, from: number, to: number, more: Record<string, unknown>) =>
    fleet.addShift({
      truckUid,
      programUid: party.programUid,
      marketUid: market.uid,
      from,
      to,
      driver_uid: party.driver.uid,
      artwork_set_uid: party.art.uid,
      address_set_uid: party.setUid,
      note: 'Zyx note',
      fixedZone: zone,
      ...more,
    })
  const at = (ms: number) => new Date(ms).toISOString()
  const took = (from: number, to: number) => ({ status: 'completed', started_at: at(from), stopped_at: at(to) })
  // At 10:00 PM, three days ago.
  const evening = now - (Date.parse(`${zone.localTime(now).slice(0, 19)}Z`) % DAY_MS) - 3 * DAY_MS + 22 * HOUR
  const handover = evening + 4 * HOUR
  const hours = {
    ownNight: { from: evening, to: handover },
    otherNight: { from: handover, to: handover + 4 * HOUR },
    otherToday: { from: now - 9 * HOUR, to: now - 4.5 * HOUR },
    // From the end of the shift before, which ran over, although the driver taps Start half an hour later.
    ownToday: { from: now - 4.5 * HOUR, to: now },
  }
  const ownNight = await addShift(acme, evening, handover, took(evening, handover))
  const otherNight = await addShift(zyx, handover, handover + 4 * HOUR, took(handover, handover + 4 * HOUR))
  const otherToday = await addShift(zyx, now - 9 * HOUR, now - 5 * HOUR, took(now - 9 * HOUR, now - 4.5 * HOUR))
  // Planned for the competitor and its driver at first.
  const ownToday = await addShift(zyx, now - 5 * HOUR, now + 2 * HOUR, {})
  await sql`update shift set program_uid = ${acme.programUid}, driver_uid = ${acme.driver.uid},
              artwork_set_uid = ${acme.art.uid}, address_set_uid = ${acme.setUid}, changed_by = ${world.people.admin.uid}
             where uid = ${ownToday.uid}`.execute(db)
  await sql`update shift set status = 'out', started_at = ${at(now - 4 * HOUR)}, changed_by = ${acme.driver.uid}
             where uid = ${ownToday.uid}`.execute(db)
  const otherLater = await addShift(zyx, now + 2 * HOUR, now + 6 * HOUR, {})

  const isOwn = (ms: number) =>
    [hours.ownNight, hours.ownToday].some(({ from, to }) => ms >= from && (ms < to || to === now))
  const fixes = [
    ...Object.values(hours).flatMap(({ from, to }) => [from, from + 50 * MINUTE, to - 1000]),
    // Before the late start, at the very handover, and in the minute before the client's own hours.
    now - 4.25 * HOUR,
    hours.ownToday.from - 20_000,
    hours.ownToday.from + 20_000,
    hours.ownNight.from - 20_000,
  ]
  for (const ms of new Set(fixes)) await fleet.addPosition(truckUid, at(ms), isOwn(ms) ? OWN_PLACE : OTHER_PLACE)
  const present = { at: at(now - MINUTE), ...OWN_PLACE, speed_kmh: 40, odometer_m: ODOMETER }
  await db
    .insertInto('truck_now')
    .values({ truck_uid: truckUid, ...present })
    .onConflict((conflict) => conflict.column('truck_uid').doUpdateSet(present))
    .execute()

  const play = (party: Party, ms: number) =>
    fleet.aPlay(party.art, { startedAt: at(ms), place: isOwn(ms) ? OWN_PLACE : OTHER_PLACE })
  // Each client's artwork also in the hours of the other.
  const { answer } = await storePlays(db, { uid: player.uid, truckUid }, [
    play(acme, hours.ownToday.from + 10 * MINUTE),
    play(acme, hours.otherToday.from + 10 * MINUTE),
    play(zyx, hours.otherToday.from + 20 * MINUTE),
    play(zyx, hours.ownToday.from + 20 * MINUTE),
  ])
  expect(answer).toMatchObject({ rows: Array.from({ length: 4 }, () => ({ result: 'accepted' })) })
  // Feeds deliver plays some minutes after they arrived.
  await sql`update play set received_at = received_at - interval '1 hour'`.execute(db)
  const approach = (shiftUid: string, addressUid: string, ms: number) =>
    sql`insert into shift_approach (shift_uid, address_uid, entered_at, left_at, nearest_m)
        values (${shiftUid}, ${addressUid}, ${at(ms)}, ${at(ms + MINUTE)}, 10)`.execute(db)
  await approach(ownToday.uid, acme.addressUid, hours.ownToday.from)
  await approach(otherToday.uid, zyx.addressUid, hours.otherToday.from)

  const addIssue = async (text: string, ms: number, shiftUid: string | null) =>
    (
      await db
        .insertInto('truck_issue')
        .values({
          truck_uid: truckUid,
          shift_uid: shiftUid,
          kind: 'other',
          raised_by: 'driver',
          text,
          opened_at: at(ms),
          note: 'Zyx note',
        })
        .returning('uid')
        .executeTakeFirstOrThrow()
    ).uid
  const issues = {
    own: [
      await addIssue('Acme issue of the shift', hours.ownToday.from + HOUR, ownToday.uid),
      await addIssue('Acme issue without a shift', hours.ownToday.from + 2 * HOUR, null),
      await addIssue('Acme issue of the night', hours.ownNight.to - MINUTE, null),
      await addIssue('Acme issue before the late start', now - 4.25 * HOUR, null),
    ],
    other: [
      await addIssue('Zyx issue of the shift', hours.otherToday.from + HOUR, otherToday.uid),
      await addIssue('Zyx issue without a shift', hours.otherToday.from + 2 * HOUR, null),
      await addIssue('Zyx issue of running over', hours.otherToday.to - MINUTE, null),
      await addIssue('Zyx issue at the handover', handover, null),
      await addIssue('Zyx issue of no one', handover + 5 * HOUR, null),
    ],
  }
  const photo = (party: Party, ms: number, shiftUid: string, more: object = {}) =>
    addPhoto(world, party, {
      market_uid: market.uid,
      truck_uid: truckUid,
      shift_uid: shiftUid,
      taken_at: at(ms),
      time_source: 'exif',
      place_source: 'exif',
      ...(isOwn(ms) ? OWN_PLACE : OTHER_PLACE),
      ...more,
    })
  const photos = {
    own: [await photo(acme, hours.ownToday.from + HOUR, ownToday.uid)],
    other: [
      await photo(zyx, hours.otherToday.from + HOUR, otherToday.uid),
      await photo({ ...acme, word: 'Zyx waiting' }, hours.ownToday.from + HOUR, ownToday.uid, { status: 'waiting' }),
    ],
  }
  const otherShifts = [otherNight.uid, otherToday.uid, otherLater.uid]
  return {
    now,
    handover,
    market,
    truckUid,
    acme,
    zyx,
    shifts: { own: [ownToday.uid, ownNight.uid], other: otherShifts },
    issues,
    photos,
    days: { first: localDayOf(evening), second: localDayOf(handover), last: localDayOf(now + DAY_MS) },
    /** Stands in no answer to Acme. */
    secrets: [
      'Zyx',
      String(OTHER_PLACE.latitude),
      String(OTHER_PLACE.longitude),
      String(DEPOT.latitude),
      String(DEPOT.longitude),
      String(ODOMETER),
      ...[acme.driver, zyx.driver].flatMap(({ uid, email, phone }) => [uid, email, phone]),
      zyx.clientUid,
      zyx.programUid,
      zyx.art.uid,
      zyx.setUid,
      zyx.addressUid,
      ...otherShifts,
      ...issues.other,
      ...photos.other,
    ],
    ownPlace: String(OWN_PLACE.latitude),
  }
}

export type SharedTruck = Awaited<ReturnType<typeof openSharedTruck>>
