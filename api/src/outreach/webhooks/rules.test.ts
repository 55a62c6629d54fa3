import { describe, expect, test } from 'vitest'
import { bodyOf, clientsOf, dataForClient, isDead, programOf, stopOf, verdictOf } from './rules.ts'

const HOUR = 3_600_000

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
  ])('it is canceled if %s', (_title, receiver, given) => expect(stopOf(receiver, given)?.outcome).toBe('cancelled'))
  test('it waits while the endpoint is paused, and a test does not', () => {
    expect(stopOf({ ...endpoint, state: 'paused' }, message)?.outcome).toBe('held')
    expect(stopOf({ ...endpoint, state: 'paused' }, { ...message, isTest: true })).toBeUndefined()
  })
})

describe('a shift that moves from one client to another', () => {
  const [acme, other] = ['acme', 'other'].map((uid) => ({
    client: { uid },
    program: { uid: `program of ${uid}` },
    driver: { uid: 'd', name: 'Dana Brooks' },
    startsAt: '2026-11-16T14:00:00Z',
  }))
  const event = {
    type: 'shift.changed',
    at: '2026-11-16T12:00:00.000Z',
    clientUid: 'other',
    data: { change: 'changed', shiftUid: 's', before: acme ?? null, after: other ?? null },
  }
  const { driver: _, ...withoutDriver } = acme ?? {}

  test('concerns both', () => expect(clientsOf(event)).toEqual(['other', 'acme']))
  test('is removed for the one, without the driver and the other client', () => {
    const data = dataForClient(event, 'acme')
    expect(data).toEqual({ change: 'removed', shiftUid: 's', before: withoutDriver, after: null })
    expect(programOf(data)).toBe('program of acme')
  })
  test('is added for the other', () =>
    expect(dataForClient(event, 'other')).toMatchObject({
      change: 'added',
      before: null,
      after: { client: { uid: 'other' } },
    }))
  test('stays a change where both states are the client’s', () =>
    expect(dataForClient({ ...event, data: { ...event.data, after: acme ?? null } }, 'acme')).toMatchObject({
      change: 'changed',
    }))
})

test('a client reads no remarks of staff and drivers', () => {
  const event = {
    type: 'issue.opened',
    at: '2026-11-16T12:00:00.000Z',
    clientUid: 'acme',
    data: {
      issueUid: 'i',
      kind: 'dark',
      text: 'Dana says so',
      raisedBy: 'driver',
      program: { uid: 'p', name: 'Tour' },
    },
  }
  const data = dataForClient(event, 'acme')
  expect(JSON.parse(bodyOf(event, data, 'acme'))).toEqual({
    type: 'issue.opened',
    timestamp: '2026-11-16T12:00:00.000Z',
    data: { issueUid: 'i', kind: 'dark', program: { uid: 'p', name: 'Tour' }, clientUid: 'acme' },
  })
  expect(programOf(data)).toBe('p')
})
