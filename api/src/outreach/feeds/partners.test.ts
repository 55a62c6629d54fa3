import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { adLog, apiKeys, feeds, type TrackCollection } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { DALLAS, fleetOf, northOf } from '../../live/players/test-fleet.ts'
import { storePlays } from '../../live/plays/index.ts'
import { newApiKey, startOfApiKey } from '../../platform/http/api-key-token.ts'
import { hashToken } from '../../platform/http/session.ts'
import { letTimePass, Partner } from './test-partner.ts'

const world = await openWorld()
const { db, call } = world
const fleet = fleetOf(world)

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const now = Math.floor(Date.now() / MINUTE) * MINUTE
const at = (ms: number) => new Date(ms).toISOString()

const marketUid = await fleet.addMarket()
const truckUid = await fleet.addTruck({ number: 'T-7' })
const device = await fleet.addDevice(truckUid)

/** A client's program with two shifts of the same truck, hours in which the truck drove for it, and plays in them. */
async function addCampaign(hours: readonly [from: number, to: number][]) {
  const client = await world.addClient()
  const { uid: programUid } = await world.addProgram({ clientUid: client.uid })
  const art = await fleet.addArtwork(programUid)
  const shifts = []
  for (const [from, to] of hours) {
    const took = { status: 'completed', started_at: at(from), stopped_at: at(to) }
    shifts.push(await fleet.addShift({ truckUid, programUid, marketUid, from, to, artwork_set_uid: art.uid, ...took }))
    const plays = Array.from({ length: 5 }, (_, n) =>
      fleet.aPlay(art, { startedAt: at(from + (n + 1) * MINUTE), durationMs: 8000, place: null }),
    )
    await storePlays(db, device, plays)
  }
  return { clientUid: client.uid, programUid, shifts }
}

const acme = await addCampaign([
  [now - 30 * HOUR, now - 28 * HOUR],
  [now - 8 * HOUR, now - 6 * HOUR],
])
const other = await addCampaign([[now - 6 * HOUR, now - 4 * HOUR]])
// The truck drives all the time; the place tells the minute.
const placeAt = (minutesAgo: number) => northOf(DALLAS, minutesAgo)
for (let ago = 31 * 60; ago > 0; ago -= 10) {
  await fleet.addPosition(truckUid, at(now - ago * MINUTE), placeAt(ago))
}
await letTimePass(world)

const tracksOf = (programUid: string, query: object = {}, token?: string) =>
  call(feeds.positions, { params: { uid: programUid }, query }, token === undefined ? {} : { token })
const timesOf = ({ features }: TrackCollection) => features.map(({ properties }) => properties.times.map(Date.parse))

describe('routes as GeoJSON', () => {
  test('a route has the positions within the hours of its shift, in order, with their times', async () => {
    const { status, body, headers } = await tracksOf(acme.programUid)
    expect([status, headers['content-type']]).toEqual([200, 'application/geo+json; charset=utf-8'])
    expect(feeds.positions.reply.parse(body)).toEqual(body)
    expect(body.features.map(({ id }) => id)).toEqual(acme.shifts.map(({ uid }) => uid))
    const [, second] = body.features
    expect(second?.geometry?.type).toBe('LineString')
    expect(second?.properties).toMatchObject({
      truck: { name: 'T-7' },
      from: expect.any(String),
      to: expect.any(String),
    })
    const [first, today] = timesOf(body)
    expect(first).toHaveLength(12)
    expect(today).toHaveLength(12)
    expect(Math.min(...(today ?? []))).toBe(now - 8 * HOUR)
    expect(Math.max(...(today ?? []))).toBeLessThan(now - 6 * HOUR)
    const { latitude, longitude } = placeAt(8 * 60)
    const [coordinates] = (second?.geometry?.coordinates ?? []) as [number, number][]
    expect(coordinates?.[0]).toBe(longitude)
    expect(coordinates?.[1]).toBeCloseTo(latitude, 9)
  })

  test('pages go shift by shift, and days narrow them', async () => {
    const first = (await tracksOf(acme.programUid, { limit: '1' })).body
    expect(first.features).toHaveLength(1)
    const second = await tracksOf(acme.programUid, { limit: '1', cursor: first.nextCursor ?? '' })
    expect(second.body.features[0]?.id).toBe(acme.shifts[1]?.uid)
    expect([second.body.nextCursor, second.headers['x-has-more']]).toEqual([null, 'false'])
    const day = second.body.features[0]?.properties.day ?? ''
    const narrowed = (await tracksOf(acme.programUid, { from: day, to: day })).body
    expect(narrowed.features.every(({ properties }) => properties.day === day)).toBe(true)
    const wrong = await tracksOf(acme.programUid, { from: '2026-02-02', to: '2026-02-01' })
    expect([wrong.status, wrong.error.fields]).toEqual([400, { to: 'Must not be before the first day.' }])
    const play = await call(feeds.playLines, { params: { uid: acme.programUid }, query: {} })
    const cursor = String(play.headers['x-next-cursor'])
    expect((await tracksOf(acme.programUid, { cursor })).error.fields).toEqual({
      cursor: 'This cursor belongs to another kind of feed.',
    })
  })

  test('a shift without positions has no geometry, one with a single position is a point, a running one has no end', async () => {
    const silent = await fleet.addTruck()
    const { uid: programUid } = await world.addProgram()
    const shift = { truckUid: silent, programUid, marketUid }
    await fleet.addShift({ ...shift, from: now - 9 * HOUR, to: now - 8 * HOUR })
    await fleet.addShift({ ...shift, from: now - HOUR, to: now + HOUR, status: 'out', started_at: at(now - HOUR) })
    await fleet.addPosition(silent, at(now - 30 * MINUTE), DALLAS)
    const { features } = (await tracksOf(programUid)).body
    expect(features.map(({ geometry }) => geometry?.type)).toEqual([undefined, 'Point'])
    expect(features.map(({ properties }) => properties.to === null)).toEqual([false, true])
  })

  test('where two shifts claim a truck, each moment is in the route of one', async () => {
    const [own] = timesOf((await tracksOf(other.programUid)).body)
    const all = timesOf((await tracksOf(acme.programUid)).body).flat()
    expect(own?.filter((moment) => all.includes(moment))).toEqual([])
    await sql`update shift set stopped_at = ${at(now - 5 * HOUR)} where uid = ${acme.shifts[1]?.uid}`.execute(db)
    const later = timesOf((await tracksOf(acme.programUid)).body).flat()
    const theirs = timesOf((await tracksOf(other.programUid)).body).flat()
    expect(theirs.filter((moment) => later.includes(moment))).toEqual([])
    await sql`update shift set stopped_at = ${at(now - 6 * HOUR)} where uid = ${acme.shifts[1]?.uid}`.execute(db)
  })
})

describe('a read-only key of one client', () => {
  const reads = [feeds.playsCsv, feeds.playLines, feeds.positions, feeds.adPlays] as const
  const ask = (endpoint: (typeof reads)[number], programUid: string, token: string) => {
    const query = endpoint === feeds.adPlays ? { seller: '1', impressionsPerPlay: '1' } : {}
    return call(endpoint, { params: { uid: programUid }, query } as never, { token })
  }

  test('reads that client’s plays and routes and nothing else', async () => {
    const key = await world.addKey({ clientUid: acme.clientUid, modules: ['overview'] })
    const partner = new Partner(world, acme.programUid, { token: key.token })
    expect((await partner.poll()).length).toBe(10)
    for (const endpoint of reads) {
      expect((await ask(endpoint, acme.programUid, key.token)).status).toBe(200)
      const foreign = await ask(endpoint, other.programUid, key.token)
      const absent = await ask(endpoint, '01900000-0000-7000-8000-000000000000', key.token)
      expect([foreign.status, foreign.text]).toEqual([404, absent.text])
    }
    const body = (await tracksOf(acme.programUid, {}, key.token)).body
    const hours = timesOf(body).flat()
    expect(hours).toHaveLength(24)
    expect(
      hours.every(
        (ms) => (ms < now - 28 * HOUR && ms >= now - 30 * HOUR) || (ms < now - 6 * HOUR && ms >= now - 8 * HOUR),
      ),
    ).toBe(true)
  })

  test('is refused without the module, when it has expired and when it was ended', async () => {
    const pop = await world.addKey({ clientUid: acme.clientUid, modules: ['pop'] })
    const ended = await world.addKey({ clientUid: acme.clientUid, modules: ['overview'] })
    const expired = newApiKey()
    await db
      .insertInto('api_key')
      .values({
        name: 'Expired',
        token_hash: hashToken(expired),
        token_start: startOfApiKey(expired),
        modules: ['overview'],
        access: 'read',
        client_uid: acme.clientUid,
        created_by: world.people.admin.uid,
        created_at: sql`now() - interval '2 days'`,
        expires_at: sql`now() - interval '1 second'`,
      })
      .execute()
    await call(apiKeys.end, { params: { uid: ended.uid } })
    for (const endpoint of reads) {
      expect((await ask(endpoint, acme.programUid, pop.token)).error.code).toBe('keyScope')
      expect((await ask(endpoint, acme.programUid, expired)).error.code).toBe('keyInvalid')
      expect((await ask(endpoint, acme.programUid, ended.token)).error.code).toBe('keyInvalid')
    }
  })

  test('of all clients reads every program; a client user with Overview reads their own', async () => {
    const staff = await world.addKey({ modules: ['overview'] })
    const user = await world.addUser('client', ['overview'], acme.clientUid)
    for (const endpoint of reads) {
      expect((await ask(endpoint, other.programUid, staff.token)).status).toBe(200)
      expect((await ask(endpoint, acme.programUid, user.token)).status).toBe(200)
      expect((await ask(endpoint, other.programUid, user.token)).status).toBe(404)
    }
  })
})

describe('the examples of docs/partners.md', () => {
  const has = (program: string) => spawnSync(program, ['--version']).status === 0
  const missing = ['bash', 'curl', 'python3'].filter((program) => !has(program))
  const run = promisify(execFile)

  /** The blocks that say so in their first line, in their order. */
  async function readExamples() {
    const text = await readFile(new URL('../../../../docs/partners.md', import.meta.url), 'utf8')
    const blocks = text.matchAll(/^```(?<language>sh|python)\n(?<code># example: (?<title>.+)\n[\s\S]+?)^```$/gm)
    return [...blocks].map(({ groups }) => groups as Record<'language' | 'code' | 'title', string>)
  }

  test.runIf(missing.length > 0)('are left out: bash, curl or python3 is missing on this machine', () => {
    expect(missing).not.toEqual([])
  })

  test.skipIf(missing.length > 0)('do what they say on a running server', async () => {
    const examples = await readExamples()
    expect(examples.map(({ language }) => language).toSorted()).toEqual(['python', 'python', 'sh', 'sh', 'sh'])
    const { token } = await world.addKey({ clientUid: acme.clientUid, modules: ['overview'] })
    await world.app.listen({ port: 0, host: '127.0.0.1' })
    const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-partner-'))
    const env = {
      ...process.env,
      ROADSHOW_URL: world.app.listeningOrigin,
      ROADSHOW_KEY: token,
      ROADSHOW_PROGRAM: acme.programUid,
    }
    const said = new Map<string, string>()
    try {
      for (const { language, code, title } of examples) {
        const [program, flags] =
          language === 'sh' ? ['bash', ['-euo', 'pipefail', '-c', code]] : ['python3', ['-c', code]]
        said.set(title, (await run(program, flags, { cwd: folder, env })).stdout)
      }
      const { plays } = (await call(adLog.summary, { query: { program: acme.programUid } })).body.data.total
      expect(said.get('store all new plays')).toBe(`${plays} plays\n`)
      expect(said.get('list the routes')).toMatch(
        /^[\d-]{10} T-7 12 positions\n[\d-]{10} T-7 12 positions\nnext page: None\n$/,
      )
      const lines = async (file: string) => (await readFile(path.join(folder, file), 'utf8')).trimEnd().split('\n')
      expect(await lines('plays.csv')).toHaveLength(1 + plays)
      expect(await lines('more.csv')).toHaveLength(1)
      const batch = feeds.adPlays.reply.parse(JSON.parse((await lines('batch.json')).join('')))
      expect(batch.requests.length).toBeGreaterThan(0)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
