import { adLog, type FeedPlay, feeds, NEXT_CURSOR_HEADER, type Play } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { archiveOf, dayAgo, daysAgo, type PastTruck } from '../../live/plays/archive/test-archive.ts'
import { thawDay } from '../../live/plays/archive/thaw.ts'
import { playTotals, storePlays } from '../../live/plays/index.ts'
import { parseCsv } from '../../platform/spreadsheet/csv.js'
import { readCursor } from './cursor.ts'
import { letTimePass, olderCursor, Partner } from './test-partner.ts'

const world = await openWorld()
const { db, call } = world
const past = archiveOf(world)
const { addTruck, playsOf, store, grade, archive, parquet, errors } = past

/** Plays that arrived when they were played, as far as the feed knows. */
const arrivedLongAgo = () =>
  sql`update play set received_at = (started_at at time zone 'UTC' + interval '1 minute') at time zone 'UTC'
       where received_at > now() - interval '1 hour'`.execute(db)

const truck = await addTruck([100, 60, 2])
await store(truck, [...playsOf(truck, 100), ...playsOf(truck, 60), ...playsOf(truck, 2)])
await grade()
await arrivedLongAgo()
const program = truck.programUid

/** What the ad log and the totals say of a program. */
async function totalsOf({ programUid }: PastTruck) {
  const { body } = await call(adLog.summary, { query: { program: programUid } })
  const { plays, verified, conflict } = body.data.total
  const totals = await playTotals(db, 'all', { by: 'market', program: programUid })
  const total = totals.find(({ isTotal }) => isTotal)
  expect([total?.plays ?? 0, total?.verified ?? 0, total?.conflict ?? 0]).toEqual([plays, verified, conflict])
  return { plays, verified, conflict, ms: total?.ms ?? 0 }
}

const totalsOfPartner = ({ counted }: Partner) => ({
  plays: counted.length,
  verified: counted.filter(({ grade }) => grade === 'verified').length,
  conflict: counted.filter(({ grade }) => grade === 'conflict').length,
  ms: counted.reduce((sum, { seconds }) => sum + Math.round(seconds * 1000), 0),
})

const idsOf = (lines: readonly { id: string }[]) => lines.map(({ id }) => id)

/** The rows of a CSV file by the names of their columns. */
function rowsOf(text: string): Record<string, string>[] {
  const [titles = [], ...rows] = parseCsv(text, ',', 10_000) ?? []
  return rows.map((cells) => Object.fromEntries(titles.map((title, index) => [title, cells[index] ?? ''])))
}

const partner = new Partner(world, program)

describe('a partner that keeps the cursor', () => {
  test('gets every play once, page by page, and counts what the ad log counts', async () => {
    await partner.poll()
    const totals = await totalsOf(truck)
    expect(totals.plays).toBeGreaterThan(90)
    expect(totalsOfPartner(partner)).toEqual(totals)
    expect(new Set(idsOf(partner.lines)).size).toBe(partner.lines.length)
    // All lines of a batch have one time: pages end within it.
    expect(partner.lines.map(({ changedAt }) => changedAt)).toEqual(
      partner.lines.map(({ changedAt }) => changedAt).toSorted(),
    )
    expect(await partner.poll()).toEqual([])
  })

  test('gets a play that comes weeks late, once', async () => {
    const late = playsOf(truck, 60).slice(10, 13)
    await store(truck, late)
    expect(await partner.poll()).toEqual([])
    await letTimePass(world, partner)
    expect(idsOf(await partner.poll()).toSorted()).toEqual(
      late.map(({ playId }) => `${truck.device.uid} ${playId}`).toSorted(),
    )
    expect(await partner.poll()).toEqual([])
    await grade()
    await letTimePass(world, partner)
    await partner.poll()
    expect(totalsOfPartner(partner)).toEqual(await totalsOf(truck))
  })

  test('gets nothing twice when days are archived, and a new partner reads the same from the archive', async () => {
    await archive()
    expect(errors).toEqual([])
    expect(
      (await db.selectFrom('play_archive').select('received_until').execute()).every((row) => row.received_until),
    ).toBe(true)
    expect(await partner.poll()).toEqual([])
    const second = new Partner(world, program, { limit: 23 })
    await second.poll()
    expect(totalsOfPartner(second)).toEqual(await totalsOf(truck))
    // The times of what came lately were moved, not those that the first partner wrote down.
    const contentOf = (line: FeedPlay) => ({ ...line, cursor: '', changedAt: '', receivedAt: '' })
    const newest = new Map(partner.lines.map((line) => [line.id, contentOf(line)]))
    for (const line of second.lines) expect(contentOf(line)).toEqual(newest.get(line.id))
    expect(second.lines).toHaveLength(newest.size)
  })

  test('gets a play that comes late for an archived day, also when it is archived before the partner asks', async () => {
    const late = playsOf(truck, 100).slice(5, 7)
    await store(truck, late)
    await letTimePass(world, partner)
    await archive()
    expect(await partner.poll()).toHaveLength(late.length)
    expect(await partner.poll()).toEqual([])
  })

  test('gets corrections when a shift is changed long after, from the archive too', async () => {
    await grade()
    await letTimePass(world, partner)
    await partner.poll()
    const before = await totalsOf(truck)
    const { rows } = await sql<{ uid: string }>`
      select uid from shift where program_uid = ${program} and local_date <= ${dayAgo(99)}::date`.execute(db)
    await sql`update shift set status = 'cancelled', reason = 'Weather' where uid = ${rows[0]?.uid}`.execute(db)
    await grade()
    expect(await partner.poll()).toEqual([])
    await archive()
    await letTimePass(world, partner)
    const corrected = await partner.poll()
    const after = await totalsOf(truck)
    expect(before.plays - after.plays).toBeGreaterThan(30)
    expect(corrected).toHaveLength(before.plays - after.plays)
    // Nothing about the truck: it was on no shift of this program then.
    for (const line of corrected) {
      expect(Object.keys(line).toSorted()).toEqual(['changedAt', 'cursor', 'id', 'state'])
      expect(line.state).toBe('withdrawn')
    }
    expect(totalsOfPartner(partner)).toEqual(after)
    await sql`update shift set status = 'planned', reason = '' where uid = ${rows[0]?.uid}`.execute(db)
    await grade()
    await letTimePass(world, partner)
    await partner.poll()
    expect(totalsOfPartner(partner)).toEqual(before)
    // A partner that starts now gets each play once, as it is.
    const fresh = new Partner(world, program, { limit: 5000 })
    await fresh.poll()
    expect(new Set(idsOf(fresh.lines)).size).toBe(fresh.lines.length)
    expect(totalsOfPartner(fresh)).toEqual(before)
  })

  test('waits for a transaction that is under way: its plays are delivered with the next ones', async () => {
    const [early, later] = playsOf(truck, 2).slice(20, 22) as [Play, Play]
    const began = await db.transaction().execute(async (held) => {
      const { rows } = await sql<{ now: string }>`select now() as now`.execute(held)
      await storePlays(held, truck.device, [early])
      await partner.poll()
      return rows[0]?.now ?? ''
    })
    const { at } = readCursor({ kind: 'plays', program }, partner.cursor ?? '')
    expect(Date.parse(began) - Date.parse(at)).toBeGreaterThanOrEqual(5 * 60_000)
    await store(truck, [later])
    await letTimePass(world, partner)
    expect(idsOf(await partner.poll())).toEqual([early, later].map((play) => `${truck.device.uid} ${play.playId}`))
  })

  test('sees plays withdrawn when their artwork moves to another program, and again when it comes back', async () => {
    const source = await addTruck([2])
    await store(source, playsOf(source, 2))
    await grade()
    await arrivedLongAgo()
    const other = await world.addProgram()
    const [left, gained] = [new Partner(world, source.programUid), new Partner(world, other.uid)]
    const moveTo = async (programUid: string) => {
      await sql`update artwork_set set program_uid = ${programUid} where uid = ${source.art.uid}`.execute(db)
      await grade()
      await letTimePass(world, left, gained)
      await left.poll()
      await gained.poll()
      expect(totalsOfPartner(left)).toEqual(await totalsOf(source))
      return [left.counted.length, gained.counted.length]
    }
    const [before] = await moveTo(source.programUid)
    expect(before).toBeGreaterThan(30)
    // The shift is still one of the first program: the plays count for none.
    expect(await moveTo(other.uid)).toEqual([0, 0])
    expect(await moveTo(source.programUid)).toEqual([before, 0])
  })
})

describe('the shape of a page', () => {
  test('CSV has the same plays and cursors as JSON lines', async () => {
    const query = { limit: '90' }
    const csv = await call(feeds.playsCsv, { params: { uid: program }, query })
    const json = await call(feeds.playLines, { params: { uid: program }, query })
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(json.headers['content-type']).toBe('application/jsonl; charset=utf-8')
    expect(csv.headers[NEXT_CURSOR_HEADER]).toBe(json.headers[NEXT_CURSOR_HEADER])
    const rows = rowsOf(csv.text)
    const lines = json.text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(rows).toHaveLength(lines.length)
    for (const [index, row] of rows.entries()) {
      const line = lines[index] as Record<string, unknown> & { truck: { name: string } }
      expect([row['id'], row['cursor'], Number(row['seconds']), row['truck']]).toEqual([
        line['id'],
        line['cursor'],
        line['seconds'],
        line.truck.name,
      ])
    }
    // A partner can go on after any line.
    const cursor = rows[11]?.['cursor'] ?? ''
    const rest = await call(feeds.playsCsv, { params: { uid: program }, query: { ...query, cursor } })
    expect(rowsOf(rest.text)[0]?.['id']).toBe(rows[12]?.['id'])
  })

  test('names that a spreadsheet would run are plain text in CSV and unchanged in JSON', async () => {
    await sql`update truck set number = '=1+1, "x"' where uid = ${truck.truckUid}`.execute(db)
    const query = { limit: '5000' }
    const csv = await call(feeds.playsCsv, { params: { uid: program }, query })
    const json = await call(feeds.playLines, { params: { uid: program }, query })
    expect(rowsOf(csv.text)[0]?.['truck']).toBe(`'=1+1, "x"`)
    const [line = ''] = json.text.split('\n')
    expect((JSON.parse(line) as { truck: { name: string } }).truck.name).toBe('=1+1, "x"')
  })

  test('it starts at a time if asked, and says what is wrong with a bad question', async () => {
    const since = new Date(daysAgo(50)).toISOString()
    const recent = await call(feeds.playLines, { params: { uid: program }, query: { since, limit: '5000' } })
    const times = recent.text
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { changedAt: string }).changedAt)
    expect(times.length).toBeGreaterThan(30)
    expect(times.every((at) => at >= since)).toBe(true)
    const cursor = String(recent.headers[NEXT_CURSOR_HEADER])
    const wrong = [
      [{ limit: '5001' }, { limit: 'Must be a whole number from 1 to 5000.' }],
      [{ since: '2026-11-16' }, { since: expect.stringContaining('Must be a time with its zone') }],
      [{ since: '9999-12-31T23:59:59-23:59' }, { since: 'Must be between 1970 and 2199.' }],
      [{ since: '0000-01-01T00:00:00+14:00' }, { since: 'Must be between 1970 and 2199.' }],
      [{ cursor, since }, { since: 'Send either a cursor or a time to start from, not both.' }],
      [{ cursor: 'x' }, { cursor: expect.stringContaining('Leave it out to start from the beginning.') }],
      [{ cursor: 'abcdefghijklmnopqrstuvw' }, { cursor: expect.stringContaining('Not a cursor of this feed.') }],
    ] as const
    for (const [query, fields] of wrong) {
      const { status, error } = await call(feeds.playLines, { params: { uid: program }, query })
      expect([status, error.fields]).toEqual([400, fields])
    }
    const other = await world.addProgram()
    const { status, error } = await call(feeds.playsCsv, { params: { uid: other.uid }, query: { cursor } })
    expect([status, error.fields]).toEqual([400, { cursor: 'This cursor belongs to the feed of another program.' }])
  })

  test('Google’s ad plays: each play once, young ones without a conflict, as one batch', async () => {
    const source = await addTruck([1])
    const good = playsOf(source, 1, { place: null }).slice(8, 20)
    await store(source, [...good, ...playsOf(source, 40).slice(8, 10)])
    await grade()
    const { rows } = await sql<{ id: string }>`
      update play set grade = 'conflict', reason = 'overlap' where play_id = ${good[0]?.playId ?? ''} returning play_id as id`.execute(
      db,
    )
    expect(rows).toEqual([{ id: good[0]?.playId }])
    await letTimePass(world)
    const ask = (more: object = {}) =>
      call(feeds.adPlays, {
        params: { uid: source.programUid },
        query: { seller: '4711', impressionsPerPlay: '12.5', ...more },
      })
    const first = await ask()
    expect(first.body.requests).toHaveLength(good.length - 1)
    const [, play] = good
    expect(first.body.requests[0]).toEqual({
      parent: 'sellers/4711',
      adPlay: {
        startTime: expect.stringMatching(/^2\d{3}-\d\d-\d\dT[\d:.]+Z$/),
        endTime: new Date(Date.parse(play?.startedAt ?? '') + (play?.durationMs ?? 0)).toISOString(),
        impressionCount: 12.5,
        lineExternalId: source.programUid,
        adUnitExternalId: `${source.truckUid}-${play?.side}`,
        creativeAssetExternalId: play?.sha256,
      },
    })
    // The conflict is cleared, and another play is doubted: the first is delivered now, the second was before.
    await sql`update play set grade = 'unverified', reason = 'noTrack' where play_id = ${play?.playId}`.execute(db)
    await grade()
    await letTimePass(world)
    const cursor = olderCursor(
      { kind: 'adPlays', program: source.programUid },
      String(first.headers[NEXT_CURSOR_HEADER]),
    )
    const second = await ask({ cursor })
    expect(second.body.requests.map(({ adPlay }) => adPlay.startTime)).toEqual([good[0]?.startedAt])
    for (const query of [{ seller: 'x' }, { impressionsPerPlay: '-1' }, { limit: '1001' }]) {
      expect((await ask(query)).status).toBe(400)
    }
    const missing = await call(feeds.adPlays, { params: { uid: source.programUid }, query: {} as never })
    expect([missing.status, missing.error.fields]).toEqual([
      400,
      {
        seller: 'Enter the number of the seller at Google.',
        impressionsPerPlay: 'Enter the impressions to report for each play, such as 12.5.',
      },
    ])
  })
})

test('feeds read what is archived after it came back into the database', async () => {
  const fresh = new Partner(world, program, { limit: 5000 })
  await fresh.poll()
  for (const { day } of await db.selectFrom('play_archive').select('day').distinct().execute()) {
    await thawDay({ db, parquet }, day)
  }
  const again = new Partner(world, program, { limit: 5000 })
  await again.poll()
  expect(again.lines).toEqual(fresh.lines)
})
