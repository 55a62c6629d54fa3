import type { BrowserContext, Page } from '@playwright/test'
import { GPS_BRIDGE_URL } from '@roadshow/contract'

/** A clock that starts in the past and runs faster until it has caught up with the real one. */
export interface FastTime {
  /** Where it starts, and the real time of that. */
  startsAt: number
  since: number
  factor: number
}

/** A position of the truck's GPS receiver at a moment of the fast clock. */
export interface DrivenFix {
  at: number
  latitude: number
  longitude: number
  speedKmh: number
}

export const fastTime = (agoMs: number, factor: number): FastTime => {
  const since = Date.now()
  return { startsAt: since - agoMs, since, factor }
}

/**
 * Lets pages live by a fast clock: their dates, their intervals, and the server's time as they hear it. Frames, videos and
 * timeouts stay real. The GPS bridge of the machine tells the given positions, each in a frame of its own.
 */
export async function runFast(browser: BrowserContext | Page, time: FastTime, fixes: DrivenFix[] = []): Promise<void> {
  await browser.addInitScript(fastClock, { ...time, fixes, bridgeUrl: GPS_BRIDGE_URL })
}

interface Given extends FastTime {
  fixes: DrivenFix[]
  bridgeUrl: string
}

function fastClock({ startsAt, since, factor, fixes, bridgeUrl }: Given): void {
  const [RealDate, RealSocket, realInterval] = [Date, WebSocket, setInterval]
  const now = () => Math.min(RealDate.now(), startsAt + (RealDate.now() - since) * factor)
  class FastDate extends RealDate {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [now()] : given) as [number]))
    }
    static override now = now
  }
  const withFastTime = (text: unknown) =>
    typeof text === 'string'
      ? text.replace(/"serverTime":"[^"]+"/, () => `"serverTime":"${new FastDate().toISOString()}"`)
      : text
  const bridge = new EventTarget()
  const FastSocket = new Proxy(RealSocket, {
    construct(Target, [url, protocols]: [string, string?]) {
      if (url === bridgeUrl) return bridge
      const socket = new Target(url, protocols ?? [])
      Object.defineProperty(socket, 'onmessage', {
        set(hear: (event: object) => void) {
          socket.addEventListener('message', ({ data }) => hear({ data: withFastTime(data) }))
        },
      })
      return socket
    },
  })
  const fastInterval = (act: () => void, ms = 0) => realInterval(act, ms / factor)
  Object.assign(window, { Date: FastDate, WebSocket: FastSocket, setInterval: fastInterval })
  // A page that reckons from its start goes by the fast clock, too.
  Object.defineProperty(performance, 'timeOrigin', { get: () => now() - performance.now() })

  const waiting = fixes.filter(({ at }) => at >= now())
  const SPACING_MS = 4000
  let toldAt = Number.NEGATIVE_INFINITY
  const tell = () => {
    const [next] = waiting
    if (next && now() >= Math.max(next.at, toldAt + SPACING_MS)) {
      waiting.shift()
      toldAt = now()
      const { latitude, longitude, speedKmh } = next
      bridge.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ latitude, longitude, speedKmh }) }))
    }
    if (waiting.length > 0) requestAnimationFrame(tell)
  }
  requestAnimationFrame(tell)
}
