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
