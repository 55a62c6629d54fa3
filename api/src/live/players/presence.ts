import { recordDeviceContact } from '../../catalog/devices/index.ts'
import type { App } from '../../platform/http/app.ts'
import { recordPlayerContact } from '../telemetry/index.ts'
import { connectedDevices, type DeviceData, type DeviceServer } from './connected-devices.ts'

// A player counts as offline after a minute at the soonest.
const EVERYBODY_EVERY_MS = 30_000
const NEWS_EVERY_MS = 1000

/** Notes which devices are in touch and what players last played: now and then, for all of them at once. */
export function trackPresence(app: App, io: DeviceServer) {
  const { db } = app.kernel
  // When each truck's player began what it last played; nothing for one that is just there.
  let news = new Map<string, number | undefined>()
  const fresh = new Set<string>()
  let everybodyAt = -Infinity
  let isBusy = false

  function noteEverybody(): void {
    everybodyAt = performance.now()
    for (const { data } of connectedDevices(io)) if (data.device) note(data)
  }

  async function write(): Promise<void> {
    const [devices, trucks] = [[...fresh], news]
    fresh.clear()
    news = new Map()
    try {
      if (devices.length > 0) await recordDeviceContact(db, devices)
    } finally {
      const done = trucks.size > 0 ? await recordPlayerContact(db, trucks) : new Set()
      // Rows that somebody else is writing are left for the next time.
      for (const [truckUid, at] of trucks) if (!done.has(truckUid)) played(truckUid, at)
    }
  }

  function played(truckUid: string, at: number | undefined): void {
    const known = news.get(truckUid)
    news.set(truckUid, known !== undefined && (at === undefined || at < known) ? known : at)
  }

  function note({ device, clientType }: DeviceData): void {
    if (!device) return
    fresh.add(device.uid)
    if (clientType !== 'driver') played(device.truckUid, undefined)
  }

  const timer = setInterval(() => {
    if (isBusy) return
    if (performance.now() - everybodyAt >= EVERYBODY_EVERY_MS) noteEverybody()
    if (fresh.size + news.size === 0) return
    isBusy = true
    app.kernel.inBackground(write().finally(() => (isBusy = false)))
  }, NEWS_EVERY_MS)
  timer.unref()

  return { note, played, close: () => clearInterval(timer) }
}
