import { randomBytes } from 'node:crypto'
import {
  addresses,
  artworkSets,
  clients,
  modules,
  payroll,
  pops,
  programs,
  type Role,
  shifts,
  trucks,
} from '@roadshow/contract'
import { sql } from 'kysely'
import type { World } from '@roadshow/test-kit/world'
import type { Pools } from './test-values.ts'

/** In every text of what belongs to someone else. */
const OTHERS = 'Zq-other'
/** In every text that is for payroll and the admins alone. */
const PAY = 'Zq-pay'

interface Belongings {
  driver: { uid: string; token: string; email: string }
  client: { uid: string; token: string; email: string }
  clientUid: string
  /** The uids of everything that was made for these two. */
  uids: Set<string>
}

/** A client with a program, a driver who drives for it, and everything that comes of that; `word` is in all of its texts. */
async function addBelongings(world: World, marketUid: string, word: string, date: string): Promise<Belongings> {
  const { db, call } = world
  const contacts = [
    { name: `${word} contact`, email: `${word}@example.com`.toLowerCase(), phone: '214 555 0100', title: word },
  ]
  const client = (await call(clients.create, { body: { name: `${word} client`, contacts, note: `${word} note` } })).body
    .data
  const dates = { startsOn: '2026-01-01', endsOn: '2026-12-31', status: 'active' as const }
  const program = (
    await call(programs.create, {
      body: {
        ...dates,
        clientUid: client.uid,
        name: `${word} program`,
        popUrl: `${word} page`,
        markets: [{ marketUid }],
        note: `${word} note`,
      },
    })
  ).body.data
  const ofProgram = { programUid: program.uid, note: `${word} note` }
  const art = (await call(artworkSets.create, { body: { ...ofProgram, name: `${word} art` } })).body.data
  const place = {
    label: `${word} label`,
    address: `${word} street`,
    latitude: 32.8,
    longitude: -96.8,
    radiusM: 500,
    locatedBy: 'pin',
  } as const
  const places = await call(addresses.create, {
    body: { ...ofProgram, name: `${word} places`, addresses: [place] },
  })
  const truck = (
    await call(trucks.create, { body: { number: `${word} T`, kind: 'led', state: 'active', note: `${word} note` } })
  ).body.data
  const driver = await world.addUser('driver', modules)
  const person = await world.addUser('client', modules, client.uid)
  for (const { uid } of [driver, person]) {
    await db
      .updateTable('user_account')
      .set({ name: `${word} person`, phone: `${PAY} phone` })
      .where('uid', '=', uid)
      .execute()
  }
  const shift = (
    await call(shifts.create, {
      body: {
        truckUid: truck.uid,
        driverUid: driver.uid,
        programUid: program.uid,
        marketUid,
        date,
        note: `${word} note`,
        start: '08:00',
        end: '16:00',
        artworkSetUid: null,
        addressSetUid: null,
        payOption: null,
      },
    })
  ).body.data
  const size = { width: 4, height: 3, bytes: 10, sha256: 'b'.repeat(64) }
  const key = randomBytes(16).toString('hex')
  const photo = await db
    .insertInto('pop_photo')
    .values({
      program_uid: program.uid,
      market_uid: marketUid,
      shift_uid: shift.uid,
      key,
      original_name: `${word}.jpg`,
      original_sha256: 'a'.repeat(64),
      caption: `${word} caption`,
      status: 'approved',
      sizes: JSON.stringify({
        small: size,
        medium: size,
        large: size,
      }),
      blur: '',
      position: 1,
    })
    .returning('uid')
    .executeTakeFirstOrThrow()
  const issue = await db
    .insertInto('truck_issue')
    .values({ truck_uid: truck.uid, kind: 'other', raised_by: 'driver', shift_uid: shift.uid, text: `${word} issue` })
    .returning('uid')
    .executeTakeFirstOrThrow()
  const pop = (await call(pops.get, { params: { uid: program.uid } })).body.data
  await call(pops.update, {
    body: {
      uid: pop.uid,
      version: pop.version,
      headline: `${word} headline`,
      text: `${word} text`,
      coverPhotoUid: null,
      shownUntil: null,
    },
  })
  const adjustment = await call(payroll.adjust, {
    body: { driverUid: driver.uid, date, cents: 4242, note: `${PAY} ${word} tip`, shiftUid: null },
  })
  const made = [
    client,
    program,
    art,
    places.body.data,
    truck,
    driver,
    person,
    shift,
    photo,
    issue,
    adjustment.body.data,
  ]
  const parts = await sql<{ uid: string }>`select uid from sd_address where set_uid = ${places.body.data.uid}`.execute(
    db,
  )
  return {
    driver,
    client: person,
    clientUid: client.uid,
    uids: new Set([...made, ...parts.rows].map(({ uid }) => uid)),
  }
}

const OWNED = [
  'client',
  'client_program',
  'artwork_set',
  'address_set',
  'sd_address',
  'shift',
  'pop_photo',
  'user_account',
  'pay_adjustment',
  'truck_issue',
  'device',
  'session',
  'truck',
]

/** Two clients and their drivers who must never see anything of each other. */
export async function openOwners(world: World) {
  const { db } = world
  const market = await world.addMarket('A shared market')
  const own = await addBelongings(world, market.uid, 'Mine', '2026-03-02')
  const other = await addBelongings(world, market.uid, OTHERS, '2026-03-03')
  await db
    .insertInto('web_log')
    .values({ error_origin: `${PAY} ${OTHERS}` })
    .execute()
  const sales = await world.addUser('sales', modules)

  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'uid' and data_type = 'uuid' order by 1`.execute(db)
  const uidsIn = async (table: string) =>
    (await sql<{ uid: string }>`select uid from ${sql.table(table)} order by uid limit 200`.execute(db)).rows.map(
      ({ uid }) => uid,
    )

  return {
    clientUid: own.clientUid,
    people: { admin: world.people.admin, sales, driver: own.driver, client: own.client } satisfies Record<Role, object>,
    /** Every uid that there is, in an order that the next run repeats. */
    pools: async (): Promise<Pools> =>
      new Map(await Promise.all(tables.map(async ({ name }) => [name, await uidsIn(name)] as const))),
    /** What neither the driver nor the client may ever hear of. */
    othersUids: async (role: Role) => {
      const all = (await Promise.all(OWNED.map((table) => uidsIn(table)))).flat()
      const sessions = await db
        .selectFrom('session')
        .select('uid')
        .where('user_uid', 'in', [own.driver.uid, own.client.uid])
        .execute()
      const allowed = new Set([...own.uids, ...sessions.map(({ uid }) => uid)])
      return role === 'client' || role === 'driver' ? all.filter((uid) => !allowed.has(uid)) : []
    },
    other,
  }
}

/** The words that must not stand in an answer to someone of a role, or to no one. */
export const secretWords: Record<Role | 'nobody', readonly string[]> = {
  nobody: [OTHERS, PAY, 'Mine'],
  client: [OTHERS, PAY],
  driver: [OTHERS],
  sales: [PAY],
  admin: [],
}
