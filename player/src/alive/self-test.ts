import { GPS_BRIDGE_URL } from '@roadshow/contract/platform/constants'
import { sha256 } from '@noble/hashes/sha2.js'
import { openDB } from 'idb'

type Result = 'passed' | 'failed' | 'absent'

interface Check {
  name: string
  /** What was found; throws with what to do about it. */
  run: () => Promise<string>
  /** Without it the player still works, with less. */
  isOptional?: true
}

const GIGABYTE = 1024 ** 3
const WAIT_MS = 5000

function ensure(isTrue: boolean, advice: string): void {
  if (!isTrue) throw new Error(advice)
}

const within = <T>(work: Promise<T>, advice: string): Promise<T> =>
  Promise.race([work, new Promise<never>((_, reject) => setTimeout(() => reject(new Error(advice)), WAIT_MS))])

/** Draws single pixels and reads them back: a browser that smooths or changes colors is not fit for a screen. */
async function checkPixels(): Promise<string> {
  const canvas = document.createElement('canvas')
  canvas.width = 64
  canvas.height = 64
  const brush = canvas.getContext('2d', { alpha: false })
  if (!brush) throw new Error('The browser cannot draw.')
  brush.fillStyle = '#ff0000'
  brush.fillRect(0, 0, 1, 1)
  brush.fillStyle = '#0040ff'
  brush.fillRect(63, 63, 1, 1)
  const read = (x: number, y: number) => brush.getImageData(x, y, 1, 1).data.join(' ')
  ensure(read(0, 0) === '255 0 0 255' && read(63, 63) === '0 64 255 255', 'The browser changes colors.')
  ensure(read(1, 1) === '0 0 0 255', 'The browser draws beyond the edge of a pixel.')
  return `Exact, at ${devicePixelRatio} pixels for each pixel of the window`
}

async function checkDatabase(): Promise<string> {
  const db = await openDB('roadshow-self-test', 1, { upgrade: (made) => void made.createObjectStore('rows') })
  const startedAt = performance.now()
  const change = db.transaction('rows', 'readwrite', { durability: 'strict' })
  await Promise.all([change.store.put('written', 'row'), change.done])
  const took = Math.round(performance.now() - startedAt)
  ensure((await db.get('rows', 'row')) === 'written', 'The browser does not keep plays.')
  db.close()
  indexedDB.deleteDatabase('roadshow-self-test')
  return `Written to disk in ${took} ms`
}

async function checkFiles(): Promise<string> {
  const root = await navigator.storage.getDirectory()
  const handle = await root.getFileHandle('self-test', { create: true })
  const content = crypto.getRandomValues(new Uint8Array(65_536))
  const writing = await handle.createWritable()
  await writing.write(content)
  await writing.close()
  const read = new Uint8Array(await (await handle.getFile()).arrayBuffer())
  await root.removeEntry('self-test')
  ensure(sha256(read).join() === sha256(content).join(), 'A file came back with other bytes.')
  return 'Written, read and compared by SHA-256'
}

async function checkSpace(): Promise<string> {
  const { quota = 0, usage = 0 } = await navigator.storage.estimate()
  const free = (quota - usage) / GIGABYTE
  ensure(free >= 2, `Only ${free.toFixed(1)} GB are free. Artwork needs about 2 GB.`)
  return `${free.toFixed(1)} GB free`
}

async function checkVideo(): Promise<string> {
  const types = { 'H.264': 'video/mp4; codecs="avc1.640028"', VP9: 'video/webm; codecs="vp9"' }
  const probe = document.createElement('video')
  const missing = Object.entries(types).filter(([, type]) => probe.canPlayType(type) !== 'probably')
  ensure(missing.length === 0, `The browser cannot play ${missing.map(([name]) => name).join(' and ')}.`)
  return Object.keys(types).join(' and ')
}

async function checkServer(): Promise<string> {
  const askedAt = Date.now()
  const answer = await within(fetch('/readyz', { cache: 'no-store' }), 'The server does not answer.')
  ensure(answer.ok, `The server answered ${answer.status}.`)
  const serverTime = Date.parse(answer.headers.get('date') ?? '')
  const seconds = Math.round(((askedAt + Date.now()) / 2 - serverTime) / 1000)
  return Number.isNaN(seconds) ? 'Reached' : `Reached; clock differs by ${Math.abs(seconds)} s`
}

async function checkBridge(): Promise<string> {
  const socket = new WebSocket(GPS_BRIDGE_URL)
  try {
    await within(
      new Promise((resolve, reject) => {
        socket.addEventListener('open', resolve)
        socket.addEventListener('error', () => reject(new Error('Not running on this machine.')))
      }),
      'Not running on this machine.',
    )
    return 'Connected'
  } finally {
    socket.close()
  }
}

const checks: readonly Check[] = [
  {
    name: 'Secure address',
    run: async () => {
      ensure(isSecureContext, 'Open the player by https.')
      return location.origin
    },
  },
  { name: 'Pixels', run: checkPixels },
  { name: 'Plays on disk', run: checkDatabase },
  { name: 'Files on disk', run: checkFiles },
  { name: 'Space', run: checkSpace },
  { name: 'Video', run: checkVideo },
  { name: 'Server', run: checkServer },
  {
    name: 'Start without network',
    isOptional: true,
    run: async () => {
      const worker = await within(navigator.serviceWorker.ready, 'Open the player once with network.')
      return worker.active ? 'Ready' : 'Installing'
    },
  },
  {
    name: 'Storage is kept',
    isOptional: true,
    run: async () => {
      ensure(await navigator.storage.persist(), 'The browser may clear files when the disk runs full.')
      return 'Persistent'
    },
  },
  {
    name: 'Display stays on',
    isOptional: true,
    run: async () => {
      await (await navigator.wakeLock.request('screen')).release()
      return 'Wake lock given'
    },
  },
  { name: 'GPS bridge', isOptional: true, run: checkBridge },
]

const resultLabel: Record<Result, string> = { passed: 'Passed', failed: 'Failed', absent: 'Not available' }

async function outcome({ run, isOptional }: Check): Promise<{ result: Result; text: string }> {
  try {
    return { result: 'passed', text: await run() }
  } catch (error) {
    return { result: isOptional ? 'absent' : 'failed', text: error instanceof Error ? error.message : String(error) }
  }
}

/** Tells whether this browser is fit to be a truck's screen. */
export async function showSelfTest(): Promise<void> {
  const main = document.createElement('main')
  main.className = 'self-test'
  const heading = document.createElement('h1')
  heading.textContent = 'Player self-test'
  const table = document.createElement('table')
  main.append(heading, table)
  document.body.append(main)
  for (const check of checks) {
    const { result, text } = await outcome(check)
    const row = table.insertRow()
    const name = document.createElement('th')
    name.scope = 'row'
    name.textContent = check.name
    row.append(name)
    const cell = row.insertCell()
    cell.dataset['result'] = result
    cell.textContent = resultLabel[result]
    row.insertCell().textContent = text
  }
  main.dataset['done'] = ''
}
