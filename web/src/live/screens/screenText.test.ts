import { expect, test } from 'vitest'
import { EM_DASH } from '../../ui/text/dash.ts'
import { clockText, droppedText, filesPercent, filesText, healthFacts } from './screenText.ts'

const screen = {
  filesHeld: 3,
  filesNeeded: 5,
  bytesHeld: 999,
  bytesNeeded: 1000,
  clockOffsetMs: -1234,
  droppedFrames: 12,
  shownFrames: 60_000,
  playsWaiting: 1400,
  playsLost: 3,
  gpsSource: null,
  lastProblem: 'A file failed its check.',
}

test.each([
  [0, 'on time'],
  [49, 'on time'],
  [-1234, '1.2 s behind'],
  [90_000, '2 min ahead'],
  [2 ** 31 - 1, '35,791 min ahead'],
])('a clock that is off by %i ms is %s', (offset, text) => expect(clockText(offset)).toBe(text))

test.each([
  [12, 60_000, '0.02%'],
  [0, 60_000, '0.00%'],
  [1, 1_000_000, 'under 0.01%'],
  [0, 0, 'no frames yet'],
  [null, 5, EM_DASH],
])('%s dropped of %s frames is %s', (droppedFrames, shownFrames, text) =>
  expect(droppedText({ droppedFrames, shownFrames })).toBe(text),
)

test('files are counted, and the bar is full only with the last byte', () => {
  expect(filesText(screen)).toBe('3 of 5 files')
  expect(filesText({ filesHeld: 0, filesNeeded: 1 })).toBe('0 of 1 file')
  expect(filesPercent(screen)).toBe(99)
  expect(filesPercent({ ...screen, bytesHeld: 1000 })).toBe(100)
  expect(filesPercent({ ...screen, bytesNeeded: null })).toBe(60)
  expect(filesPercent({ ...screen, bytesHeld: 0, bytesNeeded: 0 })).toBe(100)
  expect(filesPercent({ ...screen, bytesNeeded: null, filesNeeded: null })).toBeUndefined()
})

test('lost plays and the last problem are named; an older player has only its clock and version', () => {
  const health = { at: '', appVersion: '2.0', freeBytes: null, hasGpsFix: true, clockOffsetMs: 10 }
  expect(healthFacts({ ...health, screen })).toEqual([
    ['Clock', '1.2 s behind'],
    ['Dropped frames', '0.02%'],
    ['Plays waiting', '1,400, 3 lost'],
    ['GPS', 'None'],
    ['Last problem', 'A file failed its check.'],
    ['Version', '2.0'],
  ])
  expect(healthFacts({ ...health, screen: null })).toEqual([
    ['Clock', 'on time'],
    ['Version', '2.0'],
  ])
})
