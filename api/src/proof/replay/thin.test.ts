import { fromSteps, packTrack, toSteps, type TrackPoint, unpackTrack } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { geoJsonOf, gpxOf, piecesOf } from './track-file.ts'
import { thinTrack } from './thin.ts'

const NOW = Date.parse('2026-11-17T12:00:00Z')
const fix = (seconds: number, east = seconds, speedKmh: number | null = 40): TrackPoint => ({
  at: NOW + seconds * 1000,
  latitude: 41.88,
  longitude: -87.63 + east * 0.0001,
  speedKmh,
})
const line = (count: number) => Array.from({ length: count }, (_, n) => fix(n))

describe('a packed track', () => {
  test('comes back to within three feet', () => {
    const track = [fix(0), fix(7.5, -3, null), fix(3600, 12, 0)]
    const back = unpackTrack(packTrack(track))
    expect(back.map(({ at, speedKmh }) => [at, speedKmh])).toEqual(track.map(({ at, speedKmh }) => [at, speedKmh]))
    back.forEach(({ longitude }, index) => expect(longitude).toBeCloseTo(track[index]?.longitude ?? 0, 5))
    expect(unpackTrack(packTrack([]))).toEqual([])
  })

  test('is steps, which add up again', () => {
    expect(toSteps([5, 7, 4])).toEqual([5, 2, -3])
    expect(fromSteps([5, 2, -3])).toEqual([5, 7, 4])
  })

  test('of a day of 10,000 positions is below 200 kB', () => {
    expect(JSON.stringify(packTrack(line(10_000))).length).toBeLessThan(200_000)
  })
})

describe('thinning a track', () => {
  test('leaves one with few positions as it is', () => {
    const track = line(100)
    expect(thinTrack(track, 100)).toBe(track)
  })

  test('leaves out what lies on the line, and keeps the turn, the stop and the gap', () => {
    const turn = { ...fix(100), latitude: 41.9 }
    const stop = fix(300, 300, 0)
    const track = [...line(100), turn, ...line(300).slice(101), stop, fix(1300, 900), fix(1301, 901)]
    const thinned = thinTrack(track, 60)
    expect(thinned.length).toBeLessThanOrEqual(60)
    expect(thinned).toContain(turn)
    expect(thinned).toContain(stop)
    expect(thinned).toContain(track.at(-2))
    expect([thinned[0], thinned.at(-1)]).toEqual([track[0], track.at(-1)])
  })

  test('of a day with a position each second takes a moment', () => {
    const began = performance.now()
    expect(thinTrack(line(86_400), 20_000).length).toBeLessThanOrEqual(20_000)
    expect(performance.now() - began).toBeLessThan(2000)
  })
})

describe('the file of a track', () => {
  const track = {
    name: 'T-15, Bikes & <more>, Nov 17, 2026',
    zone: 'America/Chicago',
    fixes: [fix(0), fix(10), fix(900)],
  }

  test('is divided where the truck was not heard, and not where it stood', () => {
    expect(piecesOf(track.fixes).map(({ length }) => length)).toEqual([2, 1])
    expect(piecesOf([fix(0, 0, 0), fix(900, 1, 0)])).toHaveLength(1)
    expect(piecesOf([])).toEqual([])
  })

  test('is GPX with a segment for each piece', () => {
    const gpx = gpxOf(track)
    expect(gpx.match(/<trkseg>/g)).toHaveLength(2)
    expect(gpx).toContain('<trkpt lat="41.88" lon="-87.63"><time>2026-11-17T12:00:00.000Z</time></trkpt>')
    expect(gpx).toContain('Bikes &#38; &#60;more&#62;')
  })

  test('is GeoJSON with the times and speeds of its positions', () => {
    const { features } = JSON.parse(geoJsonOf(track)) as { features: { geometry: object; properties: object }[] }
    expect(features.map(({ geometry }) => geometry)).toMatchObject([{ type: 'LineString' }, { type: 'Point' }])
    expect(features[0]).toMatchObject({
      properties: {
        timeZone: 'America/Chicago',
        speedKmh: [40, 40],
        times: ['2026-11-17T12:00:00.000Z', expect.anything()],
      },
      geometry: { coordinates: [[-87.63, 41.88], expect.anything()] },
    })
  })
})
