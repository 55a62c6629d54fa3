import { recordDeviceContact } from '../../catalog/devices/index.ts'
import type { App } from '../../platform/http/app.ts'
import { recordPlayerContact } from '../telemetry/index.ts'
import { connectedDevices, type DeviceData, type DeviceServer } from './connected-devices.ts'

// A player counts as offline after a minute at the soonest.
const ALL_EVERY_MS = 30_000
const CHANGES_EVERY_MS = 1000

/** Records which devices are connected and when players last played, for all of them in one statement. */
export function trackPresence(app: App, io: DeviceServer) {
  const { db } = app.kernel
  // When each truck's player started its last play; undefined for a player that is only connected.
  let changes = new Map<string, number | undefined>()
  const fresh = new Set<string>()
  let allNotedAt = -Infinity
  let isBusy = false

  function noteAll(): void {
    allNotedAt = performance.now()
    for (const { data } of connectedDevices(io)) if (data.device) note(data)
  }

  async function write(): Promise<void> {
    const [devices, trucks] = [[...fresh], changes]
    fresh.clear()
    changes = new Map()
    try {
      if (devices.length > 0) await recordDeviceContact(db, devices)
    } finally {
      const done = trucks.size > 0 ? await recordPlayerContact(db, trucks) : new Set()
      // Rows that another writer has locked wait for the next time.
      for (const [truckUid, at] of trucks) if (!done.has(truckUid)) played(truckUid, at)
    }
  }

  function played(truckUid: string, at: number | undefined): void {
    const known = changes.get(truckUid)
    changes.set(truckUid, known !== undefined && (at === undefined || at < known) ? known : at)
  }

  function note({ device, clientType }: DeviceData): void {
    if (!device) return
    fresh.add(device.uid)
    if (clientType !== 'driver') played(device.truckUid, undefined)
  }

  const timer = setInterval(() => {
    if (isBusy) return
    if (performance.now() - allNotedAt >= ALL_EVERY_MS) noteAll()
    if (fresh.size + changes.size === 0) return
    isBusy = true
    app.kernel.inBackground(write().finally(() => (isBusy = false)))
  }, CHANGES_EVERY_MS)
  timer.unref()

  return { note, played, close: () => clearInterval(timer) }
}
