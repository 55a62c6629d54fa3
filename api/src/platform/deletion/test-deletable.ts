import {
  addresses,
  addDays,
  artworkSets,
  devices,
  incidents,
  payroll,
  pixel,
  shifts,
  trucks,
} from '@roadshow/contract'
import type { World } from '@roadshow/test-kit/world'

const side = (x: number) => ({ x, y: 0, width: 10, height: 10 })
const sides = { driverSide: side(0), passengerSide: side(10), rear: side(20) }

let count = 0

/** One record of each kind that can be deleted, all of one client. Nothing that is not over is planned for them. */
export async function addDeletable(world: World) {
  const { call, db } = world
  const n = ++count
  // A week of its own: pay is locked by weeks.
  const date = addDays('2024-01-01', 7 * n)
  const client = await world.addClient(`Acme ${n}`)
  const market = await world.addMarket(`Dallas ${n}`)
  const emptyMarket = await world.addMarket(`Austin ${n}`)
  const program = await world.addProgram({
    clientUid: client.uid,
    name: `Summer ${n}`,
    popUrl: `summer-${n}`,
    status: 'active',
    startsOn: '2020-01-01',
    endsOn: '2099-12-31',
    markets: [{ marketUid: market.uid }],
  })
  const ofProgram = { programUid: program.uid }
  const artworkSet = (await call(artworkSets.create, { body: { ...ofProgram, name: 'Art' } })).body.data
  const addressSet = (await call(addresses.create, { body: { ...ofProgram, name: 'Places' } })).body.data
  const body = { number: `T-${n}`, plate: '', kind: 'led', state: 'active', homeMarketUid: market.uid } as const
  const truck = (await call(trucks.create, { body })).body.data
  const mac = `02:00:00:00:00:${String(n).padStart(2, '0')}`
  const device = (await call(devices.create, { body: { truckUid: truck.uid, kind: 'player', macAddress: mac } })).body
    .data
  const map = { name: `Map ${n}`, width: 30, height: 10, pitchUm: 4000, sides, note: '' }
  const pixelMap = (await call(pixel.create, { body: map })).body.data
  const driver = await world.addUser('driver')
  const planned = {
    truckUid: truck.uid,
    driverUid: driver.uid,
    programUid: program.uid,
    marketUid: market.uid,
    date,
    start: '10:00',
    end: '18:00',
    payOption: 'halfDay',
  } as const
  const shift = (await call(shifts.create, { body: planned })).body.data
  const photo = await db
    .insertInto('pop_photo')
    .values({
      program_uid: program.uid,
      market_uid: market.uid,
      shift_uid: shift.uid,
      key: String(n).padStart(32, '0'),
      original_name: `IMG_${n}.jpg`,
      original_sha256: 'a'.repeat(64),
      sizes: JSON.stringify({ large: { width: 1, height: 1 } }),
      blur: '',
      status: 'approved',
      position: 1,
    })
    .returning('uid')
    .executeTakeFirstOrThrow()
  const startsAt = new Date().toISOString()
  const incident = (await call(incidents.create, { body: { title: `Slow ${n}`, startsAt } })).body.data
  const adjusted = { driverUid: driver.uid, date, cents: -123_456, note: 'Lost keys' }
  const payAdjustment = (await call(payroll.adjust, { body: adjusted })).body.data
  return {
    n,
    date,
    planned,
    client,
    program,
    market: emptyMarket,
    marketOfProgram: market,
    artworkSet,
    addressSet,
    truck,
    device,
    pixelMap,
    user: driver,
    shift,
    photo,
    incident,
    payAdjustment,
  }
}
