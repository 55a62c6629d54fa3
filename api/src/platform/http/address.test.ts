import type { IncomingMessage } from 'node:http'
import { API_BASE, errorLog } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { addressOf, networkOf } from './address.ts'

const request = (forwarded?: string) =>
  ({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: '10.0.0.1' } }) as unknown as IncomingMessage

/** What a client wrote, what the outer proxy saw, what the inner proxy saw. */
const FORGED = '198.51.100.1, 203.0.113.9, 192.0.2.7'

const expected: [number, string | undefined, string][] = [
  [0, FORGED, '10.0.0.1'],
  [1, FORGED, '192.0.2.7'],
  [2, FORGED, '203.0.113.9'],
  [1, '203.0.113.9', '203.0.113.9'],
  // Fewer than announced: the farthest that any of them has seen.
  [2, '203.0.113.9', '203.0.113.9'],
  [1, undefined, '10.0.0.1'],
]

test.each(expected)(
  'behind %s proxies, of %s counts %s, for sockets and calls alike',
  async (proxies, header, address) => {
    expect(addressOf(request(header), proxies)).toBe(address)
    const { app, db } = await world
    const env = {
      brandName: 'R',
      publicUrl: 'http://localhost',
      logLevel: 'silent',
      trustProxy: proxies,
      checkReplies: true,
    }
    const behind = await buildApp({ db, env, blobs: app.blobs, mailer: { send: async () => {} } })
    const answer = await behind.inject({
      method: 'POST',
      url: `${API_BASE}/${errorLog.report.path}`,
      payload: { errorOrigin: `${proxies} ${header}`, error: '' },
      remoteAddress: '10.0.0.1',
      ...(header !== undefined && { headers: { 'x-forwarded-for': header } }),
    })
    expect(answer.statusCode).toBe(200)
    const kept = await db
      .selectFrom('web_log')
      .select('address')
      .where('error_origin', '=', `${proxies} ${header}`)
      .executeTakeFirstOrThrow()
    expect(kept.address).toBe(address)
    await behind.close()
  },
)

const world = openWorld()

test('all addresses of an IPv6 subscriber count as one; an IPv4 address stays itself, however it is written', () => {
  const one = networkOf('2001:db8:1:2::1')
  expect(one).toBe('2001:db8:1:2::/64')
  for (const same of [
    '2001:db8:1:2:ffff:ffff:ffff:ffff',
    '2001:DB8:0001:0002::9',
    '2001:db8:1:2:3::',
    '2001:db8:1:2::1%eth0',
  ]) {
    expect(networkOf(same), same).toBe(one)
  }
  for (const other of ['2001:db8:1:3::1', '2001:db8::1', '::1']) expect(networkOf(other), other).not.toBe(one)
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
  expect([networkOf('203.0.113.9'), networkOf('::ffff:203.0.113.9')]).toEqual(['203.0.113.9', '203.0.113.9'])
  expect(networkOf('nonsense')).toBe('nonsense')
})
