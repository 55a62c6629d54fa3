import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { Counter, Gauge } from 'prom-client'
import { AppError } from '../runtime/app-error.ts'
import { coalesceCalls } from '../runtime/coalesce-calls.ts'
import type { ExternalServices } from '../runtime/external-services.ts'
import { succeeds, withinMs } from '../runtime/promises.ts'
import { connect, type Db, poolOf, prepared } from './connection.ts'

/** Where calls read that may be answered from a replica. */
export interface ReadDb {
  /**
   * Runs work that only reads: on a replica that holds everything that was committed when the call came, else on the
   * primary. Work that fails on the replica runs again on the primary.
   */
  read<T>(work: (db: Db, isReplica: boolean) => Promise<T>): Promise<T>
}

/** Without a replica, the primary answers everything. */
export const readFromPrimary = (db: Db): ReadDb => ({ read: (work) => work(db, false) })

type Outcome = 'replica' | 'away' | 'behind' | 'busy' | 'failed'

export const replicaReads = new Counter({
  name: 'roadshow_replica_reads_total',
  help: 'Calls that a replica may answer: answered by it, or by the primary because the replica was away, behind, busy or failed.',
  labelNames: ['outcome'] as const,
  registers: [],
})

export const replicaLagBytes = new Gauge({
  name: 'roadshow_replica_lag_bytes',
  help: 'How many bytes of the write-ahead log the replica has yet to replay.',
  registers: [],
})

export const replicaLagSeconds = new Gauge({
  name: 'roadshow_replica_lag_seconds',
  help: 'How old the newest change is that the replica has replayed; 0 when it has replayed all.',
  registers: [],
})

// A replica in the same network is a few milliseconds behind: waiting for it costs less than a report on the primary.
const CATCH_UP_MS = 250
const POLL_MS = 10
const ANSWER_MS = 1000
/** After it did not catch up in time, calls look once and do not wait. */
const BEHIND_MS = 2000
const SAMPLE_MS = 5000
const CONNECTIONS = 20

/**
 * Everything that anyone has seen committed lies before this position of the log: a commit is flushed before it is visible,
 * unless commits are asynchronous here.
 */
const WRITTEN = prepared(sql<{ position: string }>`
  select (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
          else pg_current_wal_flush_lsn() end - '0/0'::pg_lsn)::text as position`)

const REPLAYED = prepared(sql<Replayed>`
  select (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text as position, pg_is_in_recovery() as "isStandby",
         coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0)::float8 as age`)

const SYSTEM = sql<{ id: string }>`select system_identifier::text as id from pg_control_system()`

interface Replayed {
  /** Null on a server that never was a standby. */
  position: string | null
  isStandby: boolean
  age: number
}

async function oneOf<Row>(db: Db, statement: RawBuilder<Row>): Promise<Row> {
  const { rows } = await statement.execute(db)
  return rows[0] as Row
}

const positionOf = ({ position }: Pick<Replayed, 'position'>) => BigInt(position ?? -1)

/** Whether the server is a standby of this primary. A server that is none holds other data, whatever its position is. */
async function refuseOtherServers(primary: Db, control: Db): Promise<void> {
  const { isStandby } = await oneOf(control, REPLAYED)
  if (!isStandby) throw new Error('The server of DATABASE_REPLICA_URL is not a standby')
  const [one, other] = [await oneOf(primary, SYSTEM), await oneOf(control, SYSTEM)]
  if (one.id !== other.id) throw new Error('The server of DATABASE_REPLICA_URL is a standby of another database')
}

/** Opens a standby for reading. It may be away, now or later. */
export function openReplica(primary: Db, url: string, services: ExternalServices): ReadDb & { close(): Promise<void> } {
  const replica = connect(url, { max: CONNECTIONS })
  // Apart from reports, which may hold every connection of the other pool.
  const control = connect(url, { max: 2 })
  const server = services.watch({
    name: 'replica',
    label: 'The read replica',
    effect: 'Reports, exports and public pages read from the primary.',
    probe: () => refuseOtherServers(primary, control.db),
  })
  const written = coalesceCalls(() => oneOf(primary, WRITTEN))
  const replayed = coalesceCalls(() => withinMs(ANSWER_MS, oneOf(control.db, REPLAYED)))
  const pool = poolOf(replica.db)
  let behindUntil = 0

  async function hasReached(position: bigint): Promise<boolean> {
    const deadline = performance.now() + CATCH_UP_MS
    for (;;) {
      if (positionOf(await replayed()) >= position) {
        behindUntil = 0
        return true
      }
      const now = performance.now()
      if (now < behindUntil) return false
      if (now >= deadline) {
        behindUntil = now + BEHIND_MS
        return false
      }
      await sleep(POLL_MS)
    }
  }

  /** Why the replica cannot answer a call that comes now; `replica` if it can. */
  async function choose(): Promise<Outcome> {
    if (server.isAway) return 'away'
    if (pool.waitingCount > 0) return 'busy'
    const position = positionOf(await written())
    try {
      return (await hasReached(position)) ? 'replica' : 'behind'
    } catch (error) {
      server.failed(error)
      return 'away'
    }
  }

  async function sample(): Promise<void> {
    if (server.isAway) {
      replicaLagBytes.set(NaN)
      replicaLagSeconds.set(NaN)
      return
    }
    try {
      const [behind, ahead] = [await replayed(), await written()]
      const bytes = Number(positionOf(ahead) - positionOf(behind))
      replicaLagBytes.set(Math.max(0, bytes))
      replicaLagSeconds.set(bytes > 0 ? Math.max(0, behind.age) : 0)
    } catch (error) {
      // An absent primary is noticed elsewhere.
      if (await succeeds(oneOf(primary, WRITTEN))) server.failed(error)
    }
  }
  const sampling = setInterval(() => void sample(), SAMPLE_MS).unref()

  return {
    async read(work) {
      const outcome = await choose()
      if (outcome === 'replica') {
        try {
          const result = await work(replica.db, true)
          replicaReads.inc({ outcome })
          return result
        } catch (error) {
          if (error instanceof AppError) throw error
          // A query that is in the way of the log fails, and even its connection; the replica is there all the same.
          if (!(await succeeds(replayed()))) server.failed(error)
        }
      }
      replicaReads.inc({ outcome: outcome === 'replica' ? 'failed' : outcome })
      return work(primary, false)
    },
    async close() {
      clearInterval(sampling)
      await Promise.all([replica.close(), control.close()])
    },
  }
}
