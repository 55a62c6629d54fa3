import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { main, npm, root, StartError } from './run.mjs'

/**
 * Writes package-lock.json after a change of package.json, or with --check says whether it is whole. npm leaves out
 * optional packages that its registry does not carry, such as binaries for other machines, and `npm ci` refuses a lock
 * file without them. They are added by their names: no machine that made the file installs them.
 */
const file = path.join(root, 'package-lock.json')

await main(async () => {
  const isCheck = process.argv[2] === '--check'
  if (!isCheck) await lockAgain()
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  const missing = missingPackages(lock.packages)
  const names = missing.map(([folder]) => folder.replace('node_modules/', ''))
  if (isCheck && names.length > 0)
    throw new StartError(`package-lock.json lacks ${names.join(', ')}: run node scripts/lock.mjs.`)
  if (isCheck) return console.log('package-lock.json has every optional package.')
  const all = [...Object.entries(lock.packages), ...missing].toSorted(([a], [b]) => a.localeCompare(b, 'en'))
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(all) }, null, 2)}\n`)
})

/** Beside the project: in it, npm would also change its record of what is installed. */
async function lockAgain() {
  const folder = mkdtempSync(path.join(tmpdir(), 'roadshow-lock-'))
  try {
    const { workspaces } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
    const manifests = workspaces.map((/** @type {string} */ workspace) => `${workspace}/package.json`)
    for (const name of ['package.json', 'package-lock.json', '.npmrc', ...manifests])
      cpSync(path.join(root, name), path.join(folder, name))
    const options = ['--package-lock-only', '--ignore-scripts', '--loglevel=error']
    const { ok, output } = await npm(['install', ...options], { cwd: folder, quiet: true })
    if (!ok) throw new StartError(output.trimEnd())
    cpSync(path.join(folder, 'package-lock.json'), file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @param {Record<string, any>} packages by folder @returns {[string, object][]} */
function missingPackages(packages) {
  return Object.entries(packages).flatMap(([folder, { optionalDependencies = {}, dev }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !isLocked(packages, folder, name))
      .map(([name, version]) => [`node_modules/${name}`, { version, ...aboutMachine(name, dev) }]),
  )
}

/** Whether Node finds the package, looking up from the folder. */
function isLocked(/** @type {object} */ packages, /** @type {string} */ from, /** @type {string} */ name) {
  for (let folder = from; folder !== ''; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/'))))
    if (Object.hasOwn(packages, `${folder}/node_modules/${name}`)) return true
  return Object.hasOwn(packages, `node_modules/${name}`)
}

/** Names the machine that a package of binaries is for, which its name ends with: -linux-arm64-musl. */
function aboutMachine(/** @type {string} */ name, /** @type {boolean | undefined} */ dev) {
  const machine = /(android|darwin|freebsd|linux|openharmony|win32)-([a-z]+\d*[a-z]?)(?:-(\w+))?$/.exec(name)
  if (!machine) throw new StartError(`For which machine is the package ${name}?`)
  const [, os, cpu, abi = ''] = machine
  const libc = abi.startsWith('musl') ? 'musl' : os === 'linux' && abi.startsWith('gnu') ? 'glibc' : undefined
  return { cpu: [cpu], ...(dev && { dev }), ...(libc && { libc: [libc] }), optional: true, os: [os] }
}
