import { expect, test } from 'vitest'
import { withFix, EMPTY_TRACK, trackOf } from './miles.ts'
import { packTrack, unpackTrack } from './packed-track.ts'
import { extendTrack, subtractRanges } from './time-ranges.ts'
import { at, drive } from './test-fleet.ts'

const span = (from: number, to: number) => ({ from, to })

test('what is left of a day between its shifts', () => {
  const day = span(0, 24)
  expect(subtractRanges(day, [])).toEqual([day])
  expect(subtractRanges(day, [span(8, 12), span(12, 16)])).toEqual([span(0, 8), span(16, 24)])
  expect(subtractRanges(day, [span(14, 18), span(8, 12)])).toEqual([span(0, 8), span(12, 14), span(18, 24)])
  expect(subtractRanges(day, [span(8, 16), span(10, 12)])).toEqual([span(0, 8), span(16, 24)])
  expect(subtractRanges(day, [span(-4, 6), span(20, 30)])).toEqual([span(6, 20)])
  expect(subtractRanges(day, [span(-4, 30)])).toEqual([])
  expect(subtractRanges(day, [span(30, 40)])).toEqual([day])
})

test('a track goes on with newer fixes only', () => {
  const fixes = drive(at('08:00:00'), at('08:10:00'))
  const first = trackOf(fixes.slice(0, 30))
  expect(extendTrack(first, fixes.slice(30))).toEqual(trackOf(fixes))
  expect(extendTrack(first, [])).toEqual(first)
  expect(extendTrack(first, fixes.slice(29))).toBeUndefined()
})

test('a track that was kept is the same, wherever it stood', () => {
  const fixes = drive(at('08:00:00'), at('08:10:00')).map((fix, index) => ({
    ...fix,
    latitude: index === 20 ? 40 : fix.latitude,
    speedKmh: index % 3 ? fix.speedKmh : null,
  }))
  let track = EMPTY_TRACK
  for (const fix of [...fixes, ...drive(at('09:00:00'), at('09:01:00'))]) {
    expect(unpackTrack(JSON.parse(JSON.stringify(packTrack(track))) as ReturnType<typeof packTrack>)).toEqual(track)
    track = withFix(track, fix)
  }
  expect(track.metres).toBeGreaterThan(0)
})
