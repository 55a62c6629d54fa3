import { auditLog, trackFiles, type TrackFileResult, truckTrackers } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { beforeEach, describe, expect, test } from 'vitest'
import { geoJsonOf, gpxOf } from '../../../proof/replay/track-file.ts'
import { saidBy, drive, openFleet } from '../../telemetry/test-fleet.ts'
import { fileTimeOf } from './file-time.ts'

const world = await openWorld()
const { db, call, people } = world
const { addTruck, hear } = await openFleet(world)

let truck: Awaited<ReturnType<typeof addTruck>>
beforeEach(async () => (truck = await addTruck()))

// A day that is kept, and over.
const MORNING = Math.floor((Date.now() - 2 * 86_400_000) / 86_400_000) * 86_400_000 + 9 * 3_600_000
const track = drive(MORNING, MORNING + 20 * 60_000)
const blob = (content: string | Uint8Array<ArrayBuffer>) => new Blob([content], { type: 'application/octet-stream' })

const send = (content: string | Uint8Array<ArrayBuffer>, body: object = { save: false }, uid = truck.uid) =>
  call(trackFiles.upload, { params: { uid }, body: body as { save: boolean }, files: { file: [blob(content)] } })
/** Checks a file and stores it. */
async function store(content: string, zone?: string, uid = truck.uid): Promise<TrackFileResult> {
  const checked = await send(content, { save: false, ...(zone && { zone }) }, uid)
  expect(checked.status).toBe(200)
  const { digest } = checked.body.data
  const saved = await send(content, { save: true, digest, ...(zone && { zone }) }, uid)
  expect(saved.status).toBe(200)
  return saved.body.data
}
const positions = async (uid = truck.uid) =>
  (
    await db
      .selectFrom('position')
      .select(['at', 'latitude', 'longitude'])
      .where('truck_uid', '=', uid)
      .orderBy('at')
      .execute()
  ).map(({ at, ...place }) => ({ at: Date.parse(at), ...place }))

const named = { name: 'T-1, Jul 1', zone: 'UTC', fixes: track }
const iso = (at: number) => new Date(at).toISOString()
const csvOf = (timeOf: (at: number) => string, more = '') =>
  `Time,Latitude,Longitude,Speed (mph)\n${track
    .map(
      ({ at, latitude, longitude, speedKmh }) => `${timeOf(at)},${latitude},${longitude},${(speedKmh ?? 0) / 1.609344}`,
    )
    .join('\n')}\n${more}`
/** As Excel writes it in the zone of Chicago. */
const american = (at: number) =>
  new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/Chicago',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
  })
    .format(at)
    .replace(', ', ' ')

const places = track.map(({ at, latitude, longitude }) => ({ at, latitude, longitude }))

describe('a file of a day', () => {
  test('as GPX, as GeoJSON and as CSV brings the same positions, and says so before', async () => {
    const ways = [
      { format: 'GPX', content: gpxOf(named) },
      { format: 'GeoJSON', content: geoJsonOf(named) },
      { format: 'CSV', content: csvOf(iso) },
      { format: 'CSV', content: csvOf(american), zone: 'America/Chicago' },
    ]
    const miles = new Set<number>()
    for (const { format, content, zone } of ways) {
      const { uid } = await addTruck()
      const checked = await send(content, { save: false, ...(zone && { zone }) }, uid)
      expect(checked.body.data).toMatchObject({
        saved: false,
        format,
        fixes: track.length,
        known: 0,
        from: iso(MORNING),
        leftOut: [],
        notes: [],
      })
      expect(await positions(uid)).toEqual([])
      await store(content, zone, uid)
      expect(await positions(uid), format).toEqual(places)
      miles.add(checked.body.data.miles)
    }
    expect(miles.size).toBe(1)
    expect([...miles][0]).toBeGreaterThan(0.5)
  })

  test('counts once, however often and beside whatever the tracker has sent', async () => {
    await hear({ fixes: saidBy(truck.device, track.slice(0, 12)) }, Date.now())
    const content = gpxOf(named)
    const first = await store(content)
    expect(first.known).toBe(12)
    expect((await positions()).length).toBe(track.length)
    expect((await store(content)).known).toBe(track.length)
    expect(await positions()).toEqual(places)
    const { body } = await call(truckTrackers.get, { params: { uid: truck.uid } })
    expect(body.data.trackers.map(({ kind }) => kind)).toContain('file')
  })

  test('does not displace what a tracker has sent in the same minutes', async () => {
    await hear({ fixes: saidBy(truck.device, track) }, Date.now())
    const elsewhere = {
      ...named,
      fixes: track.map((fix) => ({ ...fix, at: fix.at + 500, latitude: fix.latitude + 0.01 })),
    }
    await store(gpxOf(elsewhere))
    expect(await positions()).toEqual(places)
  })

  test('is in the audit log, and only the file that was checked is stored', async () => {
    const content = gpxOf(named)
    const checked = await send(content)
    const other = await send(gpxOf({ ...named, name: 'another' }), { save: true, digest: checked.body.data.digest })
    expect(other.status).toBe(400)
    expect((await send(content, { save: true })).status).toBe(400)
    expect(await positions()).toEqual([])
    await store(content)
    const log = await call(auditLog.list, { query: { kind: 'trackUploaded' } })
    expect(log.body.data[0]).toMatchObject({ kind: 'trackUploaded' })
    expect(log.body.data[0]?.detail).toContain(`${track.length} positions, ${track.length} of them new`)
  })

  test('says what it leaves out and why', async () => {
    const future = iso(Date.now() + 86_400_000)
    const content = csvOf(
      iso,
      `${future},32.7,-96.8,10\n${iso(MORNING)},95,-96.8,1\nnever,32.7,-96.8,1\n${iso(MORNING)},1,1,1\n`,
    )
    const { body } = await send(content)
    expect(body.data.fixes).toBe(track.length)
    expect(body.data.leftOut.map(({ reason }) => reason).toSorted()).toEqual([
      'The file has another position of the same moment.',
      'The latitude or longitude is outside of its range.',
      'The time is missing or cannot be read.',
      "This time is in the future. Check the device's clock.",
    ])
    const unitless = await send(csvOf(iso).replace('Speed (mph)', 'Speed'))
    expect(unitless.body.data.notes[0]).toMatch(/^Speeds are left out/)
  })

  test('of drivers, clients and sales without trucks is refused', async () => {
    for (const role of ['driver', 'client'] as const) {
      const input = { params: { uid: truck.uid }, body: { save: false }, files: { file: [blob(gpxOf(named))] } }
      expect((await call(trackFiles.upload, input, { token: people[role].token })).status, role).toBe(403)
    }
  })
})

describe('a hostile file', () => {
  const point = '<trkpt lat="1" lon="2"><time>2026-07-01T08:00:00Z</time></trkpt>'
  const gpx = (inside: string) => `<?xml version="1.0"?><gpx><trk><trkseg>${inside}</trkseg></trk></gpx>`
  const bomb = `<!DOCTYPE gpx [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>`
  test.each([
    ['entities that multiply', `<?xml version="1.0"?>${bomb}<gpx>&b;</gpx>`, 'document type'],
    [
      'an entity of another file',
      '<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/passwd">]><gpx>&x;</gpx>',
      'document type',
    ],
    ['tags without end', gpx('<a>'.repeat(5000)), 'nested too deeply'],
    ['tags that do not match', '<gpx><trk></gpx></trk>', 'breaks off'],
    ['a file that breaks off', gpx(point).slice(0, -10), 'breaks off'],
    ['a page', '<html><body>Not found</body></html>', 'neither GPX'],
    ['deep JSON', '['.repeat(100_000), 'nested too deeply'],
    ['JSON that breaks off', '{"type":"FeatureCollection","features":[', 'breaks off'],
    ['JSON of another kind', '{"a":1}', 'not GeoJSON'],
    ['text', 'Dear team, please find attached', 'neither GPX'],
    ['a table without places', 'Time,Name\n2026-07-01,x', 'no column Latitude'],
    ['bytes', '\0\u0001\u0002', 'neither GPX'],
    ['an empty track', gpx(''), 'no positions'],
  ])('%s is refused with a sentence', async (_, content, text) => {
    const { status, body } = await send(content)
    expect(status).toBe(400)
    expect((body as unknown as { error: string }).error).toContain(text)
  })

  test('with more positions than a day has is refused', { timeout: 120_000 }, async () => {
    const { status, body } = await send(gpx(point.repeat(100_001)))
    expect(status).toBe(413)
    expect((body as unknown as { error: string }).error).toContain('100,000 positions')
  })
})

test.each([
  ['2026-07-01T08:00:00Z', 'America/Chicago', '2026-07-01T08:00:00.000Z'],
  ['2026-07-01T08:00:00.250Z', 'UTC', '2026-07-01T08:00:00.250Z'],
  ['2026-07-01 08:00:00', 'UTC', '2026-07-01T08:00:00.000Z'],
  ['2026-07-01 08:00:00', 'America/Chicago', '2026-07-01T13:00:00.000Z'],
  ['7/1/2026 8:00:05 PM', 'America/Chicago', '2026-07-02T01:00:05.000Z'],
  ['07/01/26 20:00', 'UTC', '2026-07-01T20:00:00.000Z'],
  ['12/01/2026 12:00:00 AM', 'UTC', '2026-12-01T00:00:00.000Z'],
  ['1782892800', 'America/Chicago', '2026-07-01T08:00:00.000Z'],
  ['13/13/2026 8:00 AM', 'UTC', undefined],
  ['soon', 'UTC', undefined],
])('the time %s in %s is %s', (text, zone, expected) => {
  const at = fileTimeOf(text, zone)
  expect(at === undefined ? undefined : iso(at)).toBe(expected)
})
