import { DAY_MS, type PlayReason, type PopGrade } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { type HeldShift, gradePlay, type PlayClaim, type PlayEvidence } from './grade.ts'

const NOON = Date.parse('2026-07-01T17:00:00Z')
const HOUR = 3_600_000
const DALLAS = { latitude: 32.78, longitude: -96.8 }
const north = (meters: number) => ({ ...DALLAS, latitude: DALLAS.latitude + meters / 111_195 })
const fix = (seconds: number, meters = 0) => ({ at: NOON + seconds * 1000, ...north(meters) })

const shift = (uid: string, fromHour: number, toHour: number, programUid = 'program'): HeldShift => ({
  uid,
  programUid,
  marketUid: 'market',
  day: '2026-07-01',
  from: NOON + fromHour * HOUR,
  to: NOON + toHour * HOUR,
  area: { ...DALLAS, radiusM: 20_000, outline: null },
})

const play: PlayClaim = {
  at: NOON,
  side: 'rear',
  durationMs: 8000,
  longestMs: 600_000,
  isFileOfSet: true,
  place: DALLAS,
  programUid: 'program',
}
const evidence: PlayEvidence = {
  holds: [shift('shift', -1, 7)],
  track: [fix(-5), fix(5)],
  outsideByM: 1000,
  overlaps: new Set(),
}

describe('the grade of a play', () => {
  test.each<[string, PopGrade, PlayReason | undefined, Partial<PlayClaim>, Partial<PlayEvidence>]>([
    ['the tracker says the same', 'verified', undefined, {}, {}],
    ['the player knows no place, the tracker does', 'verified', undefined, { place: null }, {}],
    ['half a kilometer apart still agrees', 'verified', undefined, { place: north(499) }, {}],
    ['farther apart proves nothing', 'unverified', 'farFromTruck', { place: north(501) }, {}],
    ['two kilometers apart contradicts', 'conflict', 'farFromTruck', { place: north(2001) }, {}],
    ['the tracker was silent', 'unverified', 'noTrack', {}, { track: [] }],
    ['a fix covers a minute', 'verified', undefined, {}, { track: [fix(-60)] }],
    ['and not more', 'unverified', 'noTrack', {}, { track: [fix(-61)] }],
    [
      'between two fixes the truck is on the line',
      'verified',
      undefined,
      {},
      { track: [fix(-30, -900), fix(30, 900)] },
    ],
    [
      'outside the market, but nearly in it',
      'unverified',
      'outsideMarket',
      { place: north(20_900) },
      { track: [fix(0, 20_900)] },
    ],
    ['clearly outside the market', 'conflict', 'outsideMarket', { place: north(21_100) }, { track: [fix(0, 21_100)] }],
    ['artwork of another program', 'unverified', 'otherProgram', { programUid: 'other' }, {}],
    ['no shift', 'unverified', 'noShift', {}, { holds: [shift('over', -9, -1)] }],
    ['as long as the file may be shown', 'verified', undefined, { durationMs: 600_000 }, {}],
    ['longer than the file may be shown', 'conflict', 'tooLong', { durationMs: 600_001 }, {}],
    ['a file that the set never had', 'conflict', 'unknownFile', { isFileOfSet: false }, {}],
    ['longer than possible without a shift', 'conflict', 'tooLong', { durationMs: DAY_MS }, { holds: [] }],
  ])('%s: %s', (_, grade, reason, claim, facts) => {
    expect(gradePlay({ ...play, ...claim }, { ...evidence, ...facts })).toMatchObject(
      reason === undefined ? { grade } : { grade, reason },
    )
  })

  test('a play that overlaps another one is in conflict, whatever the track says', () => {
    expect(gradePlay(play, { ...evidence, overlaps: new Set([play]) })).toMatchObject({
      grade: 'conflict',
      reason: 'overlap',
      shift: { uid: 'shift' },
    })
  })
})

describe('the shift of a play', () => {
  test.each<[string, string | undefined, HeldShift[]]>([
    ['the one that covers it', 'now', [shift('before', -9, -1), shift('now', -1, 7), shift('later', 8, 9)]],
    ['its end is not part of it', undefined, [shift('over', -9, 0)]],
    ['none with another program', undefined, [shift('other', -1, 7, 'other')]],
  ])('%s', (_, uid, holds) => {
    expect(gradePlay(play, { ...evidence, holds }).shift?.uid).toBe(uid)
  })
})
