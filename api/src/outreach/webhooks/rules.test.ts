import { describe, expect, test } from 'vitest'
import { bodyOf, isDead, retryAfterMs, stopOf, verdictOf } from './rules.ts'

const HOUR = 3_600_000
const now = Date.parse('2026-11-16T12:00:00Z')

test.each([
  ['one failure', 1, 0, false],
  ['many failures within minutes', 500, HOUR - 1, false],
  ['many failures for an hour', 50, HOUR, true],
  ['few failures for an hour', 49, 10 * HOUR, false],
  ['nothing accepted for two days', 15, 48 * HOUR, true],
])('%s: an endpoint is dead: %i, %i ms, %s', (_title, failures, failingMs, dead) =>
  expect(isDead({ failures, failingMs })).toBe(dead),
)

test.each([
  [undefined, undefined],
  ['120', 120_000],
  ['0', 0],
  ['Mon, 16 Nov 2026 12:05:00 GMT', 300_000],
  ['Mon, 16 Nov 2026 11:00:00 GMT', 0],
  ['999999999', 12 * HOUR],
  ['soon', undefined],
  ['-5', 0],
])('Retry-After %s means a wait of %s ms', (header, ms) => expect(retryAfterMs(header, now)).toBe(ms))

test.each([
  [200, 'accepted'],
  [204, 'accepted'],
  [299, 'accepted'],
  [400, 'failed'],
  [404, 'failed'],
  [410, 'gone'],
  [429, 'failed'],
  [500, 'failed'],
])('an answer %i means %s', (status, verdict) => expect(verdictOf(status)).toBe(verdict))

describe('at the moment of sending', () => {
  const endpoint = { state: 'active', events: ['photo.approved'], clientUid: 'acme' }
  const message = { event: 'photo.approved', isTest: false, clientUid: 'acme', programClientUid: 'acme' }

  test('a message of the client leaves', () => expect(stopOf(endpoint, message)).toBeUndefined())
  test('an endpoint for all clients gets those of each and of none', () => {
    const all = { ...endpoint, clientUid: null }
    expect(stopOf(all, message)).toBeUndefined()
    expect(stopOf(all, { ...message, clientUid: null, programClientUid: null })).toBeUndefined()
  })
  test.each([
    ['the endpoint has ended', { ...endpoint, state: 'ended' }, message],
    ['there is no endpoint', undefined, message],
    ['the events of the endpoint changed', { ...endpoint, events: ['pop.published'] }, message],
    ['it is of another client', endpoint, { ...message, clientUid: 'other' }],
    ['it is of no client', endpoint, { ...message, clientUid: null, programClientUid: null }],
    ['its program belongs to another client now', endpoint, { ...message, programClientUid: 'other' }],
  ])('it is cancelled if %s', (_title, receiver, given) => expect(stopOf(receiver, given)?.outcome).toBe('cancelled'))
  test('it waits while the endpoint is paused, and a test does not', () => {
    expect(stopOf({ ...endpoint, state: 'paused' }, message)?.outcome).toBe('held')
    expect(stopOf({ ...endpoint, state: 'paused' }, { ...message, isTest: true })).toBeUndefined()
  })
})

test('a client reads no drivers and no remarks of staff', () => {
  const event = {
    type: 'shift.changed',
    at: '2026-11-16T12:00:00.000Z',
    clientUid: 'acme',
    data: {
      shiftUid: 's',
      driverUid: 'd',
      driver: { name: 'Dana' },
      before: { driverName: 'Lee', startsAt: 'x' },
      note: 'n',
    },
  }
  expect(JSON.parse(bodyOf(event, true))).toEqual({
    type: 'shift.changed',
    timestamp: '2026-11-16T12:00:00.000Z',
    data: { shiftUid: 's', before: { startsAt: 'x' }, clientUid: 'acme' },
  })
  expect(JSON.parse(bodyOf(event, false)).data).toEqual({ ...event.data, clientUid: 'acme' })
})
