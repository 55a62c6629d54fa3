import { DAY_MS, type ShiftStatus } from '@roadshow/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkDriverEventTime,
  describeDriverEvent,
  type DriverEvent,
  progressAfterDriverEvents,
  type ShiftBeforeDriverEvents,
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
  isStartCorrected: false,
  isStopCorrected: false,
  startsCountFrom: null,
  stopsCountFrom: null,
}
const out = { ...planned, status: 'out' as const, startedAt: 100 * HOUR }
const done = { ...planned, status: 'completed' as const, startedAt: 100 * HOUR, stoppedAt: 108 * HOUR }

type Result = [ShiftStatus, startedAt: number | null, stoppedAt: number | null]
const resultOf = (shift: ShiftBeforeDriverEvents, events: DriverEvent[]): Result => {
  const { status, startedAt, stoppedAt } = progressAfterDriverEvents(shift, { counting: events, ofFormerDrivers: [] })
  return [status, startedAt && startedAt / HOUR, stoppedAt && stoppedAt / HOUR]
}

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
    ['completed by staff without times', { ...planned, status: 'completed' }, [start(100)], ['completed', 100, null]],
    ['and with a stop', { ...planned, status: 'completed' }, [start(100), stop(107)], ['completed', 100, 107]],
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
        const inHours = (each: { kind: 'start' | 'stop'; at: number }) => ({ kind: each.kind, at: each.at * HOUR })
        const together = progressAfterDriverEvents(planned, { counting: events.map(inHours), ofFormerDrivers: [] })
        const stored: DriverEvent[] = []
        let shift = planned
        for (const each of arriving.map(inHours)) {
          stored.push(each)
          shift = { ...shift, ...progressAfterDriverEvents(shift, { counting: stored, ofFormerDrivers: [] }) }
        }
        expect({ status: shift.status, startedAt: shift.startedAt, stoppedAt: shift.stoppedAt }).toEqual(together)
      }),
    )
  })

  test.each<[string, ShiftBeforeDriverEvents, DriverEvent[], DriverEvent[], Result]>([
    ['a start', out, [start(100)], [], ['planned', null, null]],
    ['a start that the device reported too', out, [start(100)], [start(100)], ['out', 100, null]],
    ['start and stop', done, [start(100), stop(108)], [], ['planned', null, null]],
    ['a stop after a start of the device', done, [stop(108)], [start(100)], ['out', 100, null]],
    ['a start before that of the new driver', out, [start(100)], [start(101)], ['out', 101, null]],
    ['the start of a shift that staff completed', done, [start(100)], [], ['completed', null, null]],
    [
      'corrected times',
      { ...done, isStartCorrected: true, isStopCorrected: true },
      [start(100)],
      [],
      ['completed', 100, 108],
    ],
    ['a start of a no-show', { ...planned, status: 'noShow' }, [start(100)], [], ['noShow', null, null]],
  ])('no longer has what only a former driver reported: %s', (_, shift, ofFormerDrivers, counting, expected) => {
    const { status, startedAt, stoppedAt } = progressAfterDriverEvents(shift, { counting, ofFormerDrivers })
    expect([status, startedAt && startedAt / HOUR, stoppedAt && stoppedAt / HOUR]).toEqual(expected)
  })

  test('is the same whenever events arrive before or after it is given to another driver, and back', () => {
    const person = fc.constantFrom('ann', 'ben')
    const event = fc.record({
      by: fc.constantFrom('ann', 'ben', 'device'),
      kind: fc.constantFrom('start' as const, 'stop' as const),
      at: fc.integer({ min: 90, max: 130 }).map((hour) => hour * HOUR),
    })
    const step = fc.oneof({ weight: 3, arbitrary: event }, fc.record({ givenTo: person }))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const eventsFor = (driver: string, stored: (DriverEvent & { by: string })[]) => {
          const isCounting = ({ by }: { by: string }) => by === driver || by === 'device'
          return { counting: stored.filter(isCounting), ofFormerDrivers: stored.filter((each) => !isCounting(each)) }
        }
        let driver = 'ann'
        let shift = planned
        const stored: (DriverEvent & { by: string })[] = []
        for (const each of steps) {
          if ('givenTo' in each) driver = each.givenTo
          else stored.push(each)
          shift = { ...shift, ...progressAfterDriverEvents(shift, eventsFor(driver, stored)) }
        }
        const atOnce = progressAfterDriverEvents(planned, eventsFor(driver, stored))
        expect({ status: shift.status, startedAt: shift.startedAt, stoppedAt: shift.stoppedAt }).toEqual(atOnce)
      }),
    )
  })
})

test.each<[string, number, string | undefined]>([
  ['during the shift', 100 * HOUR, undefined],
  ['a day early', 100 * HOUR - DAY_MS, undefined],
  ['more than a day early', 100 * HOUR - DAY_MS - 1, 'This time is more than a day away from the shift.'],
  ['more than a day late', 108 * HOUR + DAY_MS + 1, 'This time is more than a day away from the shift.'],
])('an event %s', (_, at, refusal) => expect(checkDriverEventTime(planned, at)).toBe(refusal))

test.each<[string, ShiftBeforeDriverEvents & { isCorrected?: boolean }, DriverEvent, string]>([
  ['counts', out, start(100), ''],
  ['is earlier than the last stop', done, stop(105), ''],
  ['has no start', planned, stop(107), 'no start'],
  ['is too early', planned, start(97), 'more than 2 hours before the planned start'],
  ['is of a canceled shift', { ...planned, status: 'cancelled' }, start(100), 'the shift did not take place'],
  ['was corrected', { ...done, isCorrected: true }, stop(105), 'the times were corrected'],
  ['is the corrected time', { ...done, isCorrected: true }, stop(108), ''],
  ['is before the start', out, stop(99), 'before the start'],
])('an event that %s says so', (_, shift, event, note) => {
  expect(describeDriverEvent({ isCorrected: false, ...shift }, event)).toBe(note)
})
