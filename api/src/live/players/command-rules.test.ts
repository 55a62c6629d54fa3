import { expect, test } from 'vitest'
import { answerText, commandResult } from './command-rules.ts'

test.each([
  ['done', '', true, ''],
  ['refused', 'No sound here.', true, 'No sound here.'],
  ['expired', '', true, 'The screen did not answer within 30 seconds.'],
  ['expired', '', false, 'The screen is not connected. Nothing was sent.'],
  ['waiting', '', false, ''],
] as const)('%s with reason %j, sent: %s', (state, reason, wasSent, text) => {
  expect(answerText({ state, reason, wasSent })).toBe(text)
})

const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0]).toString('base64')

test('showing the screen is done only with a picture', () => {
  expect(commandResult('showScreen', { result: 'done', picture: jpeg }).picture).toHaveLength(4)
  for (const picture of [undefined, '', Buffer.from('<svg/>').toString('base64')]) {
    expect(commandResult('showScreen', { result: 'done', ...(picture !== undefined && { picture }) })).toEqual({
      state: 'refused',
      reason: 'The screen answered without a picture.',
      picture: undefined,
    })
  }
})

test('no other command keeps a picture, and a refusal keeps its reason', () => {
  expect(commandResult('restart', { result: 'done', picture: jpeg }).picture).toBeUndefined()
  expect(commandResult('showScreen', { result: 'refused', reason: 'Busy.', picture: jpeg })).toEqual({
    state: 'refused',
    reason: 'Busy.',
    picture: undefined,
  })
})
