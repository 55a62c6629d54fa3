import { describe, expect, test } from 'vitest'
import { PositionSources } from './positions.ts'

const fixAt = (at: number, latitude = 32) => ({ at, latitude, longitude: -96, speedKmh: 40 })

describe('a player goes by', () => {
  test('the bridge before the browser before the server', () => {
    const sources = new PositionSources()
    expect(sources.source(0)).toBeNull()
    expect(sources.hear('server', fixAt(0, 1), 0)).toBe(true)
    expect(sources.hear('browser', fixAt(0, 2), 0)).toBe(true)
    expect(sources.hear('bridge', fixAt(0, 3), 0)).toBe(true)
    expect(sources.hear('browser', fixAt(1, 4), 1)).toBe(false)
    expect(sources.source(1)).toBe('bridge')
    expect(sources.position(1)?.latitude).toBe(3)
  })

  test('the next source once a better one was silent for more than ten seconds, and back', () => {
    const sources = new PositionSources()
    sources.hear('bridge', fixAt(0), 0)
    expect(sources.hear('browser', fixAt(10_000), 10_000)).toBe(false)
    expect(sources.hear('browser', fixAt(10_001), 10_001)).toBe(true)
    expect(sources.hear('bridge', fixAt(10_002), 10_002)).toBe(true)
    expect(sources.source(10_002)).toBe('bridge')
  })

  test('nothing once all are silent, also after its clock was set back', () => {
    const sources = new PositionSources()
    sources.hear('server', fixAt(100_000), 100_000)
    expect(sources.source(160_000)).toBe('server')
    expect(sources.position(160_001)).toBeNull()
    expect(sources.position(0)).toBeNull()
  })

  test.each([
    ['no number', Number.NaN, -96],
    ['null island', 0, 0],
    ['outside of the world', 91, 0],
  ])('no fix that is %s', (_, latitude, longitude) => {
    const sources = new PositionSources()
    expect(sources.hear('bridge', { at: 0, latitude, longitude, speedKmh: null }, 0)).toBe(false)
    expect(sources.source(0)).toBeNull()
  })
})
