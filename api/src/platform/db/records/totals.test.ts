import type { QueryOf, trucks } from '@roadshow/contract'
import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { truckRecords } from '../../../catalog/trucks/queries.ts'
import { connect, type Db } from '../connection.ts'
import { foldLongLists } from './totals.ts'

const world = await openWorld()
const { db } = world

const scope = await world.adminScope()

const one = { page: 1, pageSize: 1 }
/** Every kind of list, and what it counts. */
const lists: [Omit<QueryOf<typeof trucks.list>, 'page' | 'pageSize'>, RawBuilder<unknown>][] = [
  [{}, sql`true`],
  [{ state: ['active'] }, sql`state = 'active'`],
  [{ state: ['active', 'retired'] }, sql`state in ('active', 'retired')`],
  [{ kind: ['printed'], state: ['inShop'] }, sql`kind = 'printed' and state = 'inShop'`],
  [{ search: 'even' }, sql`note like '%even%'`],
  [{ search: 'no one has this' }, sql`false`],
]

async function countOf(db: Db, where: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from truck where deleted_at is null and ${where}`.execute(db)
  return rows[0]?.n ?? NaN
}

/** Each list's total beside the number of its rows. */
async function expectExact(db: Db, when: string) {
  for (const [query, where] of lists) {
    const { total } = await truckRecords.page(db, scope, { ...one, ...query })
    expect(total, `${when}: ${JSON.stringify(query)}`).toBe(await countOf(db, where))
  }
}

let numbers = 0
const states = ['active', 'inShop', 'retired'] as const
type State = (typeof states)[number]

/** What can happen to trucks; `n` chooses which of them. */
const deeds = {
  create: (db: Db, n: number, state: State) =>
    truckRecords.create(db, scope, {
      number: `c${++numbers}`,
      kind: n % 2 ? 'led' : 'printed',
      state,
      note: n % 2 ? 'odd' : 'even',
    }),
  addMany: (db: Db, n: number, state: State) => {
    const from = (numbers += n) - n
    return sql`insert into truck (number, kind, state, note, deleted_at)
      select 'm' || i, case when i % 3 = 0 then 'printed' else 'led' end, ${state}, case when i % 2 = 0 then 'even' else 'odd' end,
             case when i % 4 = 0 then now() end
        from generate_series(${from + 1}::int, ${from + n}::int) i`.execute(db)
  },
  addNone: (db: Db) => sql`insert into truck (number, kind, state) select 'x', 'led', 'active' where false`.execute(db),
  change: (db: Db, n: number, state: State) =>
    sql`update truck set state = ${state} where abs(hashtext(number)) % 7 = ${n % 7}`.execute(db),
  rename: (db: Db, n: number) =>
    sql`update truck set note = case when note = 'even' then 'odd' else 'even' end where abs(hashtext(number)) % 5 = ${n % 5}`.execute(
      db,
    ),
  delete: (db: Db, n: number) =>
    sql`update truck set deleted_at = now() where abs(hashtext(number)) % 6 = ${n % 6}`.execute(db),
  restore: (db: Db, n: number) =>
    sql`update truck set deleted_at = null where deleted_at is not null and abs(hashtext(number)) % 3 = ${n % 3}`.execute(
      db,
    ),
  swap: (db: Db, n: number) =>
    sql`update truck set deleted_at = case when deleted_at is null then now() end where abs(hashtext(number)) % 4 = ${n % 4}`.execute(
      db,
    ),
  erase: (db: Db, n: number) => sql`delete from truck where abs(hashtext(number)) % 9 = ${n % 9}`.execute(db),
  addOrChange: (db: Db, n: number, state: State) =>
    sql`insert into truck (number, kind, state, note) values (${`u${n % 5}`}, 'led', ${state}, 'even')
        on conflict (lower(number collate "default")) where deleted_at is null do update set state = excluded.state`.execute(
      db,
    ),
  merge: (db: Db, n: number, state: State) =>
    sql`merge into truck t using (values (${`u${n % 5}`}), (${`g${n % 5}`})) as given (number)
          on lower(t.number collate "default") = given.number and t.deleted_at is null
        when matched and t.state = ${state} then delete
        when matched then update set deleted_at = now()
        when not matched then insert (number, kind, state) values (given.number, 'printed', ${state})`.execute(db),
}
type Deed = { name: keyof typeof deeds; n: number; state: State }

const deed = fc.record<Deed>({
  name: fc.constantFrom(...(Object.keys(deeds) as (keyof typeof deeds)[])),
  n: fc.integer({ min: 1, max: 30 }),
  state: fc.constantFrom(...states),
})
/** One deed by itself, or several in a transaction that is kept, undone, or undone in part. */
const step = fc.record({
  deeds: fc.array(deed, { minLength: 1, maxLength: 4 }),
  ending: fc.constantFrom('each', 'kept', 'undone', 'partly'),
})

const perform = async (db: Db, { name, n, state }: Deed) => void (await deeds[name](db, n, state))
const undone = new Error('undone')

async function take({ deeds, ending }: { deeds: Deed[]; ending: string }) {
  if (ending === 'each') {
    for (const one of deeds) await perform(db, one).catch(sameNumber)
    return
  }
  await db
    .transaction()
    .execute(async (db) => {
      for (const [index, one] of deeds.entries()) {
        await sql`savepoint before`.execute(db)
        await perform(db, one)
        if (ending === 'partly' && index % 2) await sql`rollback to savepoint before`.execute(db)
      }
      await expectExact(db, 'inside its own transaction')
      if (ending === 'undone') throw undone
    })
    .catch(unlessUndone)
    .catch(sameNumber)
}

function unlessUndone(error: unknown) {
  if (error !== undone) throw error
}

/** Restoring may bring back a number that is taken again: the database refuses, and nothing has happened. */
function sameNumber(error: unknown) {
  if ((error as { constraint?: string }).constraint !== 'truck_number_once') throw error
}

describe('the total of a list', () => {
  test('is the number of its rows, whatever has happened to them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        await sql`delete from truck`.execute(db)
        for (const [index, one] of steps.entries()) {
          await take(one)
          await expectExact(db, `after step ${index}`)
        }
      }),
      { numRuns: 15 },
    )
  }, 60_000)

  test('is exact in every snapshot while twenty write at the same time', async () => {
    const { db: others, close } = connect(world.url, { max: 24 })
    afterAll(close)
    const finished = new AbortController()
    let compared = 0
    const reader = async () => {
      while (!finished.signal.aborted) {
        await others
          .transaction()
          .setIsolationLevel('repeatable read')
          .execute((db) => expectExact(db, 'in one snapshot'))
        // Outside a transaction, a list also folds its changes.
        await truckRecords.page(others, scope, one)
        compared++
      }
    }
    // Each writes rows of its own: waiting for each other's rows is not what is tried here.
    const statements = (writer: number, round: number) => [
      sql`insert into truck (number, kind, state, note) select ${`w${writer}-${round}-`} || i, 'led', 'active', 'even' from generate_series(1, 4) i`,
      sql`update truck set state = 'retired', note = 'odd' where number like ${`w${writer}-${round}-%`}`,
      sql`update truck set deleted_at = now() where number like ${`w${writer}-%-${(round % 4) + 1}`}`,
      sql`delete from truck where number like ${`w${writer}-${round - 2}-%`}`,
    ]
    const writer = async (_: unknown, number: number) => {
      for (let round = 0; round < 8; round++) {
        const all = statements(number, round)
        if (round % 2) for (const statement of all) await statement.execute(others)
        const together = others.transaction().execute(async (db) => {
          for (const statement of round % 2 ? all.slice(1) : all) await statement.execute(db)
          if (round % 4 === 2) throw undone
        })
        await together.catch(unlessUndone)
      }
    }
    const readers = [reader(), reader()]
    await Promise.all(Array.from({ length: 20 }, writer)).finally(() => finished.abort())
    await Promise.all(readers)
    expect(compared).toBeGreaterThan(0)
    await expectExact(db, 'at the end')
  }, 60_000)

  test('stays exact when all but its newest changes are folded into one', async () => {
    for (let n = 1; n <= 100; n++) await deeds.create(db, n, 'active')
    const changes = async () => {
      const { rows } = await sql<{ n: number }>`select count(*) as n from list_change where list = 'truck'`.execute(db)
      return rows[0]?.n
    }
    expect(await changes()).toBeGreaterThan(64)
    const { total } = await truckRecords.page(db, scope, one)
    await vi.waitFor(async () => expect(await changes()).toBe(17), { timeout: 10_000 })
    expect((await truckRecords.page(db, scope, one)).total).toBe(total)
    await deeds.create(db, 1, 'active')
    expect((await truckRecords.page(db, scope, one)).total).toBe(total + 1)
    await expectExact(db, 'after folding')
  })

  test('stays exact when a job folds a list that was not read for long', async () => {
    for (let n = 1; n <= 70; n++) await deeds.create(db, n, 'active')
    await foldLongLists(db, new AbortController().signal)
    const { rows } = await sql`select from list_change where list = 'truck'`.execute(db)
    expect(rows.length).toBeLessThan(64)
    await expectExact(db, 'after the job')
  })

  test('is not mixed up between kinds of records', async () => {
    const before = await truckRecords.page(db, scope, one)
    await sql`insert into market (name, zone) select 'M ' || i, 'UTC' from generate_series(1, 80) i`.execute(db)
    expect((await truckRecords.page(db, scope, one)).total).toBe(before.total)
  })

  test('of one’s own trucks is none: no one has any', async () => {
    expect(await truckRecords.page(db, { ...scope, rows: 'own' }, one)).toMatchObject({ data: [], total: 0 })
  })
})
