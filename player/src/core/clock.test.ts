import { expect, test } from 'vitest'
import { DeviceClock } from './clock.ts'

test('a device goes by the server’s clock, and not by the noise of the network', () => {
  let own = 1_000_000
  const clock = new DeviceClock({ wall: () => own, steady: () => own })
  expect([clock.now(), clock.offsetMs, clock.isConfirmed]).toEqual([1_000_000, null, false])
  clock.hear({ askedAt: own, heardAt: own + 100, serverTime: own - 90_000 + 50 })
  expect([clock.now(), clock.offsetMs, clock.isConfirmed]).toEqual([910_000, 90_000, true])
  clock.hear({ askedAt: own, heardAt: own + 100, serverTime: own - 90_000 + 50 + 200 })
  expect(clock.offsetMs).toBe(90_000)
  // A slow answer says less than a quick one.
  clock.hear({ askedAt: own, heardAt: own + 8000, serverTime: own - 90_000 + 4000 + 3900 })
  expect(clock.offsetMs).toBe(90_000)
  // The server's own clock is set.
  own += 7_200_000
  clock.hear({ askedAt: own, heardAt: own + 100, serverTime: own - 7_290_000 + 50 })
  expect([clock.now(), clock.offsetMs]).toEqual([own - 7_290_000, 7_290_000])
})

test('after a restart the offset that was kept counts, until the server answers', () => {
  const clock = new DeviceClock({ wall: () => 5000, steady: () => 5000 }, -1000)
  expect([clock.now(), clock.isConfirmed]).toEqual([6000, false])
})

test('setting the time of day of the device moves nothing once the server has answered', () => {
  let [wall, steady] = [1_000_000, 1_000_000]
  const clock = new DeviceClock({ wall: () => wall, steady: () => steady }, 60_000)
  expect([clock.now(), clock.offsetMs]).toEqual([940_000, 60_000])
  wall += 5000
  expect(clock.now()).toBe(945_000)
  clock.hear({ askedAt: steady, heardAt: steady + 100, serverTime: 900_050 })
  expect([clock.now(), clock.offsetMs]).toEqual([900_000, 105_000])
  wall += 5 * 3_600_000 + 1000
  steady += 1000
  // What is kept for the next start follows the time of day.
  expect([clock.now(), clock.offsetMs]).toEqual([901_000, 105_000 + 5 * 3_600_000])
})
