import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { StartError, bin, npm, root, run, say } from './run.mjs'

const at = (/** @type {string[]} */ ...parts) => path.join(root, ...parts)

export function ensureNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  throw new StartError(`Roadshow needs Node 20.19 or later; this is Node ${process.versions.node}.`)
}

/** Compiles a workspace and what it uses. @param {string} workspace */
export async function compile(workspace) {
  const { ok, output } = await run(bin('tsc'), ['-b', workspace], { quiet: true })
  if (!ok) throw new StartError(`The build failed:\n${output.trimEnd()}`)
}

/** Installs the packages of package-lock.json, unless that is what is installed. */
export async function ensureInstalled() {
  const stamp = at('node_modules/.roadshow-install')
  const wanted = hash([readFileSync(at('package-lock.json')), process.platform, process.arch])
  if (readStamp(stamp) === wanted) return
  if (!existsSync(stamp) && installedByHand()) return writeStamp(stamp, wanted)

  const { ok, output } = await narrated('Installing packages', () =>
    // Not ci, which refuses a lock file without the optional packages of platforms that a registry does not carry;
    // --no-save leaves the lock file as it is. No install scripts: none is needed, and npm versions differ in which
    // they run. Development packages are wanted in production too, since they build the app.
    npm(['install', '--no-save', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
      quiet: true,
      env: { ...process.env, ...npmCache() },
    }),
  )
  if (!ok) throw new StartError(`npm could not install the packages:\n${output.trimEnd()}`)
  writeStamp(stamp, wanted)
}

/** npm writes this file last, so it is there and new only after a whole install. */
function installedByHand() {
  const record = at('node_modules/.package-lock.json')
  return existsSync(record) && statSync(record).mtimeMs >= statSync(at('package-lock.json')).mtimeMs
}

/** npm keeps its cache in the home folder; some service accounts have none that they can write. */
function npmCache() {
  try {
    accessSync(process.env.HOME || homedir() || '/nonexistent', constants.W_OK)
    return {}
  } catch {
    return { npm_config_cache: at('.cache/npm') }
  }
}

/** Builds contract, simulator, API, web and player, unless their builds are current. */
export async function ensureBuilt() {
  const stamp = at('node_modules/.roadshow-build')
  const wanted = hash(sources().flatMap((file) => [file, readFileSync(at(file))]))
  const results = [
    'contract/dist/index.js',
    'simulator/dist/index.js',
    'api/dist/bundled/main.js',
    'web/dist/index.html',
    'player/dist/index.html',
  ]
  const complete = results.every((file) => existsSync(at(file)))
  if (complete && readStamp(stamp) === wanted) return

  const { ok, output } = await narrated('Building', async () => {
    // Without force, the compiler trusts its records even when the results were removed.
    const compiled = await run(bin('tsc'), ['-b', 'contract', 'simulator', 'api', ...(complete ? [] : ['--force'])], {
      quiet: true,
    })
    if (!compiled.ok) return compiled
    // The bundler is one of the packages that were just installed.
    const { bundleServer } = await import('./bundle.mjs')
    await bundleServer()
    return buildPages({ quiet: true })
  })
  if (!ok) throw new StartError(`The build failed:\n${output.trimEnd()}`)
  writeStamp(stamp, wanted)
}

/** Always as for production: with another NODE_ENV of the caller, pages would hold React's tools and paths of this machine. */
export const buildPages = (/** @type {Parameters<typeof npm>[1]} */ options = {}) =>
  npm(['run', 'build', '--workspace', 'web', '--workspace', 'player'], {
    ...options,
    env: { ...process.env, NODE_ENV: 'production' },
  })

function sources() {
  const skip = new Set(['node_modules', '.cache', 'dist', 'dist-types', 'dist-core', 'test'])
  const isTest = /[.]test[.]tsx?$|\/test-[^/]+$|[.]tsbuildinfo$/
  const files = ['package-lock.json', 'scripts/bundle.mjs', 'tsconfig.base.json']
  const collect = (/** @type {string} */ folder) => {
    for (const entry of readdirSync(at(folder), { withFileTypes: true })) {
      const name = `${folder}/${entry.name}`
      if (entry.isDirectory() && !skip.has(entry.name)) collect(name)
      if (entry.isFile() && !isTest.test(name)) files.push(name)
    }
  }
  for (const workspace of ['contract', 'player', 'simulator', 'api', 'web']) collect(workspace)
  return files.toSorted()
}

const hash = (/** @type {(string | Buffer)[]} */ parts) => {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part).update('\0')
  return sum.digest('hex')
}

const readStamp = (/** @type {string} */ file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)

function writeStamp(/** @type {string} */ file, /** @type {string} */ text) {
  try {
    writeFileSync(file, text)
  } catch {
    // A tree that may only be read is set up already; at worst the work is done again.
  }
}

/**
 * Says what is going on, and that it still is.
 * @template T
 * @param {string} what
 * @param {() => Promise<T>} work
 */
async function narrated(what, work) {
  const start = Date.now()
  const seconds = () => `${Math.round((Date.now() - start) / 1000)} s`
  say(`${what} …`)
  const patience = setInterval(() => say(`${what} … ${seconds()}`), 15_000)
  try {
    return await work()
  } finally {
    clearInterval(patience)
    say(`${what}: ${seconds()}`)
  }
}
