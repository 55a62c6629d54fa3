import { spawn, spawnSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { hasApt, installWithApt } from './packages.mjs'
import { main, root, StartError } from './run.mjs'
import { ensureBuilt, ensureInstalled, ensureNode } from './setup.mjs'

/**
 * Rehearses docs/recovery.md on a PostgreSQL of its own, with the documented files of deploy/pitr: a base backup, rows, a
 * deletion, a restore to a second before it; then the loss of the whole disk. It prints what each takes and what is lost.
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean' }, rows: { type: 'string' } } })
const rows = Number(values.rows ?? (values.quick ? 20_000 : 2_000_000))
const archiveSeconds = values.quick ? 2 : 60

const POSTGRES = '/usr/lib/postgresql'
const PGBACKREST = '/usr/bin/pgbackrest'
const STARTING_MS = 500
const folder = mkdtempSync(path.join(tmpdir(), 'roadshow-pitr-'))
const at = (/** @type {string[]} */ ...parts) => path.join(folder, ...parts)
const cluster = at('cluster')
let port = 0
/** The account postgres, which the package of the server creates. */
let account = { uid: 0, gid: 0 }

async function ensurePrograms() {
  if (process.getuid?.() !== 0)
    throw new StartError('Run this as root: PostgreSQL and pgBackRest run as the account postgres.')
  const missing = [
    [POSTGRES, 'postgresql'],
    [PGBACKREST, 'pgbackrest'],
  ].filter(([file = '']) => !existsSync(file))
  const names = missing.map(([, name = '']) => name)
  if (names.length > 0 && hasApt()) await installWithApt(names)
  for (const [file = '', name] of missing)
    if (!existsSync(file)) throw new StartError(`Please install the package "${name}".`)
}

/** The newest server that is installed. */
const program = (/** @type {string} */ name) => {
  const newest =
    readdirSync(POSTGRES)
      .toSorted((a, b) => Number(a) - Number(b))
      .at(-1) ?? ''
  return path.join(POSTGRES, newest, 'bin', name)
}

/** The programs that run at the moment. @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()

/** Runs a program to its end and returns its output. @param {string} name @param {string[]} args @param {import('node:child_process').SpawnOptions} options */
function execute(name, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(name, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    let [said, complained] = ['', '']
    child.stdout?.on('data', (text) => (said += text))
    child.stderr?.on('data', (text) => (complained += text))
    child.on('error', reject)
    child.on('close', (code) => {
      running.delete(child)
      if (code === 0) resolve(said.trim())
      else reject(new StartError(`${path.basename(name)} ${args.join(' ')} failed:\n${said}${complained}`))
    })
  })
}

/** Runs a program as the account postgres. @param {string} name @param {string[]} args @returns {Promise<string>} */
const asPostgres = (name, ...args) => execute(name, args, { ...account, cwd: folder })

const sql = (/** @type {string} */ statement) =>
  asPostgres(
    program('psql'),
    '-XAtq',
    '-v',
    'ON_ERROR_STOP=1',
    '-h',
    folder,
    '-p',
    String(port),
    '-d',
    'roadshow',
    '-c',
    statement,
  )
const backrest = (/** @type {string[]} */ ...args) =>
  asPostgres(PGBACKREST, `--config=${at('pgbackrest.conf')}`, '--stanza=roadshow', ...args)

/** @param {'fast' | 'immediate'} mode */
async function stop(mode) {
  if (!existsSync(path.join(cluster, 'postmaster.pid'))) return
  await asPostgres(program('pg_ctl'), 'stop', '-D', cluster, '-m', mode, '-w')
}

async function start() {
  // Its output must not keep this process waiting.
  await asPostgres(program('pg_ctl'), 'start', '-D', cluster, '-l', at('log'), '-w', '-t', '600')
}

/** A cluster, a repository and a stanza, by the documented files with other places. */
async function prepare() {
  const { uid, gid } = account
  chownSync(folder, uid, gid)
  for (const name of ['repository', 'logs', 'spool']) {
    mkdirSync(at(name))
    chownSync(at(name), uid, gid)
  }
  const documented = readFileSync(path.join(root, 'deploy/pitr/pgbackrest.conf'), 'utf8')
  const used = documented
    .replace(
      /^repo1-path=.*/m,
      `repo1-path=${at('repository')}\nlog-path=${at('logs')}\nspool-path=${at('spool')}\nlock-path=${at('spool')}`,
    )
    .replace(/^pg1-path=.*/m, `pg1-path=${cluster}`)
    .replace(/^pg1-port=.*/m, `pg1-port=${port}`)
    .replace(/^pg1-socket-path=.*/m, `pg1-socket-path=${folder}`)
    .replace('log-level-console=info', 'log-level-console=warn')
  writeFileSync(at('pgbackrest.conf'), used, { mode: 0o644 })
  await asPostgres(program('initdb'), '-D', cluster, '-A', 'trust', '--locale=C.UTF-8', '--data-checksums')
  const archive = readFileSync(path.join(root, 'deploy/pitr/postgresql.conf'), 'utf8')
    .replace('pgbackrest --stanza', `pgbackrest --config=${at('pgbackrest.conf')} --stanza`)
    .replace('archive_timeout = 60', `archive_timeout = ${archiveSeconds}`)
  const own = `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${folder}'\n`
  writeFileSync(path.join(cluster, 'postgresql.auto.conf'), `${own}${archive}`)
  await start()
  await asPostgres(program('createdb'), '-h', folder, '-p', String(port), 'roadshow')
  await backrest('stanza-create')
  await backrest('check')
}

async function rehearse() {
  await migrateAndFill()
  const size = Number(await sql('select pg_database_size(current_database())')) / 1e6
  const backup = await timed(() => backrest('backup', '--type=full'))
  say(`Base backup of ${size.toFixed(0)} MB, ${rows.toLocaleString('en-US')} positions: ${backup}.`)
  await undoDeletion()
  await loseDisk()
}

async function migrateAndFill() {
  const env = { ...process.env, DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/roadshow`, DATA_DIR: at('data') }
  await execute(process.execPath, ['api/dist/bundled/migrate.js'], { cwd: root, env })
  await sql(`insert into truck (number, kind, state) select 'T-' || n, 'led', 'active' from generate_series(1, 20) n`)
  await sql(`call ensure_week('position', current_date)`)
  await sql(`insert into position (truck_uid, at, latitude, longitude)
       select uid, date_trunc('week', now(), 'UTC') + n * interval '0.1 second', 32.7, -96.8
         from truck, generate_series(1, ${Math.ceil(rows / 20)}) n`)
  await sql('create table rehearsal (at timestamptz not null default clock_timestamp())')
}

/** Trucks are deleted by mistake, and work goes on: the database as it was a second before the deletion. */
async function undoDeletion() {
  await sql('insert into rehearsal default values')
  await sleep(1500)
  const target = await sql(`select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') || '+00'`)
  await sleep(1500)
  await sql('delete from position; delete from truck')
  await sql('insert into rehearsal default values')
  // pgBackRest needs the log up to the target, which is archived with the next piece.
  await sql('select pg_switch_wal()')
  await backrest('check')
  await stop('fast')
  const restored = await timed(async () => {
    await backrest('restore', '--delta', '--type=time', `--target=${target}`, '--target-action=promote')
    await start()
    await awaitPromotion()
  })
  const found = await sql(
    `select (select count(*) from truck) || ' ' || (select count(*) from position) || ' ' || (select count(*) from rehearsal)`,
  )
  const wanted = `20 ${Math.ceil(rows / 20) * 20} 1`
  if (found !== wanted)
    throw new StartError(`After the restore there are ${found} trucks, positions and later rows, not ${wanted}.`)
  say(`Restored to ${target}, a second before the deletion: all rows are there, and nothing later: ${restored}.`)
}

/** The disk of the database is gone while rows are written: the newest of them that the repository has. */
async function loseDisk() {
  await backrest('backup', '--type=incr')
  const begun = Date.now()
  // At least one piece is archived by its age while rows are written.
  while (Date.now() - begun < (archiveSeconds + 3) * 1000) {
    await sql('insert into rehearsal default values')
    await sleep(200)
  }
  const newest = await newestRow()
  await stop('immediate')
  rmSync(cluster, { recursive: true })
  mkdirSync(cluster, { mode: 0o700 })
  chownSync(cluster, account.uid, account.gid)
  const restored = await timed(async () => {
    await backrest('restore')
    await start()
    await awaitPromotion()
  })
  const lost = (newest - (await newestRow())) / 1000
  if (lost > archiveSeconds + 5)
    throw new StartError(`The last ${lost.toFixed(1)} s are lost, with archive_timeout = ${archiveSeconds}.`)
  say(
    `Restored after the loss of the disk: ${restored}. Lost are the last ${lost.toFixed(1)} s, with archive_timeout = ${archiveSeconds}.`,
  )
}

/** When the newest row was written. */
const newestRow = async () => Date.parse(await sql('select to_json(max(at)) #>> array[]::text[] from rehearsal'))

/** Recovery has ended: the server takes writes. */
async function awaitPromotion() {
  const deadline = Date.now() + 600_000
  while ((await sql('select pg_is_in_recovery()')) !== 'f')
    if (Date.now() > deadline) throw new StartError('The recovery does not end.')
}

/** @param {() => Promise<unknown>} work */
async function timed(work) {
  const begun = performance.now()
  await work()
  return `${((performance.now() - begun) / 1000).toFixed(1)} s`
}

/** @param {string} name */
function accountOf(name) {
  const idOf = (/** @type {string} */ flag) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
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

function say(/** @type {string} */ sentence) {
  console.log(sentence)
}

/** Leaves nothing behind, however this process ends: the server would otherwise go on by itself. */
function cleanUp() {
  for (const child of running) child.kill('SIGKILL')
  // A server that has just been started writes its pid file in this time.
  if (running.size > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STARTING_MS)
  if (existsSync(path.join(cluster, 'postmaster.pid'))) {
    const args = ['stop', '-D', cluster, '-m', 'immediate', '-w']
    spawnSync(program('pg_ctl'), args, { ...account, cwd: folder, stdio: 'ignore' })
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}

process.once('exit', cleanUp)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))

await main(async () => {
  ensureNode()
  await ensurePrograms()
  await ensureInstalled()
  await ensureBuilt(['server'])
  account = accountOf('postgres')
  port = await freePort()
  await prepare()
  await rehearse()
})
