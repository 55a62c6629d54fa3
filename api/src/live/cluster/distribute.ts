import type pg from 'pg'
import { sharedNow } from '../../platform/db/clock.ts'
import { connect } from '../../platform/db/connection.ts'
import { mergePastDays } from '../../platform/db/merge-days.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { withClient } from '../../platform/db/with-client.ts'
import { StartError } from '../../platform/runtime/start-error.ts'
import { addWorkers, nameOfWorker, requireCitus, requireHealthyNodes, type Worker, workersOf } from './cluster.ts'

/** Spread by truck: all rows of a truck are on one machine, so that statements about one truck run there alone. */
const DISTRIBUTED_TABLES = [
  'position',
  'position_minute',
  'position_spare',
  'odometer_reading',
  'play_hour',
  'play_address_hour',
  'play',
] as const

/**
 * Stays on the coordinator, but is known to the cluster. Every batch of plays writes it, and a transaction that writes a
 * table of the cluster here and another one on a worker commits on both or on none.
 */
const COORDINATOR_TABLE = 'known_play'

interface Distribution {
  /** The coordinator. */
  url: string
  /** Workers to add first; those that are registered stay. */
  workers: readonly Worker[]
  /** Into how many parts each table is cut; the cluster's own default if not given. */
  shards?: number | undefined
  say: (sentence: string) => void
}

const onCluster = <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  withClient(url, work).catch((error: unknown) => {
    if (!isWorkerAway(error)) throw error
    throw new StartError(
      `A machine of the cluster went away: ${(error as Error).message}. Finished tables stay as they are; repeat this command to go on.`,
    )
  })

const isWorkerAway = (error: unknown) => /^(08|57P)/.test(String((error as { code?: unknown }).code))

/** What the cluster knows about a table: hash-distributed, on the coordinator alone, or nothing. */
async function kindOf(client: pg.Client, table: string): Promise<'distributed' | 'coordinator' | 'plain'> {
  const { rows } = await client.query<{ method: string }>(
    'select partmethod as method from pg_dist_partition where logicalrelid = $1::regclass',
    [table],
  )
  if (!rows[0]) return 'plain'
  return rows[0].method === 'h' ? 'distributed' : 'coordinator'
}

/** Each table in a transaction of its own: what is finished stays, and a repeated call does the rest. */
async function inSteps(client: pg.Client, step: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await step()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Spreads telemetry and plays over the workers of a Citus cluster, by truck. */
export async function distribute({ url, workers, shards, say }: Distribution): Promise<void> {
  await onCluster(url, async (client) => {
    await requireCitus(client)
    await addWorkers(client, workers)
    await requireHealthyNodes(client)
  })
  await migrate(url)
  await mergeDays(url)
  await onCluster(url, async (client) => {
    const names = (await workersOf(client)).map(nameOfWorker)
    say(`Distributing over ${names.length} workers: ${names.join(', ')}.`)
    for (const table of DISTRIBUTED_TABLES) await distributeTable(client, table, { shards, say })
    if ((await kindOf(client, COORDINATOR_TABLE)) === 'plain') {
      await client.query('select citus_add_local_table_to_metadata($1::regclass)', [COORDINATOR_TABLE])
    }
    await client.query(`analyze ${[...DISTRIBUTED_TABLES, COORDINATOR_TABLE].join(', ')}`)
  })
}

const PATIENCE_MS = 60_000

/** Single days of an older version are merged into weeks first: a distributed table keeps the partitions it has. */
async function mergeDays(url: string): Promise<void> {
  const { db, close } = connect(url, { max: 2 })
  try {
    for (const table of ['position', 'play'] as const) {
      await mergePastDays(db, table, { now: await sharedNow(db), patienceMs: PATIENCE_MS })
    }
  } finally {
    await close()
  }
}

async function distributeTable(
  client: pg.Client,
  table: (typeof DISTRIBUTED_TABLES)[number],
  { shards, say }: Pick<Distribution, 'shards' | 'say'>,
): Promise<void> {
  if ((await kindOf(client, table)) === 'distributed') return say(`  ${table} is distributed already.`)
  const first = DISTRIBUTED_TABLES[0]
  await inSteps(client, async () => {
    if (shards !== undefined) await client.query(`select set_config('citus.shard_count', $1, true)`, [String(shards)])
    await client.query('select create_distributed_table($1::regclass, $2, colocate_with => $3)', [
      table,
      'truck_uid',
      table === first ? 'none' : first,
    ])
    // The rows are on the workers now; here they would only take up room.
    await client.query('select truncate_local_data_after_distributing_table($1::regclass)', [table])
  })
  say(`  ${table} is distributed.`)
}

/** Brings everything back to the coordinator. */
export async function undistribute({ url, say }: Pick<Distribution, 'url' | 'say'>): Promise<void> {
  await onCluster(url, async (client) => {
    await requireCitus(client)
    await requireHealthyNodes(client)
    for (const table of [...DISTRIBUTED_TABLES, COORDINATOR_TABLE]) {
      if ((await kindOf(client, table)) === 'plain') continue
      await inSteps(client, async () => {
        await client.query('select undistribute_table($1::regclass)', [table])
      })
      say(`  ${table} is on this machine again.`)
    }
    await client.query(`analyze ${[...DISTRIBUTED_TABLES, COORDINATOR_TABLE].join(', ')}`)
  })
}
