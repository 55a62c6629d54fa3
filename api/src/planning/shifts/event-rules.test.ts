import { DAY_MS, type ShiftStatus } from '@roadshow/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  describeDriverEvent,
  type DriverEvent,
  type EventProblem,
  isFarFrom,
  judgeDriverEvent,
  progressAfterDriverEvents,
  type ShiftBeforeDriverEvents,
  type ShiftProgress,
} from './event-rules.ts'

const HOUR = 3_600_000
const start = (hours: number): DriverEvent => ({ kind: 'start', at: hours * HOUR })
const stop = (hours: number): DriverEvent => ({ kind: 'stop', at: hours * HOUR })

/** Planned from hour 100 to hour 108. */
const planned: ShiftBeforeDriverEvents = {
  status: 'planned',
  startedAt: null,
  stoppedAt: null,
  startsAt: 100 * HOUR,
  endsAt: 108 * HOUR,
  office: { start: null, stop: null, isCompleted: false },
  isStartCorrected: false,
  isStopCorrected: false,
  startsCountFrom: null,
  stopsCountFrom: null,
}
/** Hours that the office set. */
const office = (start: number | null, stop: number | null = null, isCompleted = stop !== null) => ({
  start: start && start * HOUR,
  stop: stop && stop * HOUR,
  isCompleted,
})
const out = { ...planned, status: 'out' as const, startedAt: 100 * HOUR, office: office(100) }
const done = {
  ...planned,
  status: 'completed' as const,
  startedAt: 100 * HOUR,
  stoppedAt: 108 * HOUR,
  office: office(100, 108),
}
const unstarted = { ...planned, status: 'completed' as const, office: office(null, null, true) }

type Result = [ShiftStatus, startedAt: number | null, stoppedAt: number | null]
const inHours = ({ status, startedAt, stoppedAt }: ShiftProgress): Result => [
  status,
  startedAt && startedAt / HOUR,
  stoppedAt && stoppedAt / HOUR,
]
const resultOf = (shift: ShiftBeforeDriverEvents, events: DriverEvent[]): Result =>
  inHours(progressAfterDriverEvents(shift, events))

describe('a shift after the events of its driver', () => {
  test.each<[string, ShiftBeforeDriverEvents, DriverEvent[], Result]>([
    ['the first start', planned, [start(101)], ['out', 101, null]],
    ['2 hours early', planned, [start(98)], ['out', 98, null]],
    ['more than 2 hours early counts nothing', planned, [start(97.9)], ['planned', null, null]],
    ['an early start and one in time', planned, [start(97), start(99), stop(107)], ['completed', 99, 107]],
    ['an earlier start', out, [start(99)], ['out', 99, null]],
    ['a later start', out, [start(103)], ['out', 100, null]],
    ['a start after the end continues', done, [start(109)], ['out', 100, null]],
    ['a late start before the end', done, [start(103)], ['completed', 100, 108]],
    ['the stop', out, [stop(107)], ['completed', 100, 107]],
    ['a later stop', done, [stop(110)], ['completed', 100, 110]],
    ['a stop before a later start', planned, [start(100), stop(102), start(103)], ['out', 100, null]],
    ['a stop without a start completes nothing', planned, [stop(107)], ['planned', null, null]],
    ['and its start, which arrives later', planned, [stop(107), start(100)], ['completed', 100, 107]],
    ['a no-show', { ...planned, status: 'noShow' }, [start(100), stop(107)], ['noShow', null, null]],
    ['completed by staff without times', unstarted, [start(100)], ['completed', 100, null]],
    ['and with a stop', unstarted, [start(100), stop(107)], ['completed', 100, 107]],
    [
      'corrected times stay',
      { ...done, isStartCorrected: true, isStopCorrected: true },
      [start(99), stop(110)],
      ['completed', 100, 108],
    ],
    [
      'a corrected start, and the stop',
      { ...out, isStartCorrected: true },
      [start(99), stop(107)],
      ['completed', 100, 107],
    ],
    [
      'a corrected stop, and a later one',
      { ...done, isStopCorrected: true },
      [start(99), stop(110)],
      ['completed', 99, 108],
    ],
    ['a start after a corrected stop', { ...done, isStopCorrected: true }, [start(109)], ['completed', 100, 108]],
    [
      'no start before a corrected stop',
      { ...done, office: office(null, 108), isStopCorrected: true },
      [start(109)],
      ['completed', null, 108],
    ],
    [
      'planned again at hour 103',
      { ...planned, startsCountFrom: 103 * HOUR, stopsCountFrom: 103 * HOUR },
      [start(100), stop(102)],
      ['planned', null, null],
    ],
    ['reopened at hour 109', { ...out, stopsCountFrom: 109 * HOUR }, [stop(108)], ['out', 100, null]],
    [
      'reopened, and stopped again',
      { ...out, stopsCountFrom: 109 * HOUR },
      [stop(108), stop(110)],
      ['completed', 100, 110],
    ],
  ])('%s', (_, shift, events, result) => {
    expect(resultOf(shift, events)).toEqual(result)
  })

  test('is the same whatever the order in which they arrive, however often, one by one or together', () => {
    const event = fc.record({
      kind: fc.constantFrom('start' as const, 'stop' as const),
      at: fc.integer({ min: 90, max: 130 }),
    })
    const arrivals = fc
      .array(event, { maxLength: 8 })
      .chain((events) =>
        fc.tuple(fc.constant(events), fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2 })),
      )
    fc.assert(
      fc.property(arrivals, ([events, arriving]) => {
        const atHour = ({ kind, at }: DriverEvent): DriverEvent => ({ kind, at: at * HOUR })
        const together = progressAfterDriverEvents(planned, events.map(atHour))
        const stored: DriverEvent[] = []
        let shift = planned
        for (const each of arriving.map(atHour)) {
          stored.push(each)
          shift = { ...shift, ...progressAfterDriverEvents(shift, stored) }
        }
        expect(inHours(shift)).toEqual(inHours(together))
      }),
    )
  })

  // What is stored of the shift came from events of the driver before, unless the office has it.
  test.each<[string, ShiftBeforeDriverEvents, DriverEvent[], Result]>([
    ['a start', { ...out, office: office(null) }, [], ['planned', null, null]],
    ['a start that the device reported too', { ...out, office: office(null) }, [start(100)], ['out', 100, null]],
    ['start and stop', { ...done, office: office(null) }, [], ['planned', null, null]],
    ['a stop after a start of the device', { ...done, office: office(null) }, [start(100)], ['out', 100, null]],
    ['a start before that of the new driver', { ...out, office: office(null) }, [start(101)], ['out', 101, null]],
    ['the start of a shift that staff completed', { ...done, office: office(null, 108) }, [], ['completed', null, 108]],
    ['a stop after that of the office', { ...done, stoppedAt: 110 * HOUR }, [], ['completed', 100, 108]],
    ['a start before that of the office', { ...out, startedAt: 99 * HOUR }, [], ['out', 100, null]],
    ['corrected times', { ...done, isStartCorrected: true, isStopCorrected: true }, [], ['completed', 100, 108]],
    ['a start of a no-show', { ...planned, status: 'noShow' }, [], ['noShow', null, null]],
  ])('after a change of driver keeps only what counts without the former one: %s', (_, shift, counting, expected) => {
    expect(resultOf(shift, counting)).toEqual(expected)
  })

  test('is the same whenever events arrive before or after it is given to another driver, and back', () => {
    const person = fc.constantFrom('ann', 'ben')
    const hour = fc.integer({ min: 90, max: 130 })
    const event = fc.record({
      by: fc.constantFrom('ann', 'ben', 'device'),
      kind: fc.constantFrom('start' as const, 'stop' as const),
      at: hour.map((each) => each * HOUR),
    })
    const step = fc.oneof({ weight: 3, arbitrary: event }, fc.record({ givenTo: person }))
    // What the office set is often the very time that a driver reports.
    const officeTimes = fc.constantFrom(office(null), office(100), office(100, 108), office(null, null, true))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), officeTimes, (steps, set) => {
        const eventsFor = (driver: string, stored: (DriverEvent & { by: string })[]) =>
          stored.filter(({ by }) => by === driver || by === 'device')
        const before = { ...planned, office: set }
        let driver = 'ann'
        let shift = { ...before, ...progressAfterDriverEvents(before, []) }
        const stored: (DriverEvent & { by: string })[] = []
        for (const each of steps) {
          if ('givenTo' in each) driver = each.givenTo
          else stored.push(each)
          shift = { ...shift, ...progressAfterDriverEvents(shift, eventsFor(driver, stored)) }
        }
        expect(inHours(shift)).toEqual(inHours(progressAfterDriverEvents(before, eventsFor(driver, stored))))
      }),
    )
  })
})

describe('an event that is judged before it is stored', () => {
  const former = { isOwn: false }
  const judge = (
    shift: ShiftBeforeDriverEvents,
    event: DriverEvent,
    given: Partial<Parameters<typeof judgeDriverEvent>[1]>,
  ) => judgeDriverEvent(shift, { event, counting: [], isOwn: true, isDeleted: false, isOfFormerHours: false, ...given })

  test.each<[string, ShiftBeforeDriverEvents, DriverEvent, object, EventProblem | undefined, Result]>([
    ['counts', planned, start(100), {}, undefined, ['out', 100, null]],
    ['counts with those before', planned, stop(107), { counting: [start(100)] }, undefined, ['completed', 100, 107]],
    ['of a former driver changes nothing', out, stop(107), former, 'ofFormerDriver', ['out', 100, null]],
    [
      'of a former driver at the very start of the office changes nothing',
      out,
      start(100),
      former,
      'ofFormerDriver',
      ['out', 100, null],
    ],
    [
      'of a former driver at the very stop changes nothing',
      done,
      stop(108),
      former,
      'ofFormerDriver',
      ['completed', 100, 108],
    ],
    [
      'of a former driver who reports an earlier start changes nothing',
      out,
      start(98),
      former,
      'ofFormerDriver',
      ['out', 100, null],
    ],
    ['of a deleted shift is kept', planned, start(100), { isDeleted: true }, 'deleted', ['planned', null, null]],
    [
      'of hours that the shift had before is kept',
      planned,
      start(10),
      { isOfFormerHours: true },
      'ofFormerHours',
      ['planned', null, null],
    ],
    [
      'that is early for the present hours fits the former ones',
      planned,
      start(90),
      { isOfFormerHours: true },
      'ofFormerHours',
      ['planned', null, null],
    ],
    ['is too early', planned, start(90), {}, 'tooEarly', ['planned', null, null]],
    ['has no start', planned, stop(107), {}, 'noStart', ['planned', null, null]],
    [
      'is of a canceled shift',
      { ...planned, status: 'cancelled' },
      start(100),
      {},
      'notTakingPlace',
      ['cancelled', null, null],
    ],
    [
      'comes after a correction',
      { ...done, isStopCorrected: true },
      stop(110),
      {},
      'timesCorrected',
      ['completed', 100, 108],
    ],
  ])('%s', (_, shift, event, given, problem, result) => {
    const verdict = judge(shift, event, given)
    if (verdict.isRefused) throw new Error('The event was refused.')
    expect([verdict.problem, inHours(verdict.after)]).toEqual([problem, result])
  })

  test('is refused more than a day away, also of a former driver', () => {
    expect(judge(planned, start(10), {})).toEqual({ isRefused: true })
    expect(judge(planned, start(10), former)).toEqual({ isRefused: true })
  })
})

test.each<[string, number, boolean]>([
  ['during the shift', 100 * HOUR, false],
  ['a day early', 100 * HOUR - DAY_MS, false],
  ['more than a day early', 100 * HOUR - DAY_MS - 1, true],
  ['a day late', 108 * HOUR + DAY_MS, false],
  ['more than a day late', 108 * HOUR + DAY_MS + 1, true],
])('an event %s is near or far', (_, at, isFar) => expect(isFarFrom(planned, at)).toBe(isFar))

test.each<[string, ShiftBeforeDriverEvents, DriverEvent, string]>([
  ['counts', out, start(100), ''],
  ['is earlier than the last stop', done, stop(105), ''],
  ['has no start', planned, stop(107), 'no start'],
  ['is too early', planned, start(97), 'more than 2 hours before the planned start'],
  ['is of a canceled shift', { ...planned, status: 'cancelled' }, start(100), 'the shift did not take place'],
  ['was corrected', { ...done, isStopCorrected: true }, stop(105), 'the times were corrected'],
  ['is the corrected time', { ...done, isStopCorrected: true }, stop(108), ''],
  ['is before the start', out, stop(99), 'before the start'],
])('an event that %s says so', (_, shift, event, note) => {
  expect(describeDriverEvent(shift, event)).toBe(note)
})
