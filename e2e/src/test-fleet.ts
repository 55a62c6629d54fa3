import { randomBytes } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import type { DriverIssue, LiveTruck } from '@roadshow/contract'
import { callAs, expect } from './world.ts'

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
      ...{
        uid: uidOf(n + 1),
        number: `S-${n + 1}`,
        state,
        speedKmh: state === 'parked' ? 0 : 48,
        heading: (n * 37) % 360,
      },
      latitude: latitude + Math.sin(n * 12.9898) * 0.4,
      longitude: longitude + Math.cos(n * 78.233) * 0.4,
      ...{ odometerM: 1_000_000 + n, positionAt: now, playerAt: now },
      shift: {
        ...{ uid: uidOf(900_000 + n), program: 'Summer Tour', market: 'Dallas', driver: 'Kit Moreno' },
        ...{ startsAt: now, startedAt: now },
      },
    }
  })

interface Feed {
  leave(): void
  comeBack(): void
}

/** Runs in the page: the server at the other end of its channel, with a fleet of which every truck moves each second. */
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

/** A driver app of a truck, paired as a device is. */
async function pairedDriver(page: Page, truckUid: string) {
  const macAddress = ['02', ...randomBytes(5).toString('hex').toUpperCase().match(/../g)!].join(':')
  const data = async <T>(call: string, body: object) => {
    const answer = (await (await callAs(page, 'POST', call, body)).json()) as { data: T }
    expect(answer).toMatchObject({ data: {} })
    return answer.data
  }
  const { uid } = await data<{ uid: string }>('devices/', { truckUid, kind: 'driver', macAddress })
  const { code } = await data<{ code: string }>(`devices/${uid}/code`, {})
  const { key } = await data<{ key: string }>('devices/pair', { macAddress, code })
  return { clientType: 'driver', macAddress, key }
}

/** A driver tells of something that is wrong with a truck. */
export async function reportIssue(page: Page, truckUid: string, issue: Pick<DriverIssue, 'kind' | 'text'>) {
  const handshake = await pairedDriver(page, truckUid)
  const report = { eventId: randomBytes(8).toString('hex'), at: new Date().toISOString(), ...issue }
  const answer = await page.evaluate(
    ([auth, batch]) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(`ws://${location.host}/socket.io/?EIO=4&transport=websocket`)
        socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
          if (data.startsWith('0')) socket.send(`40${auth}`)
          else if (data.startsWith('40')) socket.send(`420["driver-issue",${batch}]`)
          else if (data.startsWith('4')) {
            resolve(data)
            socket.close()
          }
        })
      }),
    [JSON.stringify(handshake), JSON.stringify([report])] as const,
  )
  expect(answer).toContain('accepted')
}

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** In microseconds of the processor, which a busy machine does not stretch. */
  tdur?: number
}

/** The longest task of a page's own thread while something is done, in milliseconds of the processor. */
export async function longestTask(browser: Browser, act: () => Promise<void>): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  const includedCategories = ['toplevel', 'devtools.timeline']
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } })
  await act()
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  // Where scripts run is the page's own thread.
  const threads = new Set(events.filter(({ name }) => name === 'FunctionCall').map(({ pid, tid }) => `${pid} ${tid}`))
  const tasks = events.filter(({ name, pid, tid }) => name.endsWith('RunTask') && threads.has(`${pid} ${tid}`))
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur)) / 1000
}
