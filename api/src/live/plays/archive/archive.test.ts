import { adLog, API_BASE, DAY_MS, formatDay, localDay, type Play, type Settings, settings } from '@roadshow/contract'
import { readWithSheetJs } from '@roadshow/test-kit/workbook-readers'
import { openWorld } from '@roadshow/test-kit/world'
import { copyFile, stat, truncate } from 'node:fs/promises'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { listPartitions } from '../../../platform/db/partitions.ts'
import { archiveColumns } from './columns.ts'
import { archiveOf, dayAgo, daysAgo, forAddress } from './test-archive.ts'
import { thawDay } from './thaw.ts'
import { archiveDay } from './write.ts'

const world = await openWorld()
const { db, app } = world
const past = archiveOf(world)
const { addTruck, addShift, aPlay, playsOf, store, grade, archive, adLogOf, rowsLeft, errors, parquet } = past

const truck = await addTruck([100, 60])
await store(truck, forAddress([...playsOf(truck, 100), ...playsOf(truck, 60), ...playsOf(truck, 2)]))
await grade()

const resultsOf = async (plays: readonly Play[]) => {
  const { answer } = await store(truck, plays)
  return new Set('rows' in answer ? answer.rows.map(({ result }) => result) : [answer.error])
}
const files = () => db.selectFrom('play_archive').selectAll().orderBy('day').orderBy('market_uid').execute()
const leftovers = () => db.selectFrom('play_archive_leftover').select('blob').execute()
const archivedDays = async () => [...new Set((await files()).map(({ day }) => day))]
const thawAll = async () => {
  for (const day of await archivedDays()) await thawDay({ db, parquet }, day)
}

describe('plays that are old enough', () => {
  test('leave the database for files, and the ad log stays the same', async () => {
    const before = await adLogOf(truck)
    expect(before.pages[0]?.total).toBeGreaterThan(40)
    expect(before.unassigned.total).toBeGreaterThan(3)
    const counts = before.filtered.map(({ body, csv }) => [body.total, csv.trimEnd().split('\n').length - 1])
    for (const [total, lines] of counts) expect(total).toBe(lines)
    const [ofHours = 0, ofDriver = 0, ofClient = 0, ofAll = 0, ofAddress = 0, ofRear = 0] = counts.map(
      ([total]) => total,
    )
    expect(ofAll).toBeGreaterThan(0)
    expect(ofHours).toBeGreaterThan(ofAll)
    expect(ofDriver).toBeGreaterThan(ofAll)
    expect(ofClient).toBeGreaterThan(ofHours)
    expect(ofAddress).toBe(ofClient / 4)
    expect(ofRear).toBeGreaterThan(0)
    await archive()
    expect(errors).toEqual([])
    expect(await rowsLeft()).toBe(40)
    expect(await archivedDays()).toEqual([dayAgo(100), dayAgo(99), dayAgo(60), dayAgo(59)])
    expect(await adLogOf(truck)).toEqual(before)
    expect(await leftovers()).toEqual([])
    // Their weeks are gone; the day of the newest plays stays.
    expect((await listPartitions(db, 'play')).some(({ from }) => from < daysAgo(50))).toBe(false)
    await archive()
    expect(await adLogOf(truck)).toEqual(before)
  })

  test('are read by another program, value by value, in order of time', async () => {
    await thawAll()
    const { rows } = await sql<Record<string, unknown>>`
      select p.*, to_char(p.started_at, 'YYYY-MM-DD') as utc_day from play p where p.started_at < ${dayAgo(50)}::date
       order by p.started_at, p.device_uid, p.play_id`.execute(db)
    await archive()
    const read: Record<string, unknown>[] = []
    for (const { day, market_uid, blob, rows: count } of await files()) {
      const file = await asyncBufferFromFile(app.blobs.localPath?.(blob) ?? '')
      const found = await parquetReadObjects({ file, compressors })
      expect(found).toHaveLength(count)
      const times = found.map(({ started_at }) => (started_at as Date).getTime())
      expect(times).toEqual(times.toSorted((one, other) => one - other))
      expect(blob).toMatch(new RegExp(`^plays/utc_day=${day}/market=(none|${market_uid})/[0-9a-f]{16}\\.parquet$`))
      expect(
        found.every(({ market_uid: market }) => (market ?? null) === (blob.includes('none') ? null : market_uid)),
      ).toBe(true)
      read.push(...found)
    }
    const plain = (row: Record<string, unknown>) =>
      Object.keys(archiveColumns).map((name) => {
        const value = row[name] ?? null
        if (name === 'day') return value instanceof Date ? value.toISOString().slice(0, 10) : value
        if (name.endsWith('_at')) return new Date(value as string | Date).toISOString()
        return typeof value === 'bigint' ? Number(value) : value
      })
    const inOrder = (list: readonly Record<string, unknown>[]) =>
      list.map((row) => JSON.stringify(plain(row))).toSorted()
    expect(inOrder(read)).toEqual(inOrder(rows))
    expect(rows.length).toBe(80)
  })

  test('come back whole and are archived again', async () => {
    const before = await adLogOf(truck)
    await thawAll()
    expect(await files()).toEqual([])
    expect(await rowsLeft()).toBe(120)
    expect(await adLogOf(truck)).toEqual(before)
    await archive()
    expect(await rowsLeft()).toBe(40)
    expect(await adLogOf(truck)).toEqual(before)
  })

  test('filters, orders and searches find the same rows there', async () => {
    const { data: all } = (
      await world.call(adLog.list, { query: { program: truck.programUid, from: dayAgo(799), pageSize: '200' } })
    ).body
    const old = all.filter(({ startedAt }) => startedAt < dayAgo(50))
    const [first] = old
    if (!first) throw new Error('There are archived plays.')
    const found = async (query: Record<string, string | string[]>) =>
      (
        await world.call(adLog.list, {
          query: { program: truck.programUid, from: dayAgo(799), to: dayAgo(50), pageSize: '200', ...query },
        })
      ).body
    expect((await found({ side: ['rear'] })).data).toEqual(old.filter(({ side }) => side === 'rear'))
    expect((await found({ grade: ['conflict'] })).data).toEqual(old.filter(({ grade: each }) => each === 'conflict'))
    expect((await found({ sort: 'startedAt' })).data).toEqual(old.toReversed())
    expect((await found({ search: first.truck.name })).total).toBe(old.length)
    expect((await found({ search: 'no such truck' })).total).toBe(0)
    expect((await found({ market: truck.marketUid, truck: [truck.truckUid] })).data).toEqual(old)
    expect((await found({ shift: first.shiftUid ?? '' })).data).toEqual(
      old.filter(({ shiftUid }) => shiftUid === first.shiftUid),
    )
  })
})

describe('a play that arrives for an archived day', () => {
  test('is listed at once, counts once, and joins the file of its day', async () => {
    const late = playsOf(truck, 100).map((play) => ({
      ...play,
      startedAt: new Date(Date.parse(play.startedAt) + 60_000).toISOString(),
    }))
    const before = await adLogOf(truck)
    expect(await resultsOf(late)).toEqual(new Set(['accepted']))
    expect(await resultsOf(late)).toEqual(new Set(['duplicate']))
    const mixed = await adLogOf(truck)
    expect(mixed.pages[0]?.total).toBeGreaterThan(before.pages[0]?.total ?? 0)
    expect(mixed.csv.split('\n')).toHaveLength((mixed.pages[0]?.total ?? 0) + 2)
    const listed = mixed.pages.flatMap(({ data }) => data.map(({ startedAt }) => startedAt))
    expect(listed).toEqual(listed.toSorted().toReversed())
    await grade()
    // Grading brought the day back, because late plays may overlap archived ones.
    expect(await archivedDays()).not.toContain(dayAgo(100))
    const graded = await adLogOf(truck)
    await archive()
    expect(errors).toEqual([])
    expect(await adLogOf(truck)).toEqual(graded)
    expect(await rowsLeft()).toBe(40)
  })

  test('in a market that has no file of the day is listed and in the files', async () => {
    const other = await addTruck([])
    const from = daysAgo(60) + 17 * 3_600_000
    const { truckUid, marketUid } = other
    const { programUid, art } = truck
    await addShift({ truckUid, programUid, marketUid, from, to: from + 11 * 3_600_000, artwork_set_uid: art.uid })
    const elsewhere = { ...other, art, programUid }
    await store(elsewhere, playsOf(elsewhere, 60))
    const { pages, csv } = await adLogOf(truck)
    const names = pages.flatMap(({ data }) => data.map(({ truck: { uid } }) => uid))
    expect(names.filter((uid) => uid === truckUid).length).toBeGreaterThan(10)
    // Besides the plays, the file has its heading, and an empty line after the last.
    expect(csv.split('\n')).toHaveLength((pages[0]?.total ?? 0) + 2)
    await grade()
    await archive()
    expect((await adLogOf(truck)).csv.split('\n')).toHaveLength((pages[0]?.total ?? 0) + 2)
  })

  test('that was archived already is a duplicate', async () => {
    const play = aPlay(truck.art, { startedAt: new Date(daysAgo(58)).toISOString() })
    await store(truck, [play])
    await grade()
    await archive()
    expect(await resultsOf([{ ...play, sequence: play.sequence + 1000 }])).toEqual(new Set(['duplicate']))
  })

  test('puts an archived play in doubt that it overlaps', async () => {
    const at = daysAgo(60) + 3_600_000
    const [first, second] = [0, 4000].map((ms) => aPlay(truck.art, { startedAt: new Date(at + ms).toISOString() }))
    if (!first || !second) throw new Error('Two plays.')
    await store(truck, [first])
    await grade()
    await archive()
    await store(truck, [second])
    await grade()
    const reasons = await db
      .selectFrom('play')
      .select('reason')
      .where('play_id', 'in', [first.playId, second.playId])
      .where('started_at', '>=', new Date(at).toISOString())
      .execute()
    expect(reasons).toEqual([{ reason: 'overlap' }, { reason: 'overlap' }])
    await archive()
  })

  test('stays where it is if it arrives while its day is archived', async () => {
    await thawDay({ db, parquet }, dayAgo(60))
    const late = aPlay(truck.art, { startedAt: new Date(daysAgo(60) + 7_200_000).toISOString() })
    const { writeFile } = app.blobs
    app.blobs.writeFile = async (...args) => {
      await store(truck, [late])
      app.blobs.writeFile = writeFile
      return writeFile(...args)
    }
    expect(await archiveDay({ db, parquet }, dayAgo(60))).toBeUndefined()
    expect(await archivedDays()).not.toContain(dayAgo(60))
    expect(await leftovers()).not.toEqual([])
    await grade()
    expect(await archiveDay({ db, parquet }, dayAgo(60))).toBeGreaterThan(20)
  })
})

describe('a storage that fails', () => {
  test('leaves every play in the database, and the next run archives it', async () => {
    await thawAll()
    const [before, left] = [await adLogOf(truck), await rowsLeft()]
    const { writeFile } = app.blobs
    app.blobs.writeFile = async () => Promise.reject(new Error('away'))
    await archive()
    app.blobs.writeFile = async (blob, file, type) => {
      // It loses the last bytes.
      await copyFile(file, `${file}.cut`)
      await truncate(`${file}.cut`, (await stat(file)).size - 1)
      return writeFile(blob, `${file}.cut`, type)
    }
    await archive()
    app.blobs.writeFile = writeFile
    expect(errors.length).toBeGreaterThan(4)
    expect([await rowsLeft(), await files()]).toEqual([left, []])
    errors.length = 0
    await archive()
    expect(errors).toEqual([])
    expect(await adLogOf(truck)).toEqual(before)
  })

  test('leaves files that no day refers to, which are removed later', async () => {
    const old = (await leftovers()).map(({ blob }) => blob)
    expect(old.length).toBeGreaterThan(3)
    await sql`update play_archive_leftover set remove_after = now() - interval '1 second'`.execute(db)
    await world.sweep()
    expect(await leftovers()).toEqual([])
    for (const blob of old) expect(await app.blobs.size(blob)).toBeUndefined()
    for (const { blob, bytes } of await files()) expect(await app.blobs.size(blob)).toBe(bytes)
  })
})

test('two nodes that archive the same day at once keep each play once', async () => {
  await thawAll()
  const before = await adLogOf(truck)
  await Promise.allSettled([archive(), archive(), archive()])
  await archive()
  expect(await adLogOf(truck)).toEqual(before)
  expect(await rowsLeft()).toBe(40)
})

describe('the archive ends with the retention', () => {
  const later = daysAgo(0) + 702 * DAY_MS
  const sweep = () => world.sweep(['play_archive', 'play_archive_leftover'], { now: later })
  async function change(changed: Partial<Settings>): Promise<void> {
    const { version, values } = (await world.call(settings.get, {})).body.data
    expect((await world.call(settings.update, { body: { ...values, ...changed, version } })).status).toBe(200)
  }

  test('but not while a legal hold keeps it, which is in the history of the settings', async () => {
    const all = await archivedDays()
    await change({ holdPlaysFrom: dayAgo(100), keepPlaysDays: 800 })
    await sweep()
    expect(await archivedDays()).toEqual(all)
    await change({ keepPlaysDays: 50 })
    const { rows } = await sql<{ since: string }>`select plays_kept_since() as since`.execute(db)
    expect(rows[0]?.since.slice(0, 10)).toBe(dayAgo(100))
    const { data } = (await world.call(settings.history, { query: {} })).body
    expect(data.flatMap(({ fields }) => fields)).toContainEqual({
      field: 'holdPlaysFrom',
      old: null,
      new: dayAgo(100),
    })
  })

  test('and it ends when the hold is cleared', async () => {
    await change({ holdPlaysFrom: null, keepPlaysDays: 800 })
    await sweep()
    expect(await archivedDays()).toEqual([dayAgo(60), dayAgo(59), dayAgo(58)])
  })

  test('and files say since when single plays are kept, where earlier ones are only counted', async () => {
    await change({ keepPlaysDays: 59 })
    const query = { program: truck.programUid, from: dayAgo(799), to: dayAgo(0) }
    const { total, keptSince } = (await world.call(adLog.summary, { query })).body.data
    const list = await world.call(adLog.list, { query })
    const earlier = total.plays - list.body.total
    expect([earlier > 0, keptSince?.slice(0, 10)]).toEqual([true, dayAgo(59)])
    const zone = list.body.data[0]?.zone ?? ''
    const day = formatDay(localDay(zone, Date.parse(keptSince ?? '')))
    const note = `single plays kept since ${day}; ${earlier} earlier plays are only counted`
    const footerOf = async (more: object) => (await world.call(adLog.list, { query: { ...query, ...more } })).text
    expect(await footerOf({ format: 'csv' })).toContain(`"# ${list.body.total} rows; ${note}; program: `)
    const { rawPayload } = await app.inject({
      url: `${API_BASE}/${adLog.list.path}?${new URLSearchParams({ ...query, format: 'xlsx' })}`,
      headers: { authorization: `Bearer ${world.people.admin.token}` },
    })
    const cells = Object.values(readWithSheetJs(rawPayload)).flatMap(({ rows }) => rows.flat().map(String))
    for (const part of note.split('; ')) expect(cells.join('\n')).toContain(part)
    // Days whose plays are all kept need no such words.
    expect(await footerOf({ format: 'csv', from: dayAgo(58) })).not.toContain('only counted')
    const unassigned = await world.call(adLog.unassigned, { query: { from: dayAgo(200), format: 'csv' } })
    expect(unassigned.text).toContain('single plays kept since')
  })
})
