import { describe, expect, test } from 'vitest'
import { compareLoop, type ComparedLoop, type DeliveredPlays, differenceOf } from './loop-delivery.ts'
import type { Loop } from './loop-lines.ts'
import { turnsBetween } from './loop-rules.ts'
import { toLoopLine } from './rotation-lines.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
// Thursday, 4:00 PM to 8:00 PM in Chicago.
const FOUR = Date.parse('2026-11-19T22:00:00Z')
const line = {
  share: 'weight',
  amount: 1,
  from: null,
  to: null,
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  spotMs: 15_000,
} as const
const day = toLoopLine({ ...line, uid: 'day' })
const dinner = toLoopLine({ ...line, uid: 'dinner', amount: 2, from: '17:00', to: '20:00' })
const loopOf = (...lines: Loop['lines']): Loop => ({
  lines,
  restMs: 15_000,
  zone: 'America/Chicago',
  seed: 'a shift',
})
const loop = loopOf(day, dinner)
const shown = [
  { uid: 'day', setUid: 'Day', isMissing: false },
  { uid: 'dinner', setUid: 'Dinner', isMissing: false },
]
type Side = 'left' | 'right'
const sides: Side[] = ['left', 'right']

interface Played {
  from?: number
  to?: number
  isPlayed?: (turn: { uid: string; at: number; side: Side }) => boolean
  of?: Loop
  sets?: Record<string, string>
}

/** What a player shows of a loop, as the server counts it. */
function playsOf({ from = FOUR, to = FOUR + 4 * HOUR, isPlayed = () => true, of = loop, sets }: Played = {}) {
  const setOf = sets ?? { day: 'Day', dinner: 'Dinner' }
  const hours = new Map<string, DeliveredPlays<Side>['hours'][number]>()
  const runs: { from: number; to: number }[] = []
  for (const turn of turnsBetween(of, { from, to })) {
    if (!turn.line) continue
    const played = sides.filter((side) => isPlayed({ uid: turn.line?.uid ?? '', at: turn.startsAt, side }))
    // A screen is a little late.
    const at = turn.startsAt + 20
    for (const side of played) {
      const hour = Math.floor(at / HOUR) * HOUR
      const setUid = setOf[turn.line.uid] ?? ''
      const key = `${hour} ${setUid} ${side}`
      const known = hours.get(key) ?? { hour, setUid, side, isForAddress: false, plays: 0 }
      hours.set(key, { ...known, plays: known.plays + 1 })
    }
    if (played.length === 0) continue
    const last = runs.at(-1)
    if (last && at - last.to <= 3 * MINUTE) last.to = turn.endsAt
    else runs.push({ from: at, to: turn.endsAt })
  }
  return { hours: [...hours.values()], runs }
}

const compare = (played: ReturnType<typeof playsOf>, more: Partial<Parameters<typeof compareLoop<Side>>[0]> = {}) =>
  compareLoop<Side>({
    loop,
    shown,
    sides,
    from: FOUR,
    to: FOUR + 4 * HOUR,
    delivered: { ...played, countedAt: FOUR + 24 * HOUR },
    ...more,
  })

/** By hour and line. */
const differencesIn = ({ hours, lines }: ComparedLoop<Side>) =>
  hours.map((hour) =>
    lines.map((line, index) => differenceOf(hour, line, hour.shares[index] ?? { expected: NaN, delivered: [] })),
  )

describe('expected and delivered plays', () => {
  test('agree within one play a line and hour on a screen that ran, and in their sums', () => {
    const compared = compare(playsOf())
    const { hours, over } = compared
    expect(hours.map(({ isWhole }) => isWhole)).toEqual([true, true, true, true])
    expect(hours.map(({ shares }) => shares.map(({ expected }) => expected))).toEqual([
      [240, 0],
      [80, 160],
      [80, 160],
      [80, 160],
    ])
    expect(differencesIn(compared)).toEqual(hours.map(() => [0, 0]))
    expect(over.shares.map(({ expected }) => expected)).toEqual([480, 480])
    expect(over.shares.map(({ delivered }) => delivered)).toEqual([
      [480, 480],
      [480, 480],
    ])
    expect(over.plays).toBe(1920)
  })

  test('tell sides apart, and the worst of them', () => {
    const compared = compare(
      playsOf({ isPlayed: ({ uid, at, side }) => side === 'right' || uid === 'day' || at % (10 * MINUTE) > MINUTE }),
    )
    expect(compared.sides).toEqual(['left', 'right'])
    const [left = 0, right] = compared.hours[1]?.shares[1]?.delivered ?? []
    expect([left < 158, right]).toEqual([true, 160])
    expect(differencesIn(compared)[1]).toEqual([0, left - 160])
  })

  test('say which part of an hour the screen ran, and judge none of it', () => {
    const dark = { from: FOUR + HOUR, to: FOUR + HOUR + 12 * MINUTE }
    const compared = compare(playsOf({ isPlayed: ({ at }) => at < dark.from || at >= dark.to }))
    expect(compared.hours.map(({ isWhole }) => isWhole)).toEqual([true, false, true, true])
    expect(compared.hours[1]?.ran).toEqual([{ from: dark.to + 20, to: FOUR + 2 * HOUR }])
    expect(differencesIn(compared)[1]).toEqual([null, null])
  })

  test('take no hours of house artwork for a dark screen', () => {
    const of = loopOf(toLoopLine({ ...line, uid: 'day', share: 'playsAnHour', amount: 4 }))
    const compared = { loop: of, shown: shown.slice(0, 1) }
    const { hours } = compare(playsOf({ of }), compared)
    expect(hours.every(({ isWhole }) => isWhole)).toBe(true)
    const { hours: off } = compare(playsOf({ of, to: FOUR + 2 * HOUR }), compared)
    expect(off.map(({ isWhole }) => isWhole)).toEqual([true, true, false, false])
    expect(off[3]?.ran).toEqual([])
  })

  test('tell hours that are over from the present one and those to come', () => {
    const countedAt = FOUR + 90 * MINUTE
    const { hours, over } = compare(playsOf({ to: countedAt }), {
      delivered: { ...playsOf({ to: countedAt }), countedAt },
    })
    expect(hours.map(({ stage }) => stage)).toEqual(['over', 'running', 'ahead', 'ahead'])
    expect(hours.map(({ isWhole }) => isWhole)).toEqual([true, false, false, false])
    expect(over.shares.map(({ expected }) => expected)).toEqual([240, 0])
  })

  test('have the hours before and after the planned ones in which the screen played', () => {
    const { hours } = compare(playsOf({ from: FOUR - 20 * MINUTE, to: FOUR + 4 * HOUR + 10 * MINUTE }))
    expect(hours.map(({ from, to }) => (to - from) / MINUTE)).toEqual([
      expect.closeTo(20, 1),
      60,
      60,
      60,
      60,
      expect.closeTo(10, 0),
    ])
    expect(hours.map(({ isWhole }) => isWhole)).toEqual([false, true, true, true, true, false])
    // A last play that ends after the shift opens no hour.
    expect(compare(playsOf({ to: FOUR + 4 * HOUR - 1 })).hours).toHaveLength(4)
  })

  test('tell two lines of a set apart by their hours, and add them where they share one', () => {
    const early = toLoopLine({ ...line, uid: 'early', from: '16:00', to: '17:00' })
    const late = toLoopLine({ ...line, uid: 'late', from: '18:00', to: '20:00' })
    const sets = { early: 'A', late: 'A', day: 'B', dinner: 'A' }
    const of = loopOf(early, day, late)
    const apart = ['early', 'day', 'late'].map((uid) => ({ uid, setUid: sets[uid as 'day'], isMissing: false }))
    const found = compare(playsOf({ of, sets }), { loop: of, shown: apart })
    expect(found.lines.map(({ uids }) => uids)).toEqual([['early'], ['day'], ['late']])
    expect(found.over.shares.map(({ expected, delivered }) => [expected, ...delivered])).toEqual([
      [120, 120, 120],
      [600, 600, 600],
      [240, 240, 240],
    ])
    const both = loopOf(early, day, late, dinner)
    const joined = compare(playsOf({ of: both, sets }), {
      loop: both,
      shown: [...apart, { uid: 'dinner', setUid: 'A', isMissing: false }],
    })
    expect(joined.lines.map(({ uids }) => uids)).toEqual([['early', 'late', 'dinner'], ['day']])
    expect(joined.over.shares.every(({ expected, delivered }) => delivered.every((plays) => plays === expected))).toBe(
      true,
    )
  })

  test('count what belongs to no line apart, and judge no hour in which addresses took turns', () => {
    const played = playsOf()
    const others = { hour: FOUR, side: 'left', isForAddress: false, setUid: 'Old', plays: 7 } as const
    const shop = { hour: FOUR + HOUR, side: 'left', isForAddress: true, setUid: 'Dinner', plays: 5 } as const
    const { hours, over } = compare({ ...played, hours: [...played.hours, others, shop] })
    expect(hours.map((hour) => [hour.others, hour.forAddresses, hour.isWhole])).toEqual([
      [7, 0, true],
      [0, 5, false],
      [0, 0, true],
      [0, 0, true],
    ])
    expect([over.others, over.forAddresses, over.plays]).toEqual([7, 5, 1932])
    expect(over.shares[1]?.delivered).toEqual([480, 480])
  })

  test('do not hold a missing file against the screen', () => {
    const missing = shown.map((each) => ({ ...each, isMissing: each.uid === 'day' }))
    const compared = compare(playsOf({ isPlayed: ({ uid }) => uid !== 'day' }), { shown: missing })
    expect(compared.hours.map(({ isWhole }) => isWhole)).toEqual([true, true, true, true])
    expect(differencesIn(compared)).toEqual(compared.hours.map(() => [null, 0]))
  })

  test('have every hour of the night on which clocks go back', () => {
    const from = Date.parse('2026-11-01T05:00:00Z')
    const to = from + 5 * HOUR
    const { hours } = compare(playsOf({ from, to }), { from, to })
    expect(hours).toHaveLength(5)
    expect(hours.every(({ shares }) => shares[0]?.expected === 240 && shares[0].delivered[0] === 240)).toBe(true)
  })
})
