import { type CompiledQuery, sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { truckRecords } from '../../../catalog/trucks/queries.ts'
import { connect, type Db } from '../connection.ts'

const world = await openWorld()
const { db } = world
const scope = await world.adminScope()
const FLEET = 3000
await sql`insert into truck (number, plate, kind, state)
  select 'T-' || i, case when i % 3 = 0 then 'P-' || i else '' end, 'led', (array['active', 'inShop', 'retired'])[1 + i % 3]
    from generate_series(1, ${FLEET}) i`.execute(db)

type Sort = '-number' | 'number' | '-plate' | 'state' | '-updatedAt'
const read = (sort: Sort, page = 120) => truckRecords.page(db, scope, { page, pageSize: 20, sort })

/** How often rows were skipped to find an offset, or to read a page without one. */
let skips = 0
const execute = db.executeQuery.bind(db)
beforeEach(() => {
  skips = 0
  vi.spyOn(db, 'executeQuery').mockImplementation(<R>(query: Parameters<Db['executeQuery']>[0]) => {
    if (/ offset (\d+|\$\d+)/.test((query as CompiledQuery).sql)) skips++
    return execute<R>(query)
  })
})
afterEach(() => vi.restoreAllMocks())

/** The page of a list that is read without any memory. */
async function expectExact(sort: Sort, page = 120) {
  const way = sql.raw(sort.startsWith('-') ? 'desc' : 'asc')
  const column = sort === '-updatedAt' ? 'updated_at' : sort.replace('-', '')
  const { rows } = await sql<{ uid: string; total: number }>`
    select uid, (select count(*) from truck where deleted_at is null) as total from truck where deleted_at is null
     order by ${sql.ref(column)} ${way}, uid ${way} limit 20 offset ${sql.lit((page - 1) * 20)}`.execute(db)
  const { data, total } = await read(sort, page)
  expect(data.map(({ uid }) => uid)).toEqual(rows.map(({ uid }) => uid))
  expect(total).toBe(rows[0]?.total)
}

let numbers = 0
const first = sql`(select uid from truck where deleted_at is null order by number limit 1)`
const last = sql`(select uid from truck where deleted_at is null order by number desc limit 1)`
const { rows: all } = await sql<{ uid: string }>`select uid from truck where number = 'T-15'`.execute(db)
const often = all[0]?.uid
/** Changes of few rows, as people make them. */
const changes = {
  'a truck is added in front': () =>
    sql`insert into truck (number, kind, state) values (${`A-${++numbers}`}, 'led', 'active')`.execute(db),
  'a truck is added behind': () =>
    sql`insert into truck (number, kind, state) values (${`Z-${++numbers}`}, 'led', 'retired')`.execute(db),
  'a truck is deleted': () => sql`update truck set deleted_at = now() where uid = ${first}`.execute(db),
  'a truck is restored': () =>
    sql`update truck set deleted_at = null
         where uid = (select uid from truck where deleted_at is not null order by number limit 1)`.execute(db),
  'a truck is renumbered from the end to the front': () =>
    sql`update truck set number = ${`A-${++numbers}`}, plate = ${`A-${numbers}`}, state = 'active' where uid = ${last}`.execute(
      db,
    ),
  'the same truck changes several times': async () => {
    for (const letter of ['Z', 'A', 'Z', 'A'])
      await sql`update truck set number = ${`${letter}-${++numbers}`} where uid = ${often}`.execute(db)
  },
  'a device of a truck changes': () =>
    sql`insert into device (truck_uid, kind, mac_address)
        values (${first}, 'player', ${`02:00:00:00:00:${(++numbers % 256).toString(16).padStart(2, '0')}`})`.execute(
      db,
    ),
  'a truck is erased': () => sql`delete from truck where number = ${`T-${2990 - ++numbers}`}`.execute(db),
}

describe('a deep page', () => {
  test.each(Object.entries(changes))('is found without skipping after %s', async (_, change) => {
    const sorts: Sort[] = ['number', '-number', '-plate', 'state', '-updatedAt']
    for (const sort of sorts) await read(sort)
    for (const sort of sorts) {
      skips = 0
      await change()
      await expectExact(sort)
      expect([sort, skips]).toEqual([sort, 0])
    }
  })

  test('is found without skipping when its changes were folded', async () => {
    await read('number')
    skips = 0
    for (let n = 0; n < 100; n++) {
      await changes['a truck is added in front']()
      await read('number')
    }
    const { rows } = await sql<{ n: number }>`select count(*) as n from list_change where list = 'truck'`.execute(db)
    expect(rows[0]?.n).toBeLessThan(100)
    await expectExact('number')
    expect(skips).toBe(0)
  })

  test('is found again when its offset has moved too far', async () => {
    await read('number')
    skips = 0
    for (let n = 0; n < 25; n++) {
      await sql`insert into truck (number, kind, state)
        select ${`B-${n}-`} || i, 'led', 'active' from generate_series(1, 10) i`.execute(db)
    }
    await expectExact('number')
    expect(skips).toBe(1)
    await sql`update truck set deleted_at = now() where number like 'B-%'`.execute(db)
  })

  test('is found again when many rows have moved, and when the list is shorter', async () => {
    await read('number')
    await sql`update truck set number = 'B-' || number where number like 'T-1__'`.execute(db)
    skips = 0
    await expectExact('number')
    expect(skips).toBe(1)
    await sql`update truck set deleted_at = now() where number like 'T-%'`.execute(db)
    expect((await read('number')).data).toEqual([])
    await sql`update truck set deleted_at = null where number like 'T-%'`.execute(db)
    await expectExact('number')
  })

  test('is skipped to once for all who ask at the same time', async () => {
    await sql`update truck set note = 'moved' where number like 'T-%'`.execute(db)
    skips = 0
    const pages = await Promise.all(Array.from({ length: 12 }, () => read('-updatedAt', 60)))
    expect(new Set(pages.map((page) => JSON.stringify(page))).size).toBe(1)
    expect(skips).toBe(1)
  })

  test('of a filtered list is skipped to once for all who wait for it', async () => {
    const ask = () => truckRecords.page(db, scope, { page: 60, pageSize: 20, sort: 'number', kind: ['led'] })
    skips = 0
    await Promise.all(Array.from({ length: 12 }, ask))
    expect(skips).toBe(1)
  })

  test('and its total come from one snapshot while others write', async () => {
    const { db: others, close } = connect(world.url, { max: 6 })
    afterAll(close)
    await sql`update truck set deleted_at = now() where number not like 'T-%'`.execute(db)
    const fleet = await sql<{ uid: string }>`
      select uid from truck where deleted_at is null order by number, uid`.execute(db)
    const behind = fleet.rows.map(({ uid }) => uid)
    const finished = new AbortController()
    const undone = new Error('undone')
    // All that is written stands in front of the fleet: the total says by how many rows a page has moved.
    const writer = async (_: unknown, name: number) => {
      for (let n = 0; !finished.signal.aborted; n++) {
        await others
          .transaction()
          .execute(async (db) => {
            await sql`insert into truck (number, kind, state) values (${`A-${name}-${n}`}, 'led', 'active')`.execute(db)
            if (n % 3)
              await sql`delete from truck where number like ${`A-${name}-%`} and number <> ${`A-${name}-${n}`}`.execute(
                db,
              )
            if (n % 5 === 4) throw undone
          })
          .catch((error: unknown) => {
            if (error !== undone) throw error
          })
      }
    }
    const writing = Promise.all([0, 1].map(writer))
    const totals = new Set<number>()
    for (let n = 0; n < 80; n++) {
      const page = 60 + (n % 4) * 20
      const { data, total } = await read('number', page)
      const start = (page - 1) * 20 - (total - behind.length)
      expect(data.map(({ uid }) => uid)).toEqual(behind.slice(start, start + 20))
      totals.add(total)
    }
    finished.abort()
    await writing
    expect(totals.size).toBeGreaterThan(1)
  }, 60_000)
})
