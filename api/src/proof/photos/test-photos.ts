import {
  type Client,
  DAY_MS,
  type InputOf,
  localDay,
  type Market,
  markets,
  type Point,
  type PopPhoto,
  pops,
  type Program,
  type Shift,
  shifts,
} from '@roadshow/contract'
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect } from 'vitest'
import type { World } from '@roadshow/test-kit/world'
import { instantOfClock } from '../../platform/spreadsheet/local-time.ts'

const ZONE = 'America/Chicago'
export const DALLAS_CENTER = { latitude: 32.78, longitude: -96.8 }
export const AUSTIN_CENTER = { latitude: 30.27, longitude: -97.74 }
/** A place some meters farther north; a degree of latitude is 111 km. */
export const placeNorthOf = ({ latitude, longitude }: Point, meters: number): Point => ({
  latitude: latitude + meters / 111_195,
  longitude,
})

// Yesterday, as tracks that come late are expected within weeks.
export const SHOOT_DAY = localDay(ZONE, Date.now() - DAY_MS)
/** When clocks in Dallas showed a time of the day of the tests. */
export const shootTime = (time: string): number => instantOfClock(`${SHOOT_DAY}T${time}`, ZONE) ?? 0

/** How far the zone is from UTC, which depends on the season that the tests run in. */
export const ZONE_OFFSET = new Date(shootTime('12:00:00')).getUTCHours() === 17 ? '-05:00' : '-06:00'

interface Taken {
  /** What the camera's clock showed, on the day of the tests; none where it says nothing. */
  clock?: string
  /** Such as -05:00. */
  offset?: string
  place?: Point
  /** By satellites. */
  gpsTime?: number
  orientation?: number
  width?: number
  height?: number
}

const degrees = (value: number) => {
  const whole = Math.floor(Math.abs(value))
  return `${whole}/1 0/1 ${Math.round((Math.abs(value) - whole) * 3_600_000)}/1000`
}

let count = 0

/** A photo as a camera writes it. No two are the same. */
export async function cameraPhoto({
  clock,
  offset,
  place,
  gpsTime,
  orientation,
  ...size
}: Taken = {}): Promise<Buffer> {
  const { width = 64, height = 48 } = size
  const shade = ++count % 200
  const gps = gpsTime === undefined ? undefined : new Date(gpsTime).toISOString()
  const exif = {
    IFD0: { Artist: 'secret', Copyright: `photo ${count}` },
    IFD2: {
      ...(clock && { DateTimeOriginal: `${SHOOT_DAY.replaceAll('-', ':')} ${clock}` }),
      ...(offset && { OffsetTimeOriginal: offset }),
    },
    IFD3: {
      ...(place && {
        GPSLatitudeRef: place.latitude < 0 ? 'S' : 'N',
        GPSLatitude: degrees(place.latitude),
        GPSLongitudeRef: place.longitude < 0 ? 'W' : 'E',
        GPSLongitude: degrees(place.longitude),
      }),
      ...(gps && {
        GPSDateStamp: gps.slice(0, 10).replaceAll('-', ':'),
        GPSTimeStamp: `${gps.slice(11, 13)}/1 ${gps.slice(14, 16)}/1 ${gps.slice(17, 19)}/1`,
      }),
    },
  }
  return sharp({ create: { width, height, channels: 3, background: { r: shade, g: 90, b: 200 - shade } } })
    .withMetadata(orientation === undefined ? {} : { orientation })
    .withExifMerge(exif)
    .jpeg()
    .toBuffer()
}

export const photoFile = (content: Buffer, name = 'photo.jpg', type = 'image/jpeg') =>
  new File([new Uint8Array(content)], name, { type })

type Given = InputOf<typeof pops.addPhotos>['body']

/** A program in Dallas and Austin, another one in Dallas, their trucks and drivers on shifts, and what cameras and trackers say. */
export async function openShoot(world: World) {
  const { call, db, people } = world
  const runs = { startsOn: '2020-01-01', endsOn: '2199-12-31' }
  const area = { state: 'TX', zone: ZONE, radiusM: 40_000 }
  const addMarket = async (name: string, center: Point): Promise<Market> =>
    (await call(markets.create, { body: { ...area, ...center, name } })).body.data
  const [dallas, austin] = [await addMarket('Dallas', DALLAS_CENTER), await addMarket('Austin', AUSTIN_CENTER)]
  const client: Client = await world.addClient()
  const program: Program = await world.addProgram({
    ...runs,
    clientUid: client.uid,
    markets: [{ marketUid: dallas.uid }, { marketUid: austin.uid }],
  })
  const other: Program = await world.addProgram({ ...runs, markets: [{ marketUid: dallas.uid }] })
  const clientUser = await world.addUser('client', ['pop', 'overview'], client.uid)
  const [driver, otherDriver] = [await world.addUser('driver'), await world.addUser('driver')]

  let trucks = 0
  const addTruck = async (): Promise<string> =>
    (
      await db
        .insertInto('truck')
        .values({ number: `T-${++trucks}`, kind: 'led', state: 'active' })
        .returning('uid')
        .executeTakeFirstOrThrow()
    ).uid

  async function addShift(driverUid: string, of = program, marketUid = dallas.uid): Promise<Shift> {
    const truckUid = await addTruck()
    const body = { truckUid, driverUid, programUid: of.uid, marketUid, date: SHOOT_DAY, start: '08:00', end: '16:00' }
    const { status, body: reply, text } = await call(shifts.create, { body })
    expect(status, text).toBe(200)
    return reply.data
  }

  const add = (files: File[], body: Given = {}, token = people.sales.token) =>
    call(pops.addPhotos, { body, files: { photos: files } }, { token })

  /** Adds a photo that is taken. */
  async function added(content: Buffer, body: Given = {}, token = people.sales.token): Promise<PopPhoto> {
    const reply = await add([photoFile(content)], body, token)
    expect(reply.body.data, reply.text).toMatchObject([{ outcome: 'added' }])
    return reply.body.data[0]?.photo as PopPhoto
  }

  const read = async (uid: string): Promise<PopPhoto> => (await call(pops.photo, { params: { uid } })).body.data

  /** Stores what a truck's tracker says, received now. */
  async function hear(truckUid: string, fixes: readonly (Point & { at: number })[]): Promise<void> {
    for (const fix of fixes) {
      const when = new Date(fix.at).toISOString()
      await sql`call ensure_week('position', ${when.slice(0, 10)}::date)`.execute(db)
      await db
        .insertInto('position')
        .values({ truck_uid: truckUid, at: when, latitude: fix.latitude, longitude: fix.longitude })
        .execute()
    }
  }

  return {
    dallas,
    austin,
    client,
    program,
    other,
    driver,
    otherDriver,
    clientUser,
    addShift,
    addTruck,
    add,
    added,
    read,
    hear,
  }
}

/** What the camera says of a photo that is taken beside the truck of the first tracked shift. */
export const AT_NOON = { clock: '12:00:05', offset: ZONE_OFFSET, place: DALLAS_CENTER }

/** A shift of each driver, in different programs, whose trucks are heard at noon, four kilometers apart. */
export async function addTrackedShifts(shoot: Awaited<ReturnType<typeof openShoot>>) {
  const { driver, otherDriver, other, hear } = shoot
  const shift = await shoot.addShift(driver.uid)
  const others = await shoot.addShift(otherDriver.uid, other)
  const truckAt = (time: string, meters = 0) => ({ at: shootTime(time), ...placeNorthOf(DALLAS_CENTER, meters) })
  await hear(shift.truck.uid, [truckAt('12:00:00'), truckAt('12:00:10', 100)])
  await hear(others.truck.uid, [truckAt('12:00:00', 4000), truckAt('12:00:10', 4000)])
  return { shift, others, truckAt }
}
