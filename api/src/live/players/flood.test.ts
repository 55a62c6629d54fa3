import { expect, test, vi } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { fleetOf } from './test-fleet.ts'

const world = await openWorld()
const { addDevice, addTruck, knock, openNode } = fleetOf(world)
const node = await openNode()

const from = (localAddress: string) => ({ localAddress })

async function knockOften(count: number, handshake: object, localAddress: string): Promise<Map<string, number>> {
  const heard = new Map<string, number>()
  for (let done = 0; done < count; done += 50) {
    const answers = await Promise.all(
      Array.from({ length: Math.min(50, count - done) }, () => knock(node, handshake, from(localAddress))),
    )
    for (const answer of answers) heard.set(answer, (heard.get(answer) ?? 0) + 1)
  }
  return heard
}

test('many connects or failures from one address are refused early; others are served as ever', async () => {
  // Within one minute, however long it takes here.
  vi.useFakeTimers({ toFake: ['performance'] })
  const { macAddress, key } = await addDevice(await addTruck())
  const right = { clientType: 'player', macAddress, key }

  const guessed = await knockOften(300, { ...right, key: 'x'.repeat(43) }, '127.0.0.3')
  // Those that were under way when the limit was reached were still looked at.
  expect(guessed.get('deviceKey')).toBeGreaterThanOrEqual(100)
  expect(guessed.get('deviceKey')).toBeLessThan(160)
  expect((guessed.get('deviceKey') ?? 0) + (guessed.get('tooMany') ?? 0)).toBe(300)
  expect(await knock(node, right, from('127.0.0.3'))).toBe('tooMany')

  const flood = await knockOften(2000, right, '127.0.0.2')
  expect(flood.get('let in')).toBe(1000)
  expect(flood.get('tooMany')).toBe(1000)
  // Past twice the limit not even a reason is given.
  expect(await knock(node, right, from('127.0.0.2'))).toBe('websocket error')
  expect(await knock(node, right, from('127.0.0.4'))).toBe('let in')
}, 120_000)
