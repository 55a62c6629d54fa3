import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { TRUCKS } from './fill-road.ts'
import { median, p99, ratioOf } from './load.ts'
import { RawSocket } from './raw-socket.ts'
import { type BenchFigure, times } from './report.ts'
import { startBareServer, type BenchWorld } from './world.ts'

const PAGES = 500
const ROUNDS = 3
const BROADCASTS = 8
const SECOND_MS = 1_000
/** After as long without a word, everything has arrived. */
const QUIET_MS = 2_000
const AT_ONCE = 4
const MOST_TIMES = 1.5

const MOVE = `
  update truck_now set at = clock_timestamp(), latitude = latitude + 0.0001, longitude = longitude - 0.0001,
                       heading = (heading::int + 7) % 360, updated_at = clock_timestamp();
  select pg_notify('trucks_moved', '')`

/** Open pages that only note when each broadcast reaches them. */
class Audience {
  readonly #arrivals: number[][] = []
  readonly #pages: RawSocket[] = []
  newest = ''

  /** Opens the pages, a few at a time. */
  static async open(url: string, auth: object, greet: (page: RawSocket) => Promise<unknown>): Promise<Audience> {
    const audience = new Audience()
    const open = async () => {
      const page = await RawSocket.open(url, auth)
      const arrivals: number[] = []
      audience.#arrivals.push(arrivals)
      const isFirst = audience.#pages.push(page) === 1
      page.onEvent = (name, text) => {
        // Other messages, such as changed issues, are no broadcast of the fleet.
        if (name !== 'geotab-feed') return
        arrivals.push(performance.now())
        if (isFirst) audience.newest = text()
      }
      await greet(page)
    }
    for (let opened = 0; opened < PAGES; opened += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, open))
    return audience
  }

  async quiet(): Promise<void> {
    const last = () => Math.max(0, ...this.#arrivals.map((each) => each.at(-1) ?? 0))
    await sleep(SECOND_MS)
    while (performance.now() - last() < QUIET_MS) await sleep(SECOND_MS / 4)
  }

  forget(): void {
    for (const each of this.#arrivals) each.length = 0
  }

  /** How long each page waited for each broadcast after the first page had it. */
  delays(): { broadcasts: number; delays: number[] } {
    const broadcasts = this.#arrivals[0]?.length ?? 0
    if (broadcasts === 0 || this.#arrivals.some((each) => each.length !== broadcasts)) {
      throw new Error('Some pages did not hear every broadcast')
    }
    const delays = Array.from({ length: broadcasts }, (_, n) => {
      const all = this.#arrivals.map((each) => each[n] ?? NaN)
      const first = all.reduce((one, other) => Math.min(one, other))
      return all.map((at) => at - first)
    }).flat()
    return { broadcasts, delays }
  }

  close(): void {
    for (const page of this.#pages) page.close()
  }
}

const TICK_MS = 10

/** The time that the processor has worked for a process, in milliseconds. */
async function processorOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'latin1')).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

interface Measured {
  processor: number[]
  p99: number[]
}

/** The live fleet on many open pages, beside a bare broadcast of the same bytes to as many. */
export async function* measureFleetUpdates(world: BenchWorld): AsyncGenerator<BenchFigure> {
  const auth = { clientType: 'web', userUid: world.userUid, token: world.token }
  const ours = await Audience.open(world.ours, auth, (page) => page.ask('get-all-geotab-stats'))
  const moveTrucks = async () => {
    for (let n = 0; n < BROADCASTS; n++) await Promise.all([world.sql(MOVE), sleep(SECOND_MS)])
  }
  // Every message is sent once before the measurement and gives the bare server its content.
  await Promise.all([world.sql(MOVE), sleep(2 * SECOND_MS)])
  await ours.quiet()
  const bare = await openBare(ours.newest.slice('42["geotab-feed",'.length, -1))
  const found: Record<'ours' | 'bare', Measured> = {
    ours: { processor: [], p99: [] },
    bare: { processor: [], p99: [] },
  }
  for (let round = 0; round < ROUNDS; round++) {
    await measure(found.ours, ours, world.pid, moveTrucks)
    await measure(found.bare, bare.audience, bare.pid, async () => void (await fetch(`${bare.url}/${BROADCASTS}`)))
  }
  ours.close()
  bare.audience.close()
  const what = `Live fleet of ${TRUCKS.toLocaleString('en')} trucks on ${PAGES} pages every second`
  yield beside(`${what}, processor time a broadcast, beside a bare one`, found.ours.processor, found.bare.processor)
  yield beside(`${what}, first page to 99 % of them, beside a bare broadcast`, found.ours.p99, found.bare.p99)
}

const beside = (name: string, ours: number[], bare: number[]): BenchFigure => ({
  name,
  ours: `${Math.round(median(ours))} ms`,
  beside: `${Math.round(median(bare))} ms`,
  ratio: times(ratioOf(ours, bare)),
  bar: `≤ ${times(MOST_TIMES)}`,
  met: ratioOf(ours, bare) <= MOST_TIMES,
})

async function openBare(payload: string) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-feed-'))
  await writeFile(path.join(folder, 'payload.json'), payload)
  const { url, pid } = await startBareServer('bare-broadcast', { PAYLOAD: path.join(folder, 'payload.json') })
  await rm(folder, { recursive: true })
  return { url, pid, audience: await Audience.open(url, {}, async () => {}) }
}

async function measure(into: Measured, audience: Audience, pid: number, tell: () => Promise<void>): Promise<void> {
  audience.forget()
  const before = await processorOf(pid)
  await tell()
  await audience.quiet()
  const worked = (await processorOf(pid)) - before
  const { broadcasts, delays } = audience.delays()
  into.processor.push(worked / broadcasts)
  into.p99.push(p99(delays))
}
