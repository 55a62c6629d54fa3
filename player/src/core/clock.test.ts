import { expect, test } from 'vitest'
import { DeviceClock } from './clock.ts'

test('a device goes by the server’s clock, and not by the noise of the network', () => {
  let own = 1_000_000
  const clock = new DeviceClock(() => own)
  expect([clock.now(), clock.offsetMs, clock.isConfirmed]).toEqual([1_000_000, null, false])
  clock.hear({ askedAt: own, heardAt: own + 100, serverTime: own - 90_000 + 50 })
  expect([clock.now(), clock.offsetMs, clock.isConfirmed]).toEqual([910_000, 90_000, true])
  clock.hear({ askedAt: own, heardAt: own + 100, serverTime: own - 90_000 + 50 + 200 })
  expect(clock.offsetMs).toBe(90_000)
  // A slow answer says less than a quick one.
  clock.hear({ askedAt: own, heardAt: own + 8000, serverTime: own - 90_000 + 4000 + 3900 })
  expect(clock.offsetMs).toBe(90_000)
  own += 7_200_000
  clock.hear({ askedAt: own, heardAt: own + 100, serverTime: own - 7_290_000 + 50 })
  expect([clock.now(), clock.offsetMs]).toEqual([own - 7_290_000, 7_290_000])
})

test('after a restart the offset that was kept counts, until the server answers', () => {
  const clock = new DeviceClock(() => 5000, -1000)
  expect([clock.now(), clock.isConfirmed]).toEqual([6000, false])
})
