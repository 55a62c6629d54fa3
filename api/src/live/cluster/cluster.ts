import type pg from 'pg'
import { StartError } from '../../platform/runtime/start-error.ts'

/** A machine of the cluster that holds rows. */
export interface Worker {
  host: string
  port: number
}

export const nameOfWorker = ({ host, port }: Worker): string => `${host}:${port}`

/** Reads `host:port,host:port`; the port may be left out. */
export function parseWorkers(text: string): Worker[] {
  return text.split(',').map((part) => {
    const [, host, port = '5432'] = /^([\w.-]+|\[[\da-f:]+\])(?::(\d{1,5}))?$/i.exec(part.trim()) ?? []
    if (!host) throw new StartError(`"${part}" is no worker. Name workers as host:port,host:port.`)
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
  })
}

const INSTALL =
  "Install Citus on the coordinator and on every worker, put it into shared_preload_libraries, restart PostgreSQL, and run CREATE EXTENSION citus in the product's database on each of them."

/** Refuses a server without Citus. */
export async function requireCitus(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ created: boolean; available: boolean }>(`
    select exists (select from pg_extension where extname = 'citus') as created,
           exists (select from pg_available_extensions where name = 'citus') as available`)
  if (rows[0]?.created) return
  throw new StartError(
    rows[0]?.available
      ? 'Citus is installed on this server but not in this database. As a superuser run CREATE EXTENSION citus here and in the same database on every worker.'
      : `This PostgreSQL has no Citus. ${INSTALL}`,
  )
}

/** The workers that may hold rows. */
export const workersOf = async (client: pg.Client): Promise<Worker[]> =>
  (
    await client.query<Worker>(`
      select nodename as host, nodeport as port from pg_dist_node
       where noderole = 'primary' and shouldhaveshards and groupid <> 0 order by 1, 2`)
  ).rows

const INSUFFICIENT_PRIVILEGE = '42501'
const firstLine = (text: string): string => text.split('\n', 1)[0]?.replace(/\.$/, '') ?? ''

async function registerWorker(client: pg.Client, worker: Worker): Promise<void> {
  const statement = `SELECT citus_add_node('${worker.host}', ${worker.port})`
  try {
    await client.query('select citus_add_node($1, $2)', [worker.host, worker.port])
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    throw new StartError(
      code === INSUFFICIENT_PRIVILEGE
        ? `This database user may not add workers. As a superuser run: ${statement}`
        : `The worker ${nameOfWorker(worker)} could not be added: ${firstLine(message)}. It needs the same database, the same user, and Citus.`,
    )
  }
}

/** Adds the named workers to the cluster; those that are part of it already stay. */
export async function addWorkers(client: pg.Client, named: readonly Worker[]): Promise<void> {
  const known = new Set((await workersOf(client)).map(nameOfWorker))
  for (const worker of named) if (!known.has(nameOfWorker(worker))) await registerWorker(client, worker)
  if ((await workersOf(client)).length === 0) {
    throw new StartError(
      'The cluster has no workers yet. Name them: npm run distribute -- --workers host:port,host:port',
    )
  }
}

interface NodeReport {
  node: string
  success: boolean
  result: string
}

/** Refuses a cluster of which a machine is away, or cannot take part in a transaction of several machines. */
export async function requireHealthyNodes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<NodeReport>(`
    select n.nodename || ':' || n.nodeport as node, r.success, r.result
      from run_command_on_all_nodes('show max_prepared_transactions') r join pg_dist_node n using (nodeid) order by 1`)
  const away = rows.filter(({ success }) => !success).map(({ node }) => node)
  if (away.length > 0) {
    throw new StartError(
      `No answer from ${away.join(' and ')}. Start every machine of the cluster, then repeat this command.`,
    )
  }
  const unprepared = rows.filter(({ result }) => result === '0').map(({ node }) => node)
  if (unprepared.length > 0) {
    throw new StartError(
      `max_prepared_transactions is 0 on ${unprepared.join(' and ')}. Set it to at least the number of connections and restart PostgreSQL there.`,
    )
  }
}
