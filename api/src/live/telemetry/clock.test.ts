import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sharedNow } from '../../platform/db/clock.ts'
import { fleetOf } from '../players/test-fleet.ts'
import { startPoller } from './index.ts'
import { startGeotab } from './test-geotab.ts'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { db } = world
const { addDevice, addRunning, addTruck, aPlay, come, openNode } = fleetOf(world)
const node = await openNode()

const HOUR = 3_600_000
const truth = Date.now()
const at = (hours: number) => new Date(truth + hours * HOUR).toISOString()

/** Three hours behind, ahead, and by years: a machine that has just started, or whose battery is empty. */
describe.each([-3, 3, -24 * 365 * 20, 24 * 365 * 3])('a node whose clock is off by %i hours', (hours) => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  const jump = () => vi.setSystemTime(truth + hours * HOUR)
  afterEach(() => void vi.useRealTimers())

  test('takes plays by the time of day, and those of tomorrow later', async () => {
    const { art, device } = await addRunning()
    jump()
    const player = await come(node, device)
    const answer = await player.emitWithAck('player-plays', [
      aPlay(art, { startedAt: at(-0.1) }),
      aPlay(art, { startedAt: at(1) }),
    ])
    expect(answer).toMatchObject({
      rows: [{ result: 'accepted' }, { result: 'later', reason: expect.stringContaining('future') as string }],
    })
  })

  test('takes what drivers say, and tells a device how wrong its own clock is', async () => {
    const { shift, truckUid } = await addRunning()
    const device = await addDevice(truckUid, 'driver')
    jump()
    const driver = await come(node, device, 'driver')
    const start = { eventId: `start-${hours}`, shiftUid: shift.uid, kind: 'start' as const, at: at(-1) }
    expect(await driver.emitWithAck('driver-shift', [start])).toMatchObject({ rows: [{ result: 'accepted' }] })
    const health = { at: at(0), files: [], gpsFix: true, freeBytes: 1, appVersion: '1' }
    const answer = (await driver.emitWithAck('device-health', health)) as { clockOffsetMs: number }
    expect(Math.abs(answer.clockOffsetMs)).toBeLessThan(HOUR)
  })

  test('stores positions as they come', async () => {
    const geotab = await startGeotab()
    const truck = await addTruck()
    const device = `g${Math.abs(hours)}${hours > 0}`
    await db.updateTable('truck').set({ geotab_device_id: device }).where('uid', '=', truck).execute()
    const fix = { id: 'b1', device: { id: device }, latitude: 32.8, longitude: -96.8, speed: 30 }
    geotab.say('LogRecord', { ...fix, dateTime: at(-0.2) }, { ...fix, id: 'b2', dateTime: at(-0.1) })
    jump()
    const poller = startPoller({ db, account: geotab.account, everyMs: 100, log: () => {} })
    const stored = () => db.selectFrom('position').select('at').where('truck_uid', '=', truck).execute()
    await vi.waitFor(async () => expect(await stored()).toHaveLength(2), { timeout: 10_000, interval: 50 })
    await poller.stop()
    await geotab.close()
    await db.deleteFrom('geotab_cursor').execute()
  })

  test('drops no week that is kept', async () => {
    const { art, device } = await addRunning()
    const player = await come(node, device)
    await player.emitWithAck('player-plays', [aPlay(art, { startedAt: at(-100) })])
    jump()
    await world.sweep()
    const kept = await db.selectFrom('play').select('play_id').where('device_uid', '=', device.uid).execute()
    expect(kept).toHaveLength(1)
    expect(Math.abs((await sharedNow(db)) - truth)).toBeLessThan(HOUR)
  })
})
