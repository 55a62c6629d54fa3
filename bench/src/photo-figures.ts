import { setTimeout as sleep } from 'node:timers/promises'
import { aPhoto } from '@roadshow/test-kit/media'
import { contract, DATA_PART } from '@roadshow/contract'
import { addBenchProgram, type BenchProgram } from './fill-pop.ts'
import { p99 } from './load.ts'
import { waitsDuring } from './waits.ts'
import { MB, megabytes, peakDuring } from './memory.ts'
import { type BenchFigure, times } from './report.ts'
import { apiTarget, type BenchWorld } from './world.ts'

const PHOTOS = 500
/** Of 12 megapixels. */
const [WIDTH, HEIGHT] = [4000, 3000]
// The console sends three at once: four people do it at the same time.
const AT_ONCE = 12
const MOST_MEMORY = 500 * MB
const IDLE_MS = 15_000

/** Many large photos in one go: what the server holds of them, and how long everybody else waits meanwhile. */
export async function* measurePhotos(world: BenchWorld): AsyncGenerator<BenchFigure> {
  const program = await addBenchProgram(world, 'photos')
  const photo = await aPhoto(WIDTH, HEIGHT)
  const idle = await waitsDuring(world, () => sleep(IDLE_MS))
  let peak = 0
  const work = async () => (peak = await peakDuring(world.pid, () => sendAll(world, program, photo)))
  const busy = await waitsDuring(world, work)
  yield {
    name: `${PHOTOS} photos of 12 megapixels in one go, memory of our server and its decoders at its peak`,
    ours: megabytes(peak),
    beside: '',
    ratio: '',
    bar: `≤ ${megabytes(MOST_MEMORY)}`,
    met: peak <= MOST_MEMORY,
  }
  const [ours, beside] = [p99(busy), p99(idle)]
  yield {
    name: 'A list of trucks meanwhile, 99 % of the calls, beside an idle server',
    ours: `${Math.round(ours)} ms`,
    beside: `${Math.round(beside)} ms`,
    ratio: times(ours / beside),
    bar: '',
    met: undefined,
  }
}

async function sendAll(world: BenchWorld, { uid, market }: BenchProgram, photo: Buffer<ArrayBuffer>): Promise<void> {
  const { url, headers } = apiTarget(world, contract.pops.addPhotos.path)
  let sent = 0
  const sendSome = async () => {
    while (sent < PHOTOS) {
      const form = new FormData()
      form.append(DATA_PART, JSON.stringify({ programUid: uid, marketUid: market }))
      // The same photo twice would be refused: each has a few bytes of its own behind its end.
      const own = Buffer.from(`photo ${sent++}`)
      form.append('photos', new Blob([photo, own], { type: 'image/jpeg' }), `IMG_${sent}.jpg`)
      const answer = await fetch(url, { method: 'POST', headers, body: form })
      if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendSome))
}
