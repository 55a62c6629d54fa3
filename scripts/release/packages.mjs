import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { npm, root, run, StartError } from '../run.mjs'

/**
 * A package as the lock file knows it.
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {string} [resolved] the workspace that a link leads to
 * @property {boolean} [link]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 */

/** @returns {Record<string, LockedPackage>} by folder */
const readLock = () => JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages

/** The folder that Node finds a package in, looking up from the folder that imports it. */
function folderOf(
  /** @type {Record<string, LockedPackage>} */ lock,
  /** @type {string} */ from,
  /** @type {string} */ name,
) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const found = path.posix.join(folder, 'node_modules', name)
    if (Object.hasOwn(lock, found)) return found
    if (folder === '') return undefined
  }
}

/** @param {LockedPackage} locked @param {string} arch */
const runsOn = ({ os, cpu, libc }, arch) =>
  (os?.includes('linux') ?? true) && (cpu?.includes(arch) ?? true) && (libc?.includes('glibc') ?? true)

/**
 * The packages that a workspace needs while it runs on Linux. Workspaces are in the bundle.
 * @param {string} workspace
 * @param {string} arch
 */
export function runtimePackages(workspace, arch) {
  const lock = readLock()
  /** @type {Map<string, LockedPackage>} */
  const found = new Map()
  const add = (/** @type {string} */ folder) => {
    const locked = lock[folder] ?? {}
    if (found.has(folder) || !runsOn(locked, arch)) return
    found.set(folder, locked)
    if (locked.link) return add(locked.resolved ?? '')
    for (const name of Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })) {
      // Types are for compilers, whichever package names them.
      const at = name.startsWith('@types/') ? undefined : folderOf(lock, folder, name)
      if (at) add(at)
    }
  }
  add(workspace)
  return [...found]
    .map(([folder, locked]) => ({ folder, ...locked }))
    .filter(({ folder, link }) => folder.includes('node_modules/') && !link)
}

// What only compilers, debuggers and readers of sources use.
const isUnused = (/** @type {string} */ file) => /[.]d[.][cm]?ts$|[.]map$|[.]tsbuildinfo$/.test(file)

/** Copies a folder without what no running program reads, and without the packages within it. */
export function copyFolder(/** @type {string} */ from, /** @type {string} */ to) {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory() && entry.name !== 'node_modules') copyFolder(source, target)
    if (entry.isFile() && !isUnused(entry.name)) copyFileSync(source, target)
  }
}

/**
 * Copies a package into a release: the installed one or, if it is of another machine, the registry's.
 * @param {{ folder: string, version?: string, integrity?: string }} locked
 * @param {string} release
 */
export async function copyPackage({ folder, version = '', integrity }, release) {
  const installed = path.join(root, folder)
  if (existsSync(installed)) return copyFolder(installed, path.join(release, folder))
  const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
  await fetchPackage(`${name}@${version}`, path.join(release, folder), integrity)
}

/**
 * Fetches a package from the registry and unpacks it.
 * @param {string} wanted its name and version
 * @param {string} to
 * @param {string} [integrity] what the lock file says of it
 */
export async function fetchPackage(wanted, to, integrity) {
  const folder = mkdtempSync(path.join(tmpdir(), 'roadshow-package-'))
  try {
    const packed = await npm(['pack', wanted, '--json', '--loglevel=error', '--pack-destination', folder], {
      quiet: true,
    })
    const start = packed.output.indexOf('[')
    if (!packed.ok || start < 0) throw new StartError(`The package ${wanted} cannot be fetched:\n${packed.output}`)
    const [{ filename }] = JSON.parse(packed.output.slice(start))
    const file = path.join(folder, filename)
    const sum = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
    if (integrity && sum !== integrity) throw new StartError(`The package ${wanted} is not the one that was locked.`)
    mkdirSync(to, { recursive: true })
    const { ok, output } = await run('tar', ['-xzf', file, '-C', to, '--strip-components=1'], { quiet: true })
    if (!ok) throw new StartError(`The package ${wanted} cannot be unpacked:\n${output}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
