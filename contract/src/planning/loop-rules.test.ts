import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Daypart, exclusiveLoop, type Loop, type LoopLine, SHORTEST_PLAY_MS } from './loop-lines.ts'
import { turnAt, turnsBetween, type Turn } from './loop-rules.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const CHICAGO = 'America/Chicago'
/** Monday, 6 AM in Chicago. */
const MONDAY = Date.UTC(2026, 10, 16, 12)
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]

type Given = Partial<Omit<LoopLine, 'share'>> & ({ weight: number } | { playsAnHour: number })

const lineOf = (given: Given, index = 0): LoopLine => ({
  uid: given.uid ?? `line ${index}`,
  spotMs: given.spotMs ?? 10 * SECOND,
  share: 'weight' in given ? { weight: given.weight } : { playsAnHour: given.playsAnHour },
  daypart: given.daypart ?? null,
  addressUids: given.addressUids ?? null,
})

const loopOf = (lines: Given[], given: Partial<Loop> = {}): Loop => ({
  lines: lines.map(lineOf),
  restMs: 15 * SECOND,
  zone: CHICAGO,
  seed: 'shift',
  ...given,
})

const hoursOf = (day: string): Daypart => {
  const [from = '', to = ''] = day.split('-')
  return { from, to, weekdays: EVERY_DAY }
}

interface Asked {
  from?: number
  to?: number
  near?: string | null
}

const turnsOf = (loop: Loop, { from = MONDAY, to = from + HOUR, near = null }: Asked = {}): Turn[] => [
  ...turnsBetween(loop, { from, to }, near),
]

/** The plays of each line, in their order; the last number is that of the rest. */
const playsOf = (loop: Loop, asked: Asked = {}): number[] => countTurns(loop, turnsOf(loop, asked))
const countTurns = ({ lines }: Loop, turns: readonly Turn[]): number[] =>
  [...lines, null].map((line) => turns.filter((turn) => turn.line === line).length)

const secondsOf = (loop: Loop, line: number, asked: Asked = {}): number =>
  turnsOf(loop, asked).reduce(
    (sum, turn) => sum + (turn.line === (loop.lines[line] ?? null) ? (turn.endsAt - turn.startsAt) / SECOND : 0),
    0,
  )

/** The promise, reckoned a second time: plays an hour are plays, and weights share the screen time that is left. */
function promiseOf({ lines }: Loop, isOn: (line: LoopLine) => boolean = () => true): number[] {
  const booked = lines.reduce(
    (sum, line) => sum + (isOn(line) && 'playsAnHour' in line.share ? line.share.playsAnHour * line.spotMs : 0),
    0,
  )
  const weights = lines.reduce((sum, line) => sum + (isOn(line) && 'weight' in line.share ? line.share.weight : 0), 0)
  return lines.map((line) => {
    if (!isOn(line)) return 0
    if ('playsAnHour' in line.share) return line.share.playsAnHour * Math.min(1, HOUR / booked)
    return (Math.max(0, HOUR - booked) * line.share.weight) / weights / line.spotMs
  })
}

/** Which lines have more than the two whole numbers around what they were promised allow. */
const wrongShares = (counts: readonly number[], promised: readonly number[]): string[] =>
  promised.flatMap((plays, line) => {
    const count = counts[line] ?? 0
    return Math.abs(count - plays) < 1 + 1e-6 ? [] : [`line ${line}: ${count} plays of ${plays}`]
  })

const lengths = fc.constantFrom(5, 8, 10, 15, 20, 30, 60, 120).map((seconds) => seconds * SECOND)
const oddLengths = fc.integer({ min: 5 * SECOND, max: 40 * SECOND })
const anyLength = fc.oneof({ weight: 3, arbitrary: lengths }, oddLengths)
const weighted = fc.record({ weight: fc.integer({ min: 1, max: 12 }), spotMs: anyLength })
const booked = fc.record({ playsAnHour: fc.integer({ min: 1, max: 60 }), spotMs: anyLength })
const bookedMs = (lines: Given[]) =>
  lines.reduce((sum, line) => sum + ('playsAnHour' in line ? line.playsAnHour * (line.spotMs ?? 0) : 0), 0)
const anyLines = fc
  .array(fc.oneof(weighted, booked), { minLength: 2, maxLength: 16 })
  .filter((lines) => bookedMs(lines) <= HOUR)
const anyLoop = fc
  .record({ lines: anyLines, seed: fc.string({ maxLength: 8 }) })
  .map(({ lines, seed }) => loopOf(lines, { seed }))
/** Lines whose spots fill an hour to its end. */
const fillingLoop = fc
  .record({ weights: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 2, maxLength: 16 }), spotMs: lengths })
  .map(({ weights, spotMs }) => loopOf(weights.map((weight) => ({ weight, spotMs }))))
const anyHour = fc.integer({ min: 0, max: 24 * 400 }).map((hours) => MONDAY + hours * HOUR)
/** Ten thousand hours are planned in the time of a few other files. */
const LONG = 300_000

describe('shares', () => {
  test(
    'of ten thousand random loops are exact in every hour, which is filled to its end by spots that nothing cuts',
    () => {
      fc.assert(
        fc.property(anyLoop, anyHour, (loop, from) => {
          const turns = turnsOf(loop, { from })
          expect(wrongShares(countTurns(loop, turns), promiseOf(loop))).toEqual([])
          const gaps = turns.filter(({ startsAt }, index) => startsAt !== (turns[index - 1]?.endsAt ?? from))
          expect([gaps, turns.at(-1)?.endsAt]).toEqual([[], from + HOUR])
          const others = turns.filter(({ line, startsAt, endsAt }) => line && endsAt - startsAt !== line.spotMs)
          expect(others.length).toBeLessThanOrEqual(1)
          expect(others.every(({ line, startsAt, endsAt }) => endsAt - startsAt > (line?.spotMs ?? 0))).toBe(true)
        }),
        { numRuns: 10_000 },
      )
    },
    LONG,
  )

  test('of 20, 60 and 200 plays an hour are 20, 60 and 200 plays, however long the spots are', () => {
    const loop = loopOf([
      { playsAnHour: 20, spotMs: 30 * SECOND },
      { playsAnHour: 60, spotMs: 12 * SECOND },
      { playsAnHour: 200, spotMs: 8 * SECOND },
    ])
    for (let hour = 0; hour < 48; hour++) {
      const plays = playsOf(loop, { from: MONDAY + hour * HOUR })
      expect(plays.slice(0, 3)).toEqual([20, 60, 200])
      expect(secondsOf(loop, 3, { from: MONDAY + hour * HOUR })).toBeCloseTo(3600 - 600 - 720 - 1600)
    }
  })

  test('by weight are shares of screen time: half of the loop is 1,800 seconds, whatever the others upload', () => {
    const loop = loopOf([
      { weight: 2, spotMs: 30 * SECOND },
      { weight: 1, spotMs: 8 * SECOND },
      { weight: 1, spotMs: 20 * SECOND },
    ])
    for (const [line, seconds] of [1800, 900, 900].entries()) {
      // One spot more or less.
      expect(Math.abs(secondsOf(loop, line) - seconds)).toBeLessThanOrEqual(30)
    }
    expect(wrongShares(playsOf(loop), [60, 112.5, 45])).toEqual([])
  })

  test('by weight share what plays an hour leave', () => {
    const loop = loopOf([
      { playsAnHour: 90, spotMs: 20 * SECOND },
      { weight: 2, spotMs: 15 * SECOND },
      { weight: 1, spotMs: 10 * SECOND },
    ])
    expect(playsOf(loop)).toEqual([90, 80, 60, 0])
  })

  test(
    'add up over a day: fractions of an hour are not lost',
    () => {
      fc.assert(
        fc.property(fillingLoop, (loop) => {
          const day = Date.UTC(2026, 10, 17)
          const plays = playsOf(loop, { from: day, to: day + 24 * HOUR })
          const off = promiseOf(loop).map((promised, line) => Math.abs((plays[line] ?? 0) - 24 * promised))
          expect(Math.max(...off)).toBeLessThan(2)
        }),
        { numRuns: 40 },
      )
    },
    LONG,
  )

  test('that are booked beyond the hour are all cut alike, and weights get nothing', () => {
    const loop = loopOf([
      { playsAnHour: 400, spotMs: 15 * SECOND },
      { playsAnHour: 100, spotMs: 12 * SECOND },
      { weight: 5 },
    ])
    expect(wrongShares(playsOf(loop), [200, 50, 0])).toEqual([])
  })

  test('leave the rest of an hour to no line, in pieces between them', () => {
    const loop = loopOf([
      { playsAnHour: 60, spotMs: 10 * SECOND },
      { playsAnHour: 30, spotMs: 10 * SECOND },
    ])
    const turns = turnsOf(loop)
    const rest = turns.filter(({ line }) => line === null)
    expect(rest).toHaveLength(180)
    expect(secondsOf(loop, 2)).toBe(2700)
    expect(new Set(rest.map(({ startsAt, endsAt }) => endsAt - startsAt))).toEqual(new Set([15 * SECOND]))
    const longest = rest.map((turn, index) => turn.startsAt - (rest[index - 1]?.endsAt ?? MONDAY))
    expect(Math.max(...longest)).toBeLessThanOrEqual(20 * SECOND)
  })
})

/** How often a turn follows one of its own line. */
const repeatsIn = (turns: readonly Turn[]): number =>
  turns.filter(({ line }, index) => line !== null && line === turns[index - 1]?.line).length

describe('turns', () => {
  test(
    'of a line follow one another only where nothing else is left',
    () => {
      fc.assert(
        fc.property(anyLoop, anyHour, (loop, from) => {
          const next = turnAt(loop, from + HOUR, null)
          const turns = [...turnsOf(loop, { from }), next]
          const plays = loop.lines.map((line) => turns.filter((turn) => turn.line === line).length)
          const most = Math.max(...plays)
          const unavoidable = Math.max(0, most - (turns.length - most) - 1)
          // A line that ends the hour parts nothing.
          const isLast = next.line !== null && plays[loop.lines.indexOf(next.line)] === most
          expect(repeatsIn(turns)).toBeLessThanOrEqual(unavoidable + (isLast ? 0 : 2))
        }),
        { numRuns: 300 },
      )
    },
    LONG,
  )

  test(
    'do not follow one another where two hours meet, if three lines share them',
    () => {
      const three = fc.array(weighted, { minLength: 3, maxLength: 12 }).filter((lines) => {
        const plays = promiseOf(loopOf(lines))
        return Math.max(...plays) < 0.4 * plays.reduce((sum, each) => sum + each, 0)
      })
      fc.assert(
        fc.property(three, anyHour, fc.string(), (lines, from, seed) => {
          expect(repeatsIn(turnsOf(loopOf(lines, { seed }), { from, to: from + 3 * HOUR }))).toBe(0)
        }),
        { numRuns: 200 },
      )
    },
    LONG,
  )

  test(
    'of a line come at even distances',
    () => {
      fc.assert(
        fc.property(anyLoop, anyHour, (loop, from) => {
          const turns = turnsOf(loop, { from })
          const promised = promiseOf(loop)
          const longest = Math.max(...loop.lines.map(({ spotMs }) => spotMs))
          for (const [index, line] of loop.lines.entries()) {
            const starts = turns.filter((turn) => turn.line === line).map(({ startsAt }) => startsAt)
            const distances = starts.slice(1).map((startsAt, play) => startsAt - (starts[play] ?? 0))
            const even = HOUR / (promised[index] ?? 1)
            expect(Math.max(0, ...distances)).toBeLessThan(2.5 * even + 2 * longest)
          }
        }),
        { numRuns: 300 },
      )
    },
    LONG,
  )

  test(
    'are the same for all who ask, whatever they asked before',
    () => {
      fc.assert(
        fc.property(anyLoop, anyHour, fc.array(fc.nat({ max: 3 * HOUR }), { minLength: 20 }), (loop, from, moments) => {
          const turns = turnsOf(loop, { from, to: from + 3 * HOUR })
          for (const moment of moments) {
            const at = from + moment
            // The slow way to find it, by a plan of another process.
            const stranger = { ...loop, lines: loop.lines.map((line) => ({ ...line })) }
            const index = turns.findIndex(({ startsAt, endsAt }) => startsAt <= at && at < endsAt)
            const begun = turns[index]
            if (!begun) continue
            const found = turnAt(stranger, begun.startsAt, null)
            expect([found.line?.uid, found.startsAt, found.endsAt]).toEqual([
              begun.line?.uid,
              begun.startsAt,
              begun.endsAt,
            ])
          }
        }),
        { numRuns: 40 },
      )
    },
    LONG,
  )
})

interface Outage {
  from: number
  to: number
}

const outages = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 20 * MINUTE }), fc.integer({ min: 500, max: 15 * MINUTE })), {
    maxLength: 12,
  })
  .map((pairs) => {
    let at = 0
    return pairs.map(([runs, lasts]): Outage => {
      const from = at + runs
      at = from + lasts
      return { from, to: at }
    })
  })

/** What a screen shows that is killed, dark or taken by an SD address in between. It knows nothing of what was before. */
function turnsAround(loop: Loop, from: number, to: number, breaks: readonly Outage[]): Turn[] {
  const shown: Turn[] = []
  let at = from
  for (const { from: cut, to: back } of [...breaks, { from: to - from, to: to - from }]) {
    const until = Math.min(from + cut, to)
    for (const turn of turnsBetween(loop, { from: at, to: until }))
      shown.push({ ...turn, endsAt: Math.min(turn.endsAt, until) })
    at = from + back
    if (at >= to) break
  }
  // Shorter showings are no plays.
  return shown.filter(({ startsAt, endsAt }) => endsAt - startsAt >= 500)
}

describe('a screen that was interrupted', () => {
  test(
    'begins each turn once at most, and loses only what was due meanwhile',
    () => {
      fc.assert(
        fc.property(anyLoop, anyHour, outages, (loop, from, breaks) => {
          const to = from + 2 * HOUR
          const shown = turnsAround(loop, from, to, breaks)
          for (const line of loop.lines) {
            const own = turnsOf(loop, { from, to }).filter((turn) => turn.line === line)
            const isLost = ({ startsAt }: Turn) =>
              breaks.some((cut) => startsAt > from + cut.from - 500 && startsAt <= from + cut.to - 500)
            const lost = own.filter(isLost).length
            const plays = shown.filter((turn) => turn.line === line).length
            // A screen that goes dark again before the turn that it began early may begin it once more, and one that it began
            // just before the end is not of this time.
            const runsUntil = [...breaks.map((cut) => cut.from), to - from]
            const hurried = runsUntil.filter((end, index) => end - (breaks[index - 1]?.to ?? 0) < 260 * SECOND).length
            expect(plays).toBeGreaterThanOrEqual(own.length - lost - hurried)
            expect(plays).toBeLessThanOrEqual(own.length - lost + hurried)
          }
        }),
        { numRuns: 200 },
      )
    },
    LONG,
  )

  test('twice in an hour keeps every share within one play of its hour without the time it was dark', () => {
    const loop = loopOf([
      { weight: 1 },
      { weight: 2, spotMs: 8 * SECOND },
      { weight: 1, spotMs: 30 * SECOND },
      { playsAnHour: 40 },
    ])
    for (let minute = 1; minute < 30; minute++) {
      const kills = [
        { from: minute * MINUTE + minute * 700, to: minute * MINUTE + minute * 700 + 2 * SECOND },
        { from: (minute + 25) * MINUTE + 4500, to: (minute + 25) * MINUTE + 7500 },
      ]
      const plays = countTurns(loop, turnsAround(loop, MONDAY, MONDAY + HOUR, kills))
      expect(wrongShares(plays, countTurns(loop, turnsOf(loop)))).toEqual([])
    }
  })

  test('by SD addresses for half of an hour loses half of each line', () => {
    const loop = loopOf([{ weight: 1 }, { weight: 1 }, { weight: 2 }, { weight: 4 }])
    const breaks = Array.from({ length: 15 }, (_, index) => ({
      from: index * 4 * MINUTE + 95 * SECOND,
      to: index * 4 * MINUTE + 215 * SECOND,
    }))
    const plays = countTurns(loop, turnsAround(loop, MONDAY, MONDAY + HOUR, breaks))
    for (const [line, promised] of [22.5, 22.5, 45, 90].entries()) {
      expect(Math.abs((plays[line] ?? 0) - promised), String(plays)).toBeLessThan(8)
    }
  })

  test('shows what is due after a day without anything, as if it had never been dark', () => {
    const loop = loopOf([{ weight: 1 }, { weight: 3, spotMs: 8 * SECOND }, { playsAnHour: 60 }])
    const after = turnAt({ ...loop }, MONDAY + 26 * HOUR, null)
    const [last] = turnsOf(loop, { from: MONDAY, to: MONDAY + 27 * HOUR }).filter(
      ({ startsAt }) => startsAt === MONDAY + 26 * HOUR,
    )
    expect(after).toEqual(last)
  })

  test('begins the next turn early, and a late spot still where half a second is not over', () => {
    const loop = loopOf([{ weight: 1 }, { weight: 1 }])
    const [first, second] = turnsOf(loop)
    expect(turnAt(loop, MONDAY + 499, null)).toEqual({ ...first, startsAt: MONDAY + 499 })
    expect(turnAt(loop, MONDAY + 500, null)).toEqual({ ...second, startsAt: MONDAY + 500 })
  })
})

describe('dayparts', () => {
  const breakfast = lineOf({ uid: 'breakfast', weight: 1, daypart: hoursOf('06:00-10:30') })
  const dinner = lineOf({ uid: 'dinner', weight: 1, daypart: hoursOf('17:00-21:00') })
  const night = lineOf({ uid: 'night', weight: 1, daypart: { from: '22:00', to: '02:00', weekdays: [5] } })
  const always = lineOf({ uid: 'always', weight: 1 })
  const loop: Loop = { lines: [breakfast, dinner, night, always], restMs: 15 * SECOND, zone: CHICAGO, seed: '' }
  const at = (text: string) => Date.parse(text)

  test.each<[string, string, number[]]>([
    ['breakfast', '2026-11-16T09:00-06:00', [180, 0, 0, 180]],
    ['an hour in which breakfast ends', '2026-11-16T10:00-06:00', [90, 0, 0, 270]],
    ['noon', '2026-11-16T12:00-06:00', [0, 0, 0, 360]],
    ['dinner', '2026-11-16T20:00-06:00', [0, 180, 0, 180]],
    ['after dinner', '2026-11-16T21:00-06:00', [0, 0, 0, 360]],
    ['Friday night', '2026-11-20T23:00-06:00', [0, 0, 180, 180]],
    ['Friday night after midnight', '2026-11-21T01:00-06:00', [0, 0, 180, 180]],
    ['Saturday at 2', '2026-11-21T02:00-06:00', [0, 0, 0, 360]],
    ['Saturday night', '2026-11-21T23:00-06:00', [0, 0, 0, 360]],
  ])('%s', (_, from, expected) => expect(playsOf(loop, { from: at(from) }).slice(0, 4)).toEqual(expected))

  test('begin and end to the second', () => {
    const turns = turnsOf(loop, { from: at('2026-11-16T10:00-06:00') })
    const ends = turns.filter(({ line }) => line === breakfast).map(({ endsAt }) => endsAt)
    expect(Math.max(...ends)).toBeLessThanOrEqual(at('2026-11-16T10:30-06:00'))
  })

  test(
    'of any minute keep the plays of an hour exact in all its parts together, and weights as far as whole spots can',
    () => {
      const minutes = fc.integer({ min: 0, max: 24 * 60 - 1 })
      const clock = minutes.map((minute) => new Date(minute * MINUTE).toISOString().slice(11, 16))
      const daypart = fc.option(fc.record({ from: clock, to: clock, weekdays: fc.constant(EVERY_DAY) }))
      const line = fc
        .tuple(fc.oneof(weighted, booked), daypart)
        .map(([given, hours]): Given => ({ ...given, daypart: hours }))
      const lines = fc.array(line, { minLength: 2, maxLength: 8 }).filter((all) => bookedMs(all) <= HOUR)
      fc.assert(
        fc.property(lines, anyHour, (given, from) => {
          const own = loopOf(given)
          const isOn = (now: string, { daypart: hours }: LoopLine) => {
            if (!hours) return true
            return hours.from < hours.to ? now >= hours.from && now < hours.to : now >= hours.from || now < hours.to
          }
          const clocks = new Intl.DateTimeFormat('en-GB', { timeZone: CHICAGO, hour: '2-digit', minute: '2-digit' })
          const promised = own.lines.map(() => 0)
          for (let minute = 0; minute < 60; minute++) {
            const now = clocks.format(from + minute * MINUTE)
            const each = promiseOf(own, (line) => isOn(now, line))
            for (const [index, plays] of each.entries()) promised[index] = (promised[index] ?? 0) + plays / 60
          }
          const plays = playsOf(own, { from })
          // A booked play that falls to one part of the hour takes its time from the weights of that part.
          const longest = Math.max(...own.lines.map(({ spotMs }) => spotMs))
          for (const [index, { share, spotMs }] of own.lines.entries()) {
            const most = 'weight' in share ? 1.5 + (2 * longest) / spotMs : 1 + 1e-6
            expect(Math.abs((plays[index] ?? 0) - (promised[index] ?? 0)), String(plays)).toBeLessThan(most)
          }
        }),
        { numRuns: 150 },
      )
    },
    LONG,
  )

  test('come twice on the night on which clocks go back, and not where they skip their hour', () => {
    const owl = lineOf({ uid: 'owl', weight: 1, daypart: hoursOf('01:00-02:00') })
    const skipped = lineOf({ uid: 'skipped', weight: 1, daypart: hoursOf('02:00-03:00') })
    const nights: Loop = { ...loop, lines: [owl, skipped, always] }
    const hourly = (from: string) =>
      [0, 1, 2, 3].map((hour) => playsOf(nights, { from: at(from) + hour * HOUR }).slice(0, 2))
    // 1 AM, 1 AM again, 2 AM, 3 AM.
    expect(hourly('2026-11-01T01:00-05:00')).toEqual([
      [180, 0],
      [180, 0],
      [0, 180],
      [0, 0],
    ])
    // 1 AM, 3 AM, 4 AM, 5 AM.
    expect(hourly('2027-03-14T01:00-06:00')).toEqual([
      [180, 0],
      [0, 0],
      [0, 0],
      [0, 0],
    ])
  })

  test('keep hours of a zone whose clocks show half hours', () => {
    const india: Loop = { ...loop, zone: 'Asia/Kolkata' }
    expect(playsOf(india, { from: at('2026-11-16T09:00+05:30') }).slice(0, 4)).toEqual([180, 0, 0, 180])
  })
})

describe('a line near SD addresses', () => {
  const loop = loopOf([{ weight: 1 }, { weight: 1 }, { weight: 2, addressUids: ['shop', 'mall'] }])

  test('has its share there, and none elsewhere', () => {
    expect(playsOf(loop)).toEqual([180, 180, 0, 0])
    expect(playsOf(loop, { near: 'park' })).toEqual([180, 180, 0, 0])
    expect(playsOf(loop, { near: 'mall' })).toEqual([90, 90, 180, 0])
  })

  test('takes from all others alike, however often a truck comes by', () => {
    const turns: Turn[] = []
    let at = MONDAY
    for (let visit = 0; visit < 20; visit++) {
      const near = visit % 2 === 0 ? null : 'shop'
      const until = MONDAY + (visit + 1) * 3 * MINUTE
      for (const turn of turnsBetween(loop, { from: at, to: until }, near)) turns.push(turn)
      at = turns.at(-1)?.endsAt ?? until
    }
    expect(
      wrongShares(
        countTurns(loop, turns).map((plays) => plays / 6),
        [22.5, 22.5, 15],
      ),
    ).toEqual([])
  })
})

describe('a line alone', () => {
  const alone = exclusiveLoop('own', 15 * SECOND)

  test('has spots of full length from whenever they start, through every hour', () => {
    const from = MONDAY + 12_345
    const turns = turnsOf(alone, { from, to: from + 3 * HOUR })
    expect(turns).toHaveLength(720)
    expect(turns.every(({ startsAt }, index) => startsAt === from + index * 15 * SECOND)).toBe(true)
    expect(turns.every(({ endsBy, line }) => endsBy === Infinity && line?.uid === 'own')).toBe(true)
  })

  test('in its hours does the same, and makes room when they are over', () => {
    const loop = loopOf([
      { weight: 1, spotMs: 45 * SECOND, daypart: hoursOf('06:00-08:30') },
      { weight: 1, daypart: hoursOf('08:30-09:00') },
    ])
    const turns = turnsOf(loop, { from: MONDAY + 7000, to: MONDAY + 2.5 * HOUR })
    expect(turns.at(-1)?.endsAt).toBe(MONDAY + 2.5 * HOUR)
    expect(turns.slice(0, -1).every(({ startsAt, endsAt }) => endsAt - startsAt === 45 * SECOND)).toBe(true)
    expect(playsOf(loop, { from: MONDAY + 3 * HOUR })).toEqual([0, 0, 240])
  })
})

describe('a screen that comes back in the middle of a turn', () => {
  test('begins the next line if what is left of the rest is too short to be seen', () => {
    const loop = loopOf([{ playsAnHour: 60 }, { playsAnHour: 30 }])
    const turns = turnsOf(loop)
    const index = turns.findIndex(({ line }, at) => line === null && (turns[at + 1]?.line ?? null) !== null)
    const [rest, next] = turns.slice(index)
    const at = (rest?.endsAt ?? NaN) - SHORTEST_PLAY_MS + 1
    expect(turnAt(loop, at, null)).toMatchObject({ line: next?.line, startsAt: at })
    expect(turnAt(loop, at - 1, null).line).toBeNull()
  })

  test('does not begin a line before its hours', () => {
    const early = { weight: 1, daypart: hoursOf('06:00-07:00') }
    const loop = loopOf([early, early, { weight: 1, daypart: hoursOf('07:00-08:00') }])
    const last = turnsOf(loop).at(-1)
    const middle = ((last?.startsAt ?? NaN) + (last?.endsAt ?? NaN)) / 2
    expect(last?.endsAt).toBe(MONDAY + HOUR)
    expect(turnAt(loop, middle, null)).toMatchObject({ line: last?.line, startsAt: middle, endsAt: MONDAY + HOUR })
  })
})
