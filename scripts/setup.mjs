import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
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

/**
 * Installs the packages of package-lock.json, unless that is what is installed: those that a start builds and runs with
 * (`dependencies`), and with `tools` also those of tests, checks and the bench (`devDependencies`).
 * @param {{ tools?: boolean }} [options]
 */
export async function ensureInstalled({ tools = false } = {}) {
  const found = packagesIn('node_modules/.package-lock.json')
  if (isInstalled(found, tools)) return
  // Tools that are here stay here.
  const withTools = tools || Object.values(found).some(({ dev }) => dev)
  const { ok, output } = await narrated(withTools ? 'Installing packages and tools' : 'Installing packages', () =>
    // No install scripts: none is needed, and npm versions differ in which they run.
    npm(['ci', withTools ? '--include=dev' : '--omit=dev', '--ignore-scripts', '--no-audit', '--loglevel=error'], {
      quiet: true,
      env: { ...process.env, ...npmCache() },
    }),
  )
  if (!ok) throw new StartError(`npm could not install the packages:\n${output.trimEnd()}`)
  if (!withTools) dropSourceMaps(at('node_modules'))
}

/**
 * @typedef {{ version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean, os?: string[], cpu?: string[] }} Locked
 * @param {string} file a lock file, or npm's record of what it installed, which it writes last
 * @returns {Record<string, Locked>} by folder
 */
function packagesIn(file) {
  if (!existsSync(at(file))) return {}
  const { packages } = JSON.parse(readFileSync(at(file), 'utf8'))
  return Object.fromEntries(Object.entries(packages).filter(([folder]) => folder.includes('node_modules/')))
}

/** Whether everything wanted is there, and nothing of another machine. @param {Record<string, Locked>} found @param {boolean} tools */
function isInstalled(found, tools) {
  const isWanted = ({ dev, optional, devOptional }) => !optional && !devOptional && (tools || !dev)
  const runsHere = ({ os, cpu }) => (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true)
  const wanted = Object.entries(packagesIn('package-lock.json')).filter(([, locked]) => isWanted(locked))
  return (
    wanted.every(([folder, { version }]) => folder in found && found[folder]?.version === version) &&
    Object.values(found).every(runsHere)
  )
}

/** They are a seventh of what packages take on a disk, and only people who debug packages read them. @param {string} folder */
function dropSourceMaps(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name)
    if (entry.isDirectory()) dropSourceMaps(name)
    else if (entry.name.endsWith('.map')) rmSync(name)
  }
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

/**
 * What a start builds: from which sources, into which file among others, and how.
 * @type {Record<string, { sources: string[], result: string, build: () => ReturnType<typeof run> }>}
 */
const PARTS = {
  server: {
    sources: ['contract', 'player/src/core', 'simulator', 'api', 'scripts/bundle.mjs', 'tsconfig.base.json'],
    result: 'api/dist/bundled/main.js',
    // In a process of its own: the bundler's memory is not the server's.
    build: () => run(process.execPath, ['scripts/bundle.mjs'], { quiet: true }),
  },
  web: {
    sources: ['contract', 'web'],
    result: 'web/dist/index.html',
    build: () => buildPages('web'),
  },
  player: {
    // It is built as the console is, in its colors.
    sources: ['contract', 'player', 'web/src/brand', ...viteFiles()],
    result: 'player/dist/index.html',
    build: () => buildPages('player'),
  },
}

/** How pages are built. */
function viteFiles() {
  const names = readdirSync(at('web')).filter((name) => name.startsWith('vite') && !name.startsWith('vitest'))
  return names.map((name) => `web/${name}`)
}

/** Always as for production: with another NODE_ENV of the caller, pages would hold React's tools and paths of this machine. */
const buildPages = (/** @type {string} */ workspace) =>
  npm(['run', 'build', '--workspace', workspace], { quiet: true, env: { ...process.env, NODE_ENV: 'production' } })

/**
 * Builds the parts whose sources changed since they were built, from the sources and without checking types.
 * @param {string[]} [names]
 * @param {{ anew?: boolean }} [options]
 */
export async function ensureBuilt(names = Object.keys(PARTS), { anew = false } = {}) {
  const stamp = at('node_modules/.roadshow-parts')
  const built = JSON.parse(readStamp(stamp) ?? '{}')
  const stale = names.flatMap((name) => {
    const { sources, result, build } = PARTS[name] ?? unknownPart(name)
    const wanted = hash(filesOf(['package-lock.json', ...sources]).flatMap((file) => [file, readFileSync(at(file))]))
    return !anew && built[name] === wanted && existsSync(at(result)) ? [] : [{ name, wanted, build }]
  })
  if (stale.length === 0) return
  await narrated(`Building ${stale.map(({ name }) => name).join(', ')}`, async () => {
    const results = await Promise.all(stale.map(({ build }) => build()))
    for (const { ok, output } of results) if (!ok) throw new StartError(`The build failed:\n${output.trimEnd()}`)
  })
  const fresh = Object.fromEntries(stale.map(({ name, wanted }) => [name, wanted]))
  writeStamp(stamp, JSON.stringify({ ...built, ...fresh }))
}

/** @param {string} name @returns {never} */
function unknownPart(name) {
  throw new Error(`No part is called ${name}.`)
}

/** The files of these folders that are built, in their order. @param {string[]} names files and folders */
function filesOf(names) {
  const skip = new Set(['node_modules', '.cache', 'dist', 'dist-types', 'dist-core', 'test'])
  const isTest = /[.]test[.]tsx?$|\/test-[^/]+$|[.]tsbuildinfo$/
  /** @type {string[]} */
  const files = []
  const collect = (/** @type {string} */ name) => {
    if (statSync(at(name)).isFile()) return isTest.test(name) || files.push(name)
    for (const entry of readdirSync(at(name))) if (!skip.has(entry)) collect(`${name}/${entry}`)
  }
  for (const name of names) collect(name)
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
