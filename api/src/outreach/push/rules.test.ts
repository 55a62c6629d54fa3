import { DAY_MS } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { retryAfterMs } from '../../platform/http/outbound.ts'
import { endOf, isOwnPath, pushText, topicOf, vapidSubject } from './rules.ts'

test.each([
  ['/trucks?record=1', true],
  ['/', true],
  ['//evil.example', false],
  ['/\\evil.example', false],
  ['https://evil.example', false],
  ['trucks', false],
  [`/${'a'.repeat(400)}`, false],
])('%s as the page of a notification: %s', (path, expected) => expect(isOwnPath(path)).toBe(expected))

test('a notification that leads elsewhere opens the list of notifications', () =>
  expect(JSON.parse(pushText({ title: 'A', body: 'B', path: '//evil.example' }, '2026-11-16T18:00:00Z'))).toEqual({
    title: 'A',
    body: 'B',
    path: '/notifications',
    at: '2026-11-16T18:00:00Z',
  }))

test('tags become topics that push services take', () => {
  expect(topicOf('issue 1')).toMatch(/^[\w-]{32}$/)
  expect(topicOf('issue 1')).not.toBe(topicOf('issue 2'))
})

test.each([
  ['Roadshow <ops@example.com>', 'https://console.example.com', 'mailto:ops@example.com'],
  ['ops@example.com', 'https://console.example.com', 'mailto:ops@example.com'],
  [undefined, 'https://console.example.com', 'https://console.example.com'],
  ['Roadshow', 'http://localhost:3000', 'mailto:no-reply@localhost'],
])('the contact of %s at %s is %s', (mailFrom, publicUrl, expected) =>
  expect(vapidSubject(mailFrom, publicUrl)).toBe(expected),
)

const NOW = Date.parse('2026-11-16T18:00:00Z')
const answerOf = (status: number, retryAfter?: string) => ({
  status,
  headers: { 'retry-after': retryAfter },
  body: Buffer.alloc(0),
})
test.each([
  ['120', 120_000],
  ['0', 0],
  ['-5', 0],
  ['Mon, 16 Nov 2026 18:01:00 GMT', 60_000],
  ['Mon, 16 Nov 2026 17:00:00 GMT', 0],
  ['9'.repeat(400), DAY_MS],
  ['Fri, 31 Dec 9999 23:59:59 GMT', DAY_MS],
  ['soon', undefined],
  [undefined, undefined],
])('Retry-After %s waits %s ms', (header, expected) =>
  expect(retryAfterMs(answerOf(429, header), NOW, DAY_MS)).toBe(expected),
)

test.each([
  [201, 'accepted', false],
  [404, 'refused', true],
  [410, 'refused', true],
  [429, 'failed', false],
  [503, 'failed', false],
  [400, 'refused', false],
  [403, 'refused', false],
  [413, 'refused', false],
])('an answer of %i is %s', (status, outcome, isGone) =>
  expect(endOf(answerOf(status), NOW)).toMatchObject({ outcome, isGone }),
)
