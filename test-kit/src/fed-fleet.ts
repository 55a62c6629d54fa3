import type { Page } from '@playwright/test'
import type { LiveTruck } from '@roadshow/contract'

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
      uid: uidOf(n + 1),
      number: `S-${n + 1}`,
      state,
      speedKmh: state === 'parked' ? 0 : 48,
      heading: (n * 37) % 360,
      latitude: latitude + Math.sin(n * 12.9898) * 0.4,
      longitude: longitude + Math.cos(n * 78.233) * 0.4,
      odometerM: 1e6 + n,
      positionAt: now,
      playerAt: now,
      shift: {
        uid: uidOf(9e5 + n),
        program: 'Summer Tour',
        market: 'Dallas',
        driver: 'Kit Moreno',
        startsAt: now,
        endsAt: new Date(Date.now() + 8 * 3_600_000).toISOString(),
        startedAt: now,
        phoneOfflineSince: null,
      },
      offShift: null,
    }
  })

interface Feed {
  leave(): void
  comeBack(): void
}

/** Runs in the page: the server at the other end of its channel, with a fleet whose trucks all move each second. */
function serveFleet(trucks: LiveTruck[]): void {
  // What is sent is written beforehand, all but the time: the page is measured, not this.
  const AT = '@AT'
  const later = (step: number) =>
    trucks.map((truck) => ({
      ...truck,
      latitude: (truck.latitude ?? 0) + 0.02 * Math.sin((step * Math.PI) / 10 + (truck.heading ?? 0)),
      longitude: (truck.longitude ?? 0) + 0.02 * Math.cos((step * Math.PI) / 10 + (truck.heading ?? 0)),
      heading: ((truck.heading ?? 0) + 18 * step) % 360,
      positionAt: AT,
    }))
  const texts = Array.from({ length: 20 }, (_, step) => JSON.stringify(later(step)))
  let step = 0
  const fleetNow = () => (texts[step % texts.length] ?? '').replaceAll(AT, new Date().toISOString())
  let isAway = false
  let current: ReturnType<typeof channel> | undefined

  const channel = () => {
    const socket = {
      binaryType: 'blob',
      isOpen: false,
      onopen: undefined as (() => void) | undefined,
      onmessage: undefined as ((event: { data: string }) => void) | undefined,
      onclose: undefined as ((event: { code: number }) => void) | undefined,
      tell: (data: string) => socket.onmessage?.({ data }),
      send(message: string) {
        if (message.startsWith('40')) setTimeout(() => socket.tell('40{"sid":"s"}'))
        const ask = /^42(\d+)\["get-all-geotab-stats"/.exec(message)
        if (!ask) return
        current = socket
        setTimeout(() => socket.tell(`43${ask[1]}[{"trucks":${fleetNow()}}]`))
      },
      close() {
        socket.isOpen = false
        socket.onclose?.({ code: 1006 })
      },
    }
    setTimeout(() => {
      if (isAway) return socket.close()
      socket.isOpen = true
      socket.onopen?.()
      const hello = { sid: 'e', upgrades: [], pingInterval: 600_000, pingTimeout: 600_000, maxPayload: 1_000_000 }
      socket.tell(`0${JSON.stringify(hello)}`)
    })
    return socket
  }
  setInterval(() => {
    step += 1
    if (current?.isOpen) current.tell(`42["geotab-feed",${fleetNow()}]`)
  }, 1_000)
  const feed: Feed = {
    leave() {
      isAway = true
      current?.close()
    },
    comeBack() {
      isAway = false
    },
  }
  const opened = function () {
    return channel()
  }
  Object.assign(window, { WebSocket: opened, feed })
}

const inPage = (page: Page, act: keyof Feed) =>
  page.evaluate((name) => (window as unknown as { feed: Feed }).feed[name](), act)

/** Gives a page a fleet of its own, without a server. */
export async function feedFleet(page: Page, trucks: LiveTruck[]) {
  await page.addInitScript(serveFleet, trucks)
  return {
    /** Lets the connection go, and refuses every new one until it is back. */
    leave: () => inPage(page, 'leave'),
    comeBack: () => inPage(page, 'comeBack'),
  }
}

/** Drags the map of the fleet to and fro, and looks at it from nearer and farther. */
export async function panFleet(page: Page): Promise<void> {
  const map = await page.getByRole('application', { name: /Map of the fleet/ }).boundingBox()
  if (!map) throw new Error('The map is on the screen.')
  const middle = [map.x + map.width / 2, map.y + map.height / 2] as const
  await page.mouse.move(...middle)
  for (let step = 0; step < 4; step += 1) {
    await page.mouse.down()
    await page.mouse.move(middle[0] + 160, middle[1] + 60, { steps: 25 })
    await page.mouse.move(...middle, { steps: 25 })
    await page.mouse.up()
    await page.mouse.wheel(0, step < 2 ? -240 : 240)
    await page.waitForTimeout(500)
  }
}
