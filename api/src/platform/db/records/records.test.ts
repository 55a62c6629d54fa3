import type { QueryOf, trucks } from '@roadshow/contract'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { truckRecords } from '../../../catalog/trucks/queries.ts'
import type { Db } from '../connection.ts'

const world = await openWorld()
const { db } = world
const scope = await world.adminScope()

// Many share a plate, a state and a moment, so that only the uid orders them.
await sql`insert into truck (number, plate, kind, state, note, updated_at)
  select 'T-' || i, case when i % 3 = 0 then 'P-' || i else '' end, case when i % 2 = 0 then 'led' else 'printed' end,
         (array['active', 'inShop', 'retired'])[1 + i % 3], 'note ' || i % 10, now() - (i % 50) * interval '1 hour'
    from generate_series(1, 3000) i`.execute(db)

type Query = QueryOf<typeof trucks.list>
type Sort = NonNullable<Query['sort']>
type Filter = Pick<Query, 'state' | 'kind' | 'search'>

const columns: Record<string, string> = { number: 'number', plate: 'plate', state: 'state', updatedAt: 'updated_at' }
const sorts = Object.keys(columns).flatMap((name) => [name, `-${name}`]) as Sort[]

/** Every uid in a list's order, without paging. */
async function whole(db: Db, sort: Sort, filter: Filter = {}): Promise<string[]> {
  const way = sql.raw(sort.startsWith('-') ? 'desc' : 'asc')
  const conditions = [
    sql`deleted_at is null`,
    ...(filter.state ? [sql`state = any(${filter.state})`] : []),
    ...(filter.kind ? [sql`kind = any(${filter.kind})`] : []),
    ...(filter.search ? [sql`note like ${`%${filter.search}%`}`] : []),
  ]
  const { rows } = await sql<{ uid: string }>`select uid from truck where ${sql.join(conditions, sql` and `)}
    order by ${sql.ref(columns[sort.replace('-', '')] ?? '')} ${way}, uid ${way}`.execute(db)
  return rows.map(({ uid }) => uid)
}

async function expectPage(db: Db, expected: string[], query: Query) {
  const { data, total } = await truckRecords.page(db, scope, query)
  const start = (query.page - 1) * query.pageSize
  const what = JSON.stringify(query)
  expect(
    data.map(({ uid }) => uid),
    what,
  ).toEqual(expected.slice(start, start + query.pageSize))
  expect(total, what).toBe(expected.length)
  expect(Object.keys(data[0] ?? {}).filter((name) => name.startsWith('$'))).toEqual([])
}

/** Every page, in leaps, then some again from the end backwards, the first of them past the end. */
function jumps(rows: number, pageSize: number): number[] {
  const pages = Array.from({ length: Math.ceil(rows / pageSize) }, (_, index) => index + 1)
  const leaps = [0, 1, 2, 3, 4, 5, 6].flatMap((start) => pages.filter((page) => page % 7 === start))
  const back = pages.filter((page) => page % 5 === 0).toReversed()
  return [...leaps, pages.length + 1, ...back]
}

describe('a page', () => {
  test.each(sorts)('by %s is what skipping to it gives, however deep and by whatever way', async (sort) => {
    const expected = await whole(db, sort)
    expect(expected).toHaveLength(3000)
    for (const pageSize of [63, 200]) {
      for (const page of jumps(expected.length, pageSize)) await expectPage(db, expected, { page, pageSize, sort })
    }
  })

  const filters: Filter[] = [
    { kind: ['led'] },
    { state: ['active', 'retired'], kind: ['printed', 'led'] },
    { search: 'note' },
    { search: 'note', state: ['inShop'] },
  ]
  test.each(filters)('of %j is, too', async (filter) => {
    for (const sort of ['number', '-updatedAt'] as const) {
      const expected = await whole(db, sort, filter)
      expect(expected.length).toBeGreaterThan(900)
      for (const page of jumps(expected.length, 100))
        await expectPage(db, expected, { page, pageSize: 100, sort, ...filter })
    }
  })

  test('holds every row once, whatever the size of the pages', async () => {
    for (const pageSize of [170, 199]) {
      const seen: string[] = []
      for (let page = 1; page <= Math.ceil(3000 / pageSize); page++) {
        seen.push(...(await truckRecords.page(db, scope, { page, pageSize, sort: 'state' })).data.map(({ uid }) => uid))
      }
      expect(new Set(seen).size).toBe(3000)
      expect(seen).toHaveLength(3000)
    }
  })

  let numbers = 0
  /** Changes that move rows about, some without changing how many there are. */
  const moves = {
    addFirst: (db: Db) =>
      sql`insert into truck (number, kind, state) values (${`A-${++numbers}`}, 'led', 'active')`.execute(db),
    addMiddle: (db: Db) =>
      sql`insert into truck (number, kind, state) values (${`T-1500-${++numbers}`}, 'led', 'inShop')`.execute(db),
    deleteFirst: (db: Db) =>
      sql`update truck set deleted_at = now() where uid = (select uid from truck where deleted_at is null order by number limit 1)`.execute(
        db,
      ),
    deleteSome: (db: Db) =>
      sql`update truck set deleted_at = now() where number like ${`T-%${++numbers % 10}7`}`.execute(db),
    restore: (db: Db) =>
      sql`update truck set deleted_at = null where deleted_at is not null and number like 'T-%'`.execute(db),
    moveFirstToEnd: (db: Db) =>
      sql`update truck set number = ${`Z-${++numbers}`}, plate = ${`Z-${numbers}`}, state = 'retired'
           where uid = (select uid from truck where deleted_at is null order by number limit 1)`.execute(db),
    touchAll: (db: Db) => sql`update truck set note = note where number like 'T-1_'`.execute(db),
    exchange: (db: Db) =>
      sql`update truck set state = case state when 'active' then 'retired' when 'retired' then 'active' else state end where number like 'T-2__'`.execute(
        db,
      ),
    nothing: async () => {},
  }
  const move = fc.constantFrom(...(Object.keys(moves) as (keyof typeof moves)[]))
  const jump = fc.record({
    move,
    undone: fc.boolean(),
    sort: fc.constantFrom(...sorts),
    page: fc.integer({ min: 9, max: 48 }),
    again: fc.integer({ min: 9, max: 48 }),
  })
  const undo = new Error('undone')

  test('is never one of a list that has changed since', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(jump, { minLength: 5, maxLength: 10 }), async (visits) => {
        for (const { move, undone, sort, page, again } of visits) {
          const work = db.transaction().execute(async (db) => {
            await moves[move](db)
            if (undone) throw undo
          })
          await work.catch((error: unknown) => {
            if (error !== undo) throw error
          })
          const expected = await whole(db, sort)
          for (const number of [page, again]) await expectPage(db, expected, { page: number, pageSize: 63, sort })
        }
      }),
      { numRuns: 6 },
    )
  }, 60_000)

  test('is right in its own snapshot while others write', async () => {
    const finished = new AbortController()
    const names = Object.keys(moves) as (keyof typeof moves)[]
    const writer = async () => {
      for (let n = 0; !finished.signal.aborted; n++) await moves[names[n % names.length] ?? 'nothing'](db)
    }
    const reader = async (sort: Sort) => {
      for (let n = 0; n < 12; n++) {
        await db
          .transaction()
          .setIsolationLevel('repeatable read')
          .execute(async (db) => expectPage(db, await whole(db, sort), { page: 12 + n * 2, pageSize: 63, sort }))
        // Outside a snapshot nothing can be compared, but offsets are remembered.
        await truckRecords.page(db, scope, { page: 40 - n * 2, pageSize: 63, sort })
      }
    }
    const write = writer()
    await Promise.all([reader('number'), reader('-updatedAt'), reader('state')]).finally(() => finished.abort())
    await write
  }, 60_000)
})

describe('reading every row', () => {
  const uids = async (rows: AsyncIterable<{ uid: string }>) => {
    const seen = []
    for await (const { uid } of rows) seen.push(uid)
    return seen
  }

  test('gives the whole list in its order', async () => {
    for (const sort of ['number', '-state'] as const) {
      expect(await uids(truckRecords.stream(db, scope, { page: 3, pageSize: 10, sort }))).toEqual(await whole(db, sort))
    }
    const filter: Filter = { kind: ['led'], search: 'note' }
    const filtered = truckRecords.stream(db, scope, { page: 1, pageSize: 10, sort: 'plate', ...filter })
    expect(await uids(filtered)).toEqual(await whole(db, 'plate', filter))
  })

  test('may stop half-way without keeping a connection', async () => {
    for (let n = 1; n <= 25; n++) {
      for await (const _ of truckRecords.stream(db, scope, { page: 1, pageSize: 10 })) break
    }
    expect((await truckRecords.page(db, scope, { page: 1, pageSize: 10 })).data).toHaveLength(10)
  })
})
