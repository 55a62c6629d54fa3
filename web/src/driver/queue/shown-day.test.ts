import { expect, test } from 'vitest'
import { NOW, someAct, someDay } from '../test-driver-day.ts'
import { shownDay, trueTime } from './shown-day.ts'

const HOUR = 3_600_000
const shown = (...acts: Parameters<typeof shownDay>[1][number][]) => shownDay(someDay(), acts, 0).shifts[0]

test('what a driver does shows at once, before it is sent', () => {
  const at = new Date(NOW).toISOString()
  expect(shown(someAct('a', { kind: 'start' }))).toMatchObject({ status: 'out', startedAt: at, stoppedAt: null })
  expect(shown(someAct('a', { kind: 'start' }), someAct('b', { kind: 'stop' }, { addedAt: NOW + 1 }))).toMatchObject({
    status: 'completed',
    stoppedAt: at,
  })
  expect(shown(someAct('a', { kind: 'answer', answer: 'declined', reason: 'Ill' }))).toMatchObject({
    answer: { answer: 'declined', reason: 'Ill' },
  })
  expect(shown(someAct('a', { kind: 'message', text: 'Late' }))?.messages).toMatchObject([
    { text: 'Late', isOwn: true },
  ])
  expect(shown(someAct('a', { kind: 'otherTruck', truckNumber: 'T-9' }))).toMatchObject({ askedTruck: 'T-9' })
  expect(shown(someAct('a', { kind: 'issue', issueKind: 'screen', text: 'Dark' }))?.issues).toMatchObject([
    { kind: 'screen', status: 'open' },
  ])
  const items = [
    { itemUid: '1', result: 'defect' },
    { itemUid: '2', result: 'ok' },
  ] as const
  expect(shown(someAct('a', { kind: 'inspection', items: [...items], signedBy: 'D' }))?.inspection?.defects).toBe(1)
})

test('what was sent shows until the day is loaded again; what was refused does not', () => {
  expect(shown(someAct('a', { kind: 'start' }, { state: 'sent' }))?.status).toBe('out')
  expect(shown(someAct('a', { kind: 'start' }, { state: 'refused' }))?.status).toBe('planned')
  expect(shown(someAct('a', { kind: 'start' }, { state: 'noted' }))?.status).toBe('planned')
})

test('a clock that is an hour off is set right, one that is a minute off is believed', () => {
  expect(trueTime(NOW, HOUR)).toBe(NOW + HOUR)
  expect(trueTime(NOW, -HOUR)).toBe(NOW - HOUR)
  expect(trueTime(NOW, 60_000)).toBe(NOW)
  const late = shownDay(someDay(), [someAct('a', { kind: 'start' })], HOUR).shifts[0]
  expect(late?.startedAt).toBe(new Date(NOW + HOUR).toISOString())
})
