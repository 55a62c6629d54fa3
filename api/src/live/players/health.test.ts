import { randomUUID } from 'node:crypto'
import { DAY_MS, type DeviceHealthReport } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { fleetOf, minutesAgo, type TestDevice } from './test-fleet.ts'

const world = await openWorld()
const { db } = world
const { addDevice, addTruck, come, openNode } = fleetOf(world)
const url = await openNode()

const report = (appVersion: string, minutes: number, more: Partial<DeviceHealthReport> = {}): DeviceHealthReport => ({
  reportId: randomUUID(),
  at: minutesAgo(minutes),
  sentAt: minutesAgo(0),
  gpsFix: true,
  appVersion,
  ...more,
})

async function openPlayer() {
  const device = await addDevice(await addTruck())
  const socket = await come(url, device)
  const say = (health: object) => socket.timeout(5000).emitWithAck('device-health', health as never) as Promise<unknown>
  return { device, say }
}

const stored = (device: TestDevice) =>
  db.selectFrom('device_health').selectAll().where('device_uid', '=', device.uid).executeTakeFirst()

const results = (answer: unknown) => (answer as { rows: { result: string }[] }).rows.map(({ result }) => result)

test('a list of reports is answered row by row, and the newest counts in any order', async () => {
  const { device, say } = await openPlayer()
  const list = [report('newest', 1), report('oldest', 300), report('middle', 60)]
  const answer = await say(list)
  expect(answer).toMatchObject({
    rows: list.map(({ reportId }) => ({ id: reportId, result: 'accepted' })),
    clockOffsetMs: expect.closeTo(0, -4) as number,
  })
  expect(await stored(device)).toMatchObject({ app_version: 'newest', report_id: list[0]?.reportId })
})

test('a report that is sent again is a duplicate, and a late one does not replace a newer one', async () => {
  const { device, say } = await openPlayer()
  const newer = report('newer', 1)
  expect(results(await say([newer, newer]))).toEqual(['accepted', 'duplicate'])
  expect(results(await say([{ ...newer, sentAt: minutesAgo(-1) }]))).toEqual(['duplicate'])
  expect(results(await say([report('late', 90)]))).toEqual(['duplicate'])
  expect(await stored(device)).toMatchObject({ app_version: 'newer' })
})

test('one bad report does not hold up the others', async () => {
  const { device, say } = await openPlayer()
  const list = [{ ...report('x', 1), gpsFix: 'yes' }, report('backwards', -10), report('good', 2)]
  expect(await say(list)).toMatchObject({
    rows: [
      { result: 'rejected', reason: expect.stringContaining('gpsFix') as string },
      { result: 'rejected', reason: 'This time is after the report was sent.' },
      { result: 'accepted' },
    ],
  })
  expect(await stored(device)).toMatchObject({ app_version: 'good' })
  expect(await say([{}])).toMatchObject({ rows: [{ result: 'rejected' }], clockOffsetMs: null })
})

test('a clock that is years off is named, and does not make reports look old or new', async () => {
  const { device, say } = await openPlayer()
  const off = (years: number, minutes: number) => {
    const sent = Date.now() + years * 365 * DAY_MS
    return { at: minutesAgo(minutes, sent), sentAt: new Date(sent).toISOString() }
  }
  expect(await say([report('ahead', 0, off(3, 1))])).toMatchObject({ clockOffsetMs: 2 ** 31 - 1 })
  expect(results(await say([report('corrected', 0.5)]))).toEqual(['accepted'])
  expect(results(await say([report('behind', 0, off(-20, 0.1))]))).toEqual(['accepted'])
  expect(await stored(device)).toMatchObject({ app_version: 'behind', clock_offset_ms: -(2 ** 31 - 1) })
})

test('a single report says how the device is now, and counts as newer than every list before', async () => {
  const { device, say } = await openPlayer()
  await say([report('list', 0)])
  expect(await say({ at: minutesAgo(30), gpsFix: false, appVersion: 'single' })).toEqual({
    clockOffsetMs: expect.closeTo(-1_800_000, -4) as number,
  })
  expect(await stored(device)).toMatchObject({ app_version: 'single', report_id: '', gps_fix: false })
})
