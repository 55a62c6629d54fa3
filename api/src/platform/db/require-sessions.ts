import pg from 'pg'
import { StartError } from '../runtime/start-error.ts'

const ROUNDS = 5
const CONNECT_MS = 10_000

const pidOf = async (client: pg.Client): Promise<number> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0

/**
 * Refuses a pooler that lends a server connection for one transaction at a time: subscriptions, locks and prepared
 * statements of a session would be lost or reach others. Behind such a pooler, two clients that take turns meet.
 */
export async function requireSessions(url: string): Promise<void> {
  const clients = [1, 2].map(() => new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS }))
  // Without a listener, an error between two statements would end the process.
  for (const client of clients) client.on('error', () => {})
  try {
    for (const client of clients) await client.connect()
    const pids = new Set<number>()
    for (let round = 0; round < ROUNDS; round++) for (const client of clients) pids.add(await pidOf(client))
    if (pids.size === clients.length) return
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
  throw new StartError(
    'DATABASE_URL leads to a connection pooler that does not keep sessions. In PgBouncer set pool_mode = session, or connect to PostgreSQL directly.',
  )
}
