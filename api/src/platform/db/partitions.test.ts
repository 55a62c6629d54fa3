import { DAY_MS } from '@roadshow/contract'
import { randomUUID } from 'node:crypto'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { mergeDaysJob } from '../../live/telemetry/partitions.ts'
import { runJob } from '../jobs/runner.ts'
import { inSnapshot } from './connection.ts'
import { mergePastDays } from './merge-days.ts'
import {
  dayOf,
  dropPartition,
  dropPartitionsBefore,
  ensurePartitions,
  groupsOfWindow,
  keptSince,
  listPartitions,
  type PartitionedTable,
  weekOf,
  windowsOf,
  withPartitions,
} from './partitions.ts'

const { app, db } = await openWorld()

const at = (text: string) => Date.parse(text)
const names = async (table: PartitionedTable) => (await listPartitions(db, table)).map(({ name }) => name)

/** A partition of a single day, as versions before made them. */
async function addSingleDay(table: PartitionedTable, day: string): Promise<void> {
  const name = sql.id(`${table}_${day.replaceAll('-', '')}`)
  const [from, until] = [sql.lit(`${day}T00:00:00Z`), sql.lit(new Date(at(day) + DAY_MS).toISOString())]
  await sql`create table ${name} (like ${sql.table(table)} including defaults including constraints)`.execute(db)
  await sql`alter table ${sql.table(table)} attach partition ${name} for values from (${from}) to (${until})`.execute(
    db,
  )
}

beforeEach(async () => {
  for (const table of ['position', 'play'] as const) await dropPartitionsBefore(db, table, { before: Infinity })
})

describe('the week of a moment', () => {
  test.each([
    ['2026-11-16T00:00:00Z', '2026-11-16'],
    ['2026-11-15T23:59:59.999Z', '2026-11-09'],
    ['2026-11-18T12:00:00Z', '2026-11-16'],
    ['1970-01-01T00:00:00Z', '1969-12-29'],
  ])('%s lies in the week of %s', (moment, monday) => expect(dayOf(weekOf(at(moment)))).toBe(monday))

  test('and the retention counts whole days of UTC', () => {
    expect(new Date(keptSince(30, at('2026-11-16T13:00:00Z'))).toISOString()).toBe('2026-10-17T00:00:00.000Z')
  })
})

describe('what one statement may read', () => {
  const WEEK_MS = 7 * DAY_MS

  test.each([
    [1, [1]],
    [8, [8]],
    [9, [8, 1]],
    [20, [8, 8, 4]],
  ])('%i weeks are read in windows of %j', (weeks, lengths) => {
    const windows = windowsOf({ from: 0, until: weeks * WEEK_MS })
    expect(windows.map(({ from, until }) => (until - from) / WEEK_MS)).toEqual(lengths)
    expect(windows.flatMap(({ from, until }) => [from, until])).toEqual(
      windows.flatMap((_, index) => [index * 8, Math.min(weeks, (index + 1) * 8)]).map((week) => week * WEEK_MS),
    )
  })

  test.each([
    [[], []],
    [
      [1, 8, 9, 30],
      [[1, 8, 9], [30]],
    ],
    [
      [30, 23, 9, 1],
      [
        [30, 23],
        [9, 1],
      ],
    ],
  ])('moments in the weeks %j are read in groups %j', (weeks, groups) => {
    expect(groupsOfWindow(weeks, (week) => week * WEEK_MS)).toEqual(groups)
  })
})

describe('a partition', () => {
  test('holds a week, and is created once, however many ask for it', async () => {
    const days = ['2026-11-16', '2026-11-22', '2026-11-23']
    await Promise.all([1, 2, 3, 4].map(() => ensurePartitions(db, 'play', days)))
    expect(await listPartitions(db, 'play')).toEqual([
      { name: 'play_week_20261116', from: at('2026-11-16'), until: at('2026-11-23') },
      { name: 'play_week_20261123', from: at('2026-11-23'), until: at('2026-11-30') },
    ])
  })

  test('holds a day where the week consists of days already', async () => {
    await addSingleDay('play', '2026-11-18')
    await ensurePartitions(db, 'play', ['2026-11-18', '2026-11-20', '2026-11-24'])
    // A node of the version before asks for days.
    await sql`call ensure_day('play', '2026-11-21')`.execute(db)
    await sql`call ensure_day('play', '2026-11-25')`.execute(db)
    expect(await names('play')).toEqual(['play_20261118', 'play_20261120', 'play_20261121', 'play_week_20261123'])
  })

  test('that was dropped meanwhile is created again for rows that arrive for it', async () => {
    const add = () => withPartitions(db, 'position', new Set(['2026-06-03']), () => addPosition('2026-06-03T12:00:00Z'))
    await add()
    await dropPartitionsBefore(db, 'position', { before: at('2026-06-08') })
    await add()
    expect(await names('position')).toEqual(['position_week_20260601'])
    expect(await db.selectFrom('position').select('at').execute()).toHaveLength(1)
  })

  test('is dropped when readers are done with it, and others are not held up for long', async () => {
    await ensurePartitions(db, 'play', ['2026-06-01', '2026-06-08', '2026-06-15'])
    const drop = () => dropPartitionsBefore(db, 'play', { before: at('2026-06-15') })
    await inSnapshot(db, async (reading) => {
      await reading.selectFrom('play').select('play_id').where('started_at', '<', '2026-06-08').execute()
      expect(await drop()).toBe(2)
    })
    expect(await drop()).toBe(0)
    expect(await names('play')).toEqual(['play_week_20260615'])
  })

  test('that another node drops at the same moment is gone, and that is fine', async () => {
    await ensurePartitions(db, 'play', ['2026-06-01'])
    let second: Promise<unknown> | undefined
    await db.transaction().execute(async (first) => {
      await dropPartition(first, 'play', 'play_week_20260601')
      second = dropPartition(db, 'play', 'play_week_20260601')
      const waiting = sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
           and query like 'call drop_partition%'`
      await vi.waitFor(async () => expect((await waiting.execute(db)).rows).toHaveLength(1), { timeout: 5000 })
    })
    await second
    expect(await names('play')).toEqual([])
  })
})

const truck = randomUUID()

const addPosition = (moment: string) =>
  db.insertInto('position').values({ truck_uid: truck, at: moment, latitude: 32.78, longitude: -96.8 }).execute()

/** Plays of a truck, one every ten minutes from a moment on. */
const addPlays = (first: string, count: number, name: string) =>
  sql`
    insert into play (device_uid, play_id, started_at, day, sequence, truck_uid, artwork_set_uid, sha256, side, duration_ms)
    select ${truck}::uuid, ${name} || n, ${first}::timestamptz + n * interval '10 minutes', ${first}::timestamptz::date, n + 1,
           ${truck}::uuid, ${truck}::uuid, repeat('ab', 32), 'rear', 9000
      from generate_series(0, ${count}::int - 1) n`.execute(db)

const playsOfWeek = sql<{ play_id: string; grade: string }>`
  select play_id, grade from play where started_at >= '2026-06-01' and started_at < '2026-06-08' order by play_id`

const NOW = at('2026-07-01T12:00:00Z')
const merge = (table: PartitionedTable, patienceMs = 60_000) => mergePastDays(db, table, { now: NOW, patienceMs })

const WRITTEN = 150
const WEEK = ['01', '02', '03', '04', '05', '06', '07'].map((day) => `2026-06-${day}`)

describe('the days of past weeks are merged', () => {
  test('into one partition a week, with every row, and the present week waits for its end', async () => {
    for (const day of [...WEEK, '2026-06-10', '2026-07-01']) {
      await addSingleDay('position', day)
      await addPosition(`${day}T00:00:00Z`)
      await addPosition(`${day}T23:59:59.999999Z`)
    }
    const rows = () => db.selectFrom('position').selectAll().orderBy('at').execute()
    const before = await rows()
    expect(await merge('position')).toBe(2)
    expect(await names('position')).toEqual(['position_week_20260601', 'position_week_20260608', 'position_20260701'])
    expect(await rows()).toEqual(before)
    // The merged week is a partition like any other: its key holds, and it takes the days that were missing.
    await expect(addPosition('2026-06-01T00:00:00Z')).rejects.toThrow('duplicate key')
    await addPosition('2026-06-12T08:00:00Z')
    expect(await merge('position')).toBe(0)
  })

  test('while plays arrive late and change: none is lost, none is there twice', async () => {
    for (const day of WEEK) await addSingleDay('play', day)
    await addPlays('2026-06-01T00:00:00Z', 1000, 'early-')
    const over = new AbortController()
    const seen: number[] = []
    const write = async () => {
      for (let n = 1; n <= WRITTEN; n++) {
        const play = sql`play_id = ${`early-${n}`} and started_at >= '2026-06-01' and started_at < '2026-06-08'`
        await addPlays('2026-06-03T00:00:05Z', 1, `late-${n}-`)
        await sql`update play set grade = 'verified' where ${play}`.execute(db)
        if (n % 7 === 0) await sql`delete from play where ${play}`.execute(db)
      }
    }
    const read = async () => {
      while (!over.signal.aborted) seen.push((await playsOfWeek.execute(db)).rows.length)
    }
    const work = [write(), read()]
    // A merge gives up while rows of its week keep changing.
    while ((await merge('play')) === 0);
    over.abort()
    await Promise.all(work)
    expect(await names('play')).toEqual(['play_week_20260601'])
    const { rows } = await playsOfWeek.execute(db)
    const removed = Math.floor(WRITTEN / 7)
    expect(rows).toHaveLength(1000 + WRITTEN - removed)
    expect(new Set(rows.map(({ play_id }) => play_id)).size).toBe(rows.length)
    expect(rows.filter(({ grade }) => grade === 'verified')).toHaveLength(WRITTEN - removed)
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(1000)
    expect(Math.max(...seen)).toBeLessThanOrEqual(1000 + WRITTEN)
  })

  test('not while a reader that began before still reads: it sees every row', async () => {
    await addSingleDay('play', '2026-06-02')
    await addPlays('2026-06-02T00:00:00Z', 3, 'a-')
    await inSnapshot(db, async (reading) => {
      await sql`select count(*) from play_hour`.execute(reading)
      expect(await merge('play', 0)).toBe(0)
      expect((await playsOfWeek.execute(reading)).rows).toHaveLength(3)
    })
    expect(await names('play')).toEqual(['play_20260602'])
    expect(await merge('play')).toBe(1)
  })

  test('by the job, whose own transaction is not in its way', async () => {
    await addSingleDay('play', '2026-06-02')
    const resources = { db, blobs: app.blobs, env: { brandName: '', publicUrl: '' }, log: () => {} }
    await runJob(mergeDaysJob, resources, { signal: new AbortController().signal, now: NOW })
    expect(await names('play')).toEqual(['play_week_20260601'])
  })

  test('again from the start after a crash in the middle', async () => {
    await addSingleDay('play', '2026-06-02')
    await addPlays('2026-06-02T00:00:00Z', 3, 'a-')
    await sql`create table merging.play_week_20260601 (like play)`.execute(db)
    await sql`create table merging.play_week_20200101 (like play)`.execute(db)
    await sql`create trigger note_changed_row after insert or update or delete on play_20260602
              for each row execute function note_changed_row('started_at')`.execute(db)
    await addPlays('2026-06-02T01:00:00Z', 2, 'b-')
    expect(await merge('play')).toBe(1)
    expect((await playsOfWeek.execute(db)).rows).toHaveLength(5)
    const { rows } = await sql`
      select from pg_class where relnamespace = 'merging'::regnamespace and relkind = 'r' and relname <> 'changed_row'
      union all select from pg_trigger where tgname = 'note_changed_row'
      union all select from merging.changed_row`.execute(db)
    expect(rows).toEqual([])
  })
})
