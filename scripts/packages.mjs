import { existsSync } from 'node:fs'
import path from 'node:path'
import { StartError, run } from './run.mjs'

/** Programs that tests start, and their Debian packages. */
const packages = { haproxy: 'haproxy', 'redis-server': 'redis-server', openssl: 'openssl', python3: 'python3' }

/** Packages that tests use where they are, and are skipped without. */
const optional = {
  '/usr/lib/python3/dist-packages/openpyxl': 'python3-openpyxl',
  '/usr/sbin/pgbouncer': 'pgbouncer',
  '/usr/bin/promtool': 'prometheus',
  '/usr/lib/postgresql': 'postgresql',
  '/usr/bin/pgbackrest': 'pgbackrest',
  '/usr/bin/systemd-nspawn': 'systemd-container',
}

// Folders of servers, which some users do not have on the PATH.
const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin']

const isThere = (/** @type {string} */ program) => folders.some((folder) => existsSync(path.join(folder, program)))

/** Whether packages can be installed here without a password. */
export const hasApt = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

/** Installs Debian packages; the caller checks the result. @param {string[]} names */
export async function installWithApt(names) {
  console.log(`Installing ${names.join(', ')} with apt …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update'], { quiet: true, env })
  await run('apt-get', ['install', '-y', '--no-install-recommends', ...names], { quiet: true, env })
}

/** Ensures that the servers that tests start are installed. */
export async function ensurePackages() {
  const missing = () => Object.entries(packages).filter(([program]) => !isThere(program))
  const names = missing().map(([, name]) => name)
  if (names.length > 0 && hasApt()) await installWithApt(names)
  await installOptional()
  for (const [program, name] of missing()) {
    throw new StartError(`The tests need ${program}. Please install the package "${name}".`)
  }
}

/** Tests that need a package that cannot be installed are shown as skipped. */
async function installOptional() {
  const names = Object.entries(optional).flatMap(([folder, name]) => (existsSync(folder) ? [] : [name]))
  if (names.length === 0 || !hasApt()) return
  await installWithApt(names).catch(() => console.log(`Without ${names.join(', ')} some tests are skipped.`))
}
