import { describe, expect, test } from 'vitest'
import type { DriverAppShift } from '@roadshow/contract/live/driver-app'
import type { QueueItem } from '../queue/items.ts'
import { NOW, somePhoto, someShift } from '../test-driver-day.ts'
import { summaryOf } from '../today/summary-rules.ts'
import type { StoppedShift } from '../today/summary-rules.ts'
import { directionsUrl } from './directions.ts'
import { inspectionOf, itemsLeft, othersOk } from './inspection-rules.ts'
import { currentShift, nextAct, otherShifts, shiftPhase } from '../shift-rules.ts'

const HOUR = 3_600_000
const at = (hours: number) => NOW + hours * HOUR
const inspection = { uid: 'i', at: new Date(NOW).toISOString(), defects: 0 }
const out = { status: 'out', startedAt: new Date(NOW).toISOString() } as const

test.each([
  ['more than two hours before it', {}, -2.01, 'upcoming', 'wait'],
  ['two hours before it', {}, -2, 'open', 'inspect'],
  ['inspected', { inspection }, 0, 'open', 'start'],
  ['started', out, 1, 'running', 'photo'],
  ['past its planned end', out, 8.1, 'runningOver', 'stop'],
  ['stopped', { status: 'completed' }, 9, 'over', 'none'],
  ['never started', {}, 8.1, 'over', 'none'],
  ['canceled', { status: 'cancelled' }, 0, 'cancelled', 'none'],
  ['a no-show', { status: 'noShow' }, 0, 'over', 'none'],
] as const)('a shift %s asks for its next act', (_, part, hours, phase, next) => {
  const shift = someShift(part)
  expect([shiftPhase(shift, at(hours)), nextAct(shift, at(hours))]).toEqual([phase, next])
})

const stopped: StoppedShift = { ...someShift(), startedAt: out.startedAt, stoppedAt: new Date(at(7.5)).toISOString() }
const next = someShift({
  uid: 'next',
  startsAt: new Date(at(24)).toISOString(),
  endsAt: new Date(at(32)).toISOString(),
})
const completed = someShift({ status: 'completed', startedAt: out.startedAt, stoppedAt: stopped.stoppedAt })
const summaryWith = (shifts: DriverAppShift[], queue: QueueItem[] = []) => {
  const summary = summaryOf(stopped, { day: { shifts }, queue, now: at(8) })
  return summary && [summary.minutes, summary.metres, summary.photos, summary.next?.uid]
}

test.each([
  ['as the server has it', [{ ...completed, metres: 90_000, photos: 4 }, next], [450, 90_000, 4, 'next']],
  ['before the truck’s data', [{ ...completed, metres: null, photos: 0 }], [450, null, 0, undefined]],
  [
    'with the times of dispatch',
    [{ ...completed, stoppedAt: new Date(at(8)).toISOString() }],
    [480, null, 0, undefined],
  ],
  ['without a known start', [{ ...completed, startedAt: null }], [null, null, 0, undefined]],
  ['of a shift that left the day', [next], [450, null, 0, 'next']],
  ['not while the shift goes on after all', [{ ...completed, ...out }, next], undefined],
  ['not of a shift that was planned again', [someShift()], undefined],
])('after the stop there is a summary, %s', (_, shifts, expected) => {
  expect(summaryWith(shifts)).toEqual(expected)
})

test('the summary counts the photos that are still on the phone', () => {
  const photos = [somePhoto('a'), somePhoto('b', { state: 'sent' }), somePhoto('c', { state: 'refused' })]
  const ofAnother = somePhoto('d', { about: { ...somePhoto('d').about, shiftUid: 'next' } })
  expect(summaryWith([{ ...completed, photos: 2 }], [...photos, ofAnother])).toEqual([450, null, 4, undefined])
})

test('where no inspection list is set up, a shift starts without one', () => {
  expect(nextAct(someShift(), NOW, false)).toBe('start')
})

describe('several shifts', () => {
  const later = someShift({
    uid: 'later',
    startsAt: new Date(at(9)).toISOString(),
    endsAt: new Date(at(12)).toISOString(),
  })
  const over = someShift({ uid: 'over', status: 'completed', startsAt: new Date(at(-9)).toISOString() })

  test('the running one is first, then the next, and one that is over never', () => {
    const running = someShift(out)
    expect(currentShift([over, later, running], at(1))?.uid).toBe(running.uid)
    expect(currentShift([later, over, someShift()], at(0))?.uid).toBe(running.uid)
    expect(currentShift([over, later], at(0))?.uid).toBe('later')
    expect(currentShift([over], at(0))).toBeUndefined()
  })

  test('one that runs over stays first while the next one is due', () => {
    expect(currentShift([someShift(out), later], at(9.5))?.status).toBe('out')
  })

  test('the others are those ahead and those over', () => {
    const { ahead, past } = otherShifts([later, over, someShift()], someShift(), NOW)
    expect([ahead.map(({ uid }) => uid), past.map(({ uid }) => uid)]).toEqual([['later'], ['over']])
  })
})

test('directions open the map of the phone', () => {
  const yard = { latitude: 39.7, longitude: -104.9, name: 'North & South' }
  expect(directionsUrl(yard, 'iPhone')).toBe('https://maps.apple.com/?daddr=39.7,-104.9')
  expect(directionsUrl(yard, 'Android')).toBe('geo:39.7,-104.9?q=39.7,-104.9(North%20%26%20South)')
  expect(directionsUrl(yard, 'X11; Linux')).toContain('google.com/maps')
})

describe('an inspection', () => {
  const items = [{ uid: 'tires' }, { uid: 'lights' }]
  const defect = { result: 'defect', note: '', picture: undefined } as const

  test('is finished when each item has an answer and each defect a word or a picture', () => {
    expect(itemsLeft(items, {})).toBe(2)
    expect(itemsLeft(items, { tires: { result: 'ok', note: '' }, lights: defect })).toBe(1)
    expect(itemsLeft(items, othersOk(items, { lights: { ...defect, note: 'Left one is out' } }))).toBe(0)
    expect(itemsLeft(items, othersOk(items, { lights: { ...defect, picture: new Blob() } }))).toBe(0)
  })

  test('leaves out what the list no longer has, and notes of what is OK', () => {
    const picture = new Blob()
    const answers = {
      gone: { result: 'ok' as const, note: '' },
      tires: { result: 'ok' as const, note: 'typed before', picture },
      lights: { result: 'defect' as const, note: ' out ', picture },
    }
    expect(inspectionOf(items, answers)).toEqual({
      items: [
        { itemUid: 'tires', result: 'ok', note: '' },
        { itemUid: 'lights', result: 'defect', note: 'out' },
      ],
      pictures: [{ itemUid: 'lights', blob: picture }],
    })
  })
})
