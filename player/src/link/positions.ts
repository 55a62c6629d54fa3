import { GPS_BRIDGE_URL } from '@roadshow/contract/platform/constants'
import type { TrackPoint } from '@roadshow/contract/platform/geo'

const FIRST_RETRY_MS = 2000
const LONGEST_RETRY_MS = 60_000
const KMH_PER_MS = 3.6

type OnFix = (source: 'bridge' | 'browser', fix: Omit<TrackPoint, 'at'>) => void

/** Listens to the receiver of this truck: by the bridge beside the browser, and by the browser itself. */
export function followReceivers(onFix: OnFix): void {
  followBridge(onFix, FIRST_RETRY_MS)
  // Fails where the machine has no receiver that the browser knows.
  navigator.geolocation?.watchPosition(
    ({ coords: { latitude, longitude, speed } }) =>
      onFix('browser', { latitude, longitude, speedKmh: speed === null ? null : speed * KMH_PER_MS }),
    () => undefined,
    { enableHighAccuracy: true, maximumAge: 0 },
  )
}

function followBridge(onFix: OnFix, retryMs: number): void {
  let nextMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)
  const socket = new WebSocket(GPS_BRIDGE_URL)
  socket.addEventListener('open', () => (nextMs = FIRST_RETRY_MS))
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const fix = parseFix(data)
    if (fix) onFix('bridge', fix)
  })
  socket.addEventListener('close', () => setTimeout(() => followBridge(onFix, nextMs), retryMs))
}

/** What the bridge sends: `{"latitude":32.78,"longitude":-96.8,"speedKmh":41.5}`. */
function parseFix(data: unknown): Omit<TrackPoint, 'at'> | undefined {
  try {
    const { latitude, longitude, speedKmh } = JSON.parse(String(data)) as Record<string, unknown>
    if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined
    return { latitude, longitude, speedKmh: typeof speedKmh === 'number' ? speedKmh : null }
  } catch {
    return undefined
  }
}
