import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { fillData } from './release/fill.mjs'
import { readFacts } from './release/facts.mjs'
import { main, root, run, StartError } from './run.mjs'
import { ensureBuilt, ensureInstalled, ensureNode } from './setup.mjs'

/**
 * Keeps a small database of this version for the tests of every later one: api/test/releases/NAME.tar.gz, with a backup and
 * what the version says of its data. The version itself makes all of it: the demo, some work through its API, its backup.
 * --entry names the compiled entry of an older version in another folder.
 */
const { values } = parseArgs({ options: { name: { type: 'string' }, entry: { type: 'string' } } })
const entry = path.resolve(values.entry ?? path.join(root, 'api/dist/bundled/main.js'))

/** How much of the demo is kept: one of so many hours of plays, one of so many rows, and files up to so many bytes, those of pages first. */
const KEPT_HOURS = 60
const KEPT_ROWS = { position: 30, known_play: 100, odometer_reading: 30, shift_approach: 10, history: 5 }
const KEPT_FILE_BYTES = 120_000
/** The past is recorded once its facts are the same again after this long. */
const STILL_MS = 20_000

const folder = mkdtempSync(path.join(tmpdir(), 'roadshow-release-data-'))
const dataDir = path.join(folder, 'data')
const release = path.join(folder, 'release')
const env = {
  ...process.env,
  DATA_DIR: dataDir,
  SIMULATOR: 'off',
  DEMO_PAST: 'short',
  RATE_LIMIT: '0',
  NODE_ENV: 'development',
}

await main(async () => {
  ensureNode()
  await ensureInstalled({ tools: true })
  if (!values.entry) await ensureBuilt(['server'])
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const file = path.join(root, `api/test/releases/${values.name ?? version}.tar.gz`)
  mkdirSync(release, { recursive: true })
  const port = await freePort()
  const node = spawn(process.execPath, [entry], { env: { ...env, PORT: String(port) }, stdio: 'inherit' })
  const ended = new Promise((resolve) => node.once('exit', resolve))
  const stop = async () => {
    node.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true })
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop().then(() => process.exit(1)))
  try {
    await makeRelease(`http://127.0.0.1:${port}`)
    const ofNobody = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner']
    const { ok, output } = await run('tar', [...ofNobody, '-C', release, '-czf', file, '.'], { quiet: true })
    if (!ok) throw new StartError(output)
  } finally {
    await stop()
  }
  console.log(`${file}: ${Math.ceil(statSync(file).size / 1000)} kB`)
})

/** Works on a running node, and puts its backup and what it says of its data into the folder of the release. */
async function makeRelease(/** @type {string} */ url) {
  const send = sendTo(url)
  await untilReady(`${url}/readyz`)
  const about = await fillData(send, path.join(dataDir, 'mail'))
  const { pages } = await untilStill(() => readFacts(send, about))
  await prune(pages.flatMap(({ pictures = [] }) => pictures).map((picture) => picture.split(' ')[0] ?? ''))
  const facts = await readFacts(send, about)
  cpSync(folderBeside('migrations'), path.join(release, 'migrations'), { recursive: true })
  await command('backup', ['--to', path.join(release, 'backup')])
  writeFileSync(path.join(release, 'facts.json'), `${JSON.stringify({ about, facts }, null, 1)}\n`)
}

/** @param {string} url @returns {import('./release/facts.mjs').Send} */
function sendTo(url) {
  return async (method, path, { token, body } = {}) => {
    const answer = await fetch(`${url}/api/v1/${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const isJson = answer.headers.get('content-type')?.includes('json')
    return {
      status: answer.status,
      body: isJson ? JSON.parse(bytes.toString()) : undefined,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    }
  }
}

/** A folder of the version's API, above its entry. */
function folderBeside(/** @type {string} */ name) {
  for (let from = path.dirname(entry); from !== path.dirname(from); from = path.dirname(from))
    if (existsSync(path.join(from, name))) return path.join(from, name)
  throw new StartError(`There is no folder ${name} above ${entry}.`)
}

async function untilReady(/** @type {string} */ url) {
  for (;;) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    await sleep(500)
  }
}

/** @template T @param {() => Promise<T>} look @returns {Promise<T>} */
async function untilStill(look) {
  for (let before = await look(); ;) {
    await sleep(STILL_MS)
    const now = await look()
    if (isDeepStrictEqual(before, now)) return now
    before = now
  }
}

/** Runs a command of the version beside its entry. @param {string} name @param {string[]} args */
async function command(name, args) {
  const beside = [`${name}.js`, `cli/${name}.js`].map((file) => path.join(path.dirname(entry), file))
  const program = beside.find((file) => existsSync(file)) ?? ''
  const { ok, output } = await run(process.execPath, [program, ...args], {
    env,
    quiet: true,
  })
  if (!ok) throw new StartError(output)
}

/** Makes the data small: most hours of plays go with what counts them, and most files and rows of what there is most of. @param {string[]} pictures of published pages */
async function prune(pictures) {
  const database = path.join(dataDir, 'postgres')
  const password = readFileSync(path.join(database, 'password'), 'utf8').trim()
  const port = readFileSync(path.join(database, 'cluster/postmaster.pid'), 'utf8').split('\n')[3]
  const { Client } = createRequire(path.join(root, 'api/package.json'))('pg')
  const client = new Client({ connectionString: `postgres://roadshow:${password}@127.0.0.1:${port}/roadshow` })
  await client.connect()
  await client.query('set session_replication_role = replica')
  const isGone = (/** @type {string} */ hour) => `mod(extract(epoch from ${hour})::bigint / 3600, ${KEPT_HOURS}) <> 20`
  await client.query(`delete from play where ${isGone("date_trunc('hour', started_at)")}`)
  for (const table of ['play_hour', 'play_address_hour'])
    await client.query(`delete from ${table} where ${isGone('hour')}`)
  for (const [table, share] of Object.entries(KEPT_ROWS)) {
    const { rows } = await client.query('select to_regclass($1) as name', [table])
    if (rows[0].name) await client.query(`delete from ${table} t where mod(abs(hashtext(t::text)), ${share}) <> 0`)
  }
  await client.end()
  const blobs = path.join(dataDir, 'blobs')
  const files = readdirSync(blobs, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ file, size: statSync(file).size, isShown: pictures.some((key) => file.includes(key)) }))
    .toSorted((one, other) => Number(other.isShown) - Number(one.isShown) || one.size - other.size)
  let bytes = 0
  for (const { file, size } of files) if ((bytes += size) > KEPT_FILE_BYTES) rmSync(file)
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
