import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

/** The machines of a Citus cluster as connection strings of a superuser, the coordinator first. */
export type CitusNodes = readonly string[]

export async function runOn(
  url: string,
  statement: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement, values)).rows
  } finally {
    await client.end()
  }
}

export const onDatabase = (url: string, database: string): string =>
  Object.assign(new URL(url), { pathname: database }).href

/** The coordinator that a URL names, and its workers, which take the same user. */
export async function findNodes(coordinatorUrl: string): Promise<CitusNodes> {
  const workers = await runOn(
    coordinatorUrl,
    'select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 order by groupid',
  )
  return [
    coordinatorUrl,
    ...workers.map(
      ({ host, port }) => Object.assign(new URL(coordinatorUrl), { hostname: String(host), port: String(port) }).href,
    ),
  ]
}

const hostAndPort = (url: string): [host: string, port: number] => [
  new URL(url).hostname,
  Number(new URL(url).port || 5432),
]

/** An empty database of this name on every machine, whose workers are known to the coordinator. */
export async function createOnCluster(nodes: CitusNodes, name: string): Promise<string> {
  for (const node of nodes) {
    await runOn(node, `create database ${name} template template0`)
    await runOn(onDatabase(node, name), 'create extension citus')
  }
  const [coordinator = '', ...workers] = nodes
  const url = onDatabase(coordinator, name)
  await runOn(url, 'select citus_set_coordinator_host($1, $2)', hostAndPort(coordinator))
  for (const worker of workers) await runOn(url, 'select citus_add_node($1, $2)', hostAndPort(worker))
  return url
}

/** Closes a database for good: it can be cloned only while no daemon of Citus is connected to it. */
export async function sealOnCluster(nodes: CitusNodes, name: string): Promise<void> {
  for (const node of nodes) {
    await runOn(node, `alter database ${name} allow_connections false`)
    await runOn(node, 'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [name])
  }
}

/** Clones a sealed database on every machine. Its metadata names machines and tables, never the database. */
export async function cloneOnCluster(nodes: CitusNodes, template: string, name: string): Promise<string> {
  await Promise.all(nodes.map((node) => runOn(node, `create database ${name} template ${template}`)))
  return onDatabase(nodes[0] ?? '', name)
}

/** Drops a database on every machine, also where a transaction is left that a machine prepared and never ended. */
export async function dropOnCluster(nodes: CitusNodes, name: string): Promise<void> {
  for (const node of nodes) {
    const left = await runOn(node, 'select gid from pg_prepared_xacts where database = $1', [name])
    for (const { gid } of left)
      await runOn(onDatabase(node, name), `rollback prepared ${pg.escapeLiteral(String(gid))}`)
    await runOn(node, `drop database if exists ${name} with (force)`)
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The server of a worker on this machine, by its data folder: it can be killed as by a power cut, and started again. */
export class WorkerServer {
  readonly #data: string
  /** Its program, as it was started the first time. */
  #program = ''

  constructor(data: string) {
    this.#data = data
  }

  async #runningServer(): Promise<{ pid: number; port: string }> {
    const [pid, , , port = ''] = (await readFile(path.join(this.#data, 'postmaster.pid'), 'utf8')).split('\n')
    return { pid: Number(pid), port: port.trim() }
  }

  async port(): Promise<string> {
    return (await this.#runningServer()).port
  }

  /** Kills the server and each of its processes at once; none of them can write anything more. */
  async kill(): Promise<void> {
    const { pid } = await this.#runningServer()
    const [, program = ''] = /^(\S+)/.exec(await readFile(path.join(this.#data, 'postmaster.opts'), 'utf8')) ?? []
    this.#program = program
    // Stopped, it starts no further processes while they are listed.
    process.kill(pid, 'SIGSTOP')
    const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(pid)])
    const pids = [pid, ...stdout.split('\n').map(Number).filter(Boolean)]
    for (const each of pids) if (isAlive(each)) process.kill(each, 'SIGKILL')
    while (pids.some(isAlive)) await sleep(10)
  }

  /** Starts it again where it was, as the owner of its files, and settles once it accepts connections. */
  async start(): Promise<void> {
    const { uid, gid } = await stat(this.#data)
    const owner = process.getuid?.() === 0 ? { uid, gid } : {}
    const args = ['-D', this.#data, '-w', '-l', path.join(this.#data, 'restarted.log'), 'start']
    const child = spawn(path.join(path.dirname(this.#program), 'pg_ctl'), args, { stdio: 'ignore', cwd: '/', ...owner })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`The worker in ${this.#data} did not start: pg_ctl ended with ${code}.`)
  }
}
