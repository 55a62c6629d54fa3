import type { Page, WebSocketRoute } from '@playwright/test'
import type { LiveTruck } from '@roadshow/contract'

const EVERY_MS = 1_000
const states = ['driving', 'parked', 'darkScreen', 'silent', 'offShift', 'notMoving', 'playingSilent'] as const
// Dallas, Chicago, Miami, Denver, Los Angeles, New York.
const cities = [
  [32.78, -96.8],
  [41.88, -87.63],
  [25.77, -80.19],
  [39.74, -104.99],
  [34.05, -118.24],
  [40.71, -74.0],
] as const

const uidOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`

/** Trucks around some cities; the first are driving. */
export const someTrucks = (count: number): LiveTruck[] =>
  Array.from({ length: count }, (_, n) => {
    const [latitude, longitude] = cities[n % cities.length] ?? cities[0]
    const now = new Date().toISOString()
    const state = states[n % 9] ?? 'driving'
    return {
      ...{ uid: uidOf(n + 1), number: `S-${n + 1}`, state, speedKmh: state === 'parked' ? 0 : 48, heading: (n * 37) % 360 },
      latitude: latitude + Math.sin(n * 12.9898) * 0.4,
      longitude: longitude + Math.cos(n * 78.233) * 0.4,
      ...{ odometerM: 1_000_000 + n, positionAt: now, playerAt: now },
      shift: {
        ...{ uid: uidOf(900_000 + n), program: 'Summer Tour', market: 'Dallas', driver: 'Kit Moreno' },
        ...{ startsAt: now, startedAt: now },
      },
    }
  })

const moved = (truck: LiveTruck, step: number): LiveTruck => ({
  ...truck,
  latitude: (truck.latitude ?? 0) + 0.0004 * Math.cos(step + (truck.heading ?? 0)),
  longitude: (truck.longitude ?? 0) + 0.0004 * Math.sin(step + (truck.heading ?? 0)),
  heading: ((truck.heading ?? 0) + 3) % 360,
  positionAt: new Date().toISOString(),
})

/** Stands for the server at the other end of the page's channel: a fleet of which every truck moves each second. */
export async function feedFleet(page: Page, trucks: LiveTruck[]) {
  let fleet = trucks
  let step = 0
  let isAway = false
  const open = new Set<WebSocketRoute>()
  const hello = { sid: 'e', upgrades: [], pingInterval: 25_000, pingTimeout: 60_000, maxPayload: 1_000_000 }
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    if (isAway) return void socket.close()
    socket.send(`0${JSON.stringify(hello)}`)
    socket.onMessage((given) => {
      const message = String(given)
      if (message.startsWith('40')) socket.send('40{"sid":"s"}')
      const ask = /^42(\d+)\["get-all-geotab-stats"/.exec(message)
      if (!ask) return
      socket.send(`43${ask[1]}${JSON.stringify([{ trucks: fleet }])}`)
      open.add(socket)
    })
    socket.onClose(() => open.delete(socket))
  })
  const timer = setInterval(() => {
    step += 1
    fleet = fleet.map((truck) => moved(truck, step))
    for (const socket of open) socket.send(`42${JSON.stringify(['geotab-feed', fleet])}`)
  }, EVERY_MS)
  return {
    /** Lets the connection go, and refuses every new one until it is back. */
    leave() {
      isAway = true
      for (const socket of open) void socket.close()
    },
    comeBack() {
      isAway = false
    },
    stop: () => clearInterval(timer),
  }
}
