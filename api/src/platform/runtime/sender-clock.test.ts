import { expect, test } from 'vitest'
import { correctSenderTime } from './sender-clock.ts'

const NOON = Date.parse('2026-07-01T17:00:00Z')
const minutes = (count: number) => count * 60_000

test.each([
  ['a right clock is taken as it is', NOON - minutes(300), NOON - minutes(1), NOON - minutes(300)],
  ['an hour fast', NOON - minutes(240), NOON + minutes(60), NOON - minutes(300)],
  ['an hour slow', NOON - minutes(360), NOON - minutes(60), NOON - minutes(300)],
  ['two minutes slow', NOON - minutes(12), NOON - minutes(2), NOON - minutes(10)],
  ['years wrong', 0, minutes(5), NOON - minutes(5)],
])('the time of a sender: %s', (_, at, sentAt, expected) => {
  expect(correctSenderTime({ at, sentAt, now: NOON })).toBe(expected)
})
