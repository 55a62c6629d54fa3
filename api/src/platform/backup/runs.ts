import { sql } from 'kysely'
import { type Db, connect } from '../db/connection.ts'
import type { NewEvent } from '../outbox/events.ts'
import { recordEvents } from '../outbox/index.ts'

interface EndedRun {
  kind: 'backup' | 'check'
  folder: string
  hasKey: boolean
}

/** Notes that a backup was made, or one was checked and is whole. */
const noteRun = (db: Db, { kind, folder, hasKey }: EndedRun) => {
  const run = { done_at: sql<string>`now()`, folder, has_key: hasKey }
  return db
    .insertInto('backup_run')
    .values({ kind, ...run })
    .onConflict((conflict) => conflict.column('kind').doUpdateSet(run))
    .execute()
}

/** Notes how a command ended. It never fails: the database may be away, or older than the table. */
export async function noteInDatabase(url: string, ended: EndedRun | NewEvent): Promise<boolean> {
  const { db, close } = connect(url, { max: 1 })
  try {
    await ('kind' in ended ? noteRun(db, ended) : recordEvents(db, [ended]))
    return true
  } catch {
    return false
  } finally {
    await close()
  }
}

interface LastRun {
  kind: EndedRun['kind']
  /** In seconds since 1970. Where none has ended yet, when the database was set up. */
  doneAt: number
  hasKey: boolean | null
}

/** When a backup was made, and one checked, last. */
export async function lastRuns(db: Db): Promise<LastRun[]> {
  const { rows } = await sql<LastRun>`
    select k.kind, r.has_key as "hasKey",
           extract(epoch from coalesce(r.done_at, (select min(timestamp)::timestamptz from kysely_migration)))::float8 as "doneAt"
      from (values ('backup'), ('check')) k (kind) left join backup_run r on r.kind = k.kind`.execute(db)
  return rows
}
