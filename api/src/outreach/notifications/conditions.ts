import { sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { recordEvents } from '../../platform/outbox/index.ts'

/** Something that holds at present, such as a player that is offline. */
export interface Condition {
  /** What it holds for. One at a time holds for each object. */
  object: string
  clientUid?: string | null
  data: object
}

interface WatchedType {
  /** The event that tells of it. */
  type: string
  /** The event that tells that it is over, with the same data; none where people need not know. */
  overType?: string
  /** Only keys with this beginning are known to this watch: a node knows its own disks only. */
  within?: string
}

const keyOf = (type: string, object: string) => `${type} ${object}`

/**
 * Brings what is known of a type in line with what holds now. A condition makes one event when it begins and one when it is
 * over, however often it is looked at, by however many nodes.
 */
export const watchConditions = (
  db: Db,
  { type, overType, within = '' }: WatchedType,
  holding: readonly Condition[],
): Promise<void> =>
  inTransaction(db, async (db) => {
    const keys = holding.map(({ object }) => keyOf(type, object))
    const over = await sql<{ key: string }>`
      delete from watched_condition
       where type = ${type} and starts_with(key, ${keyOf(type, within)}) and key <> all(${keys}::text[])
      returning key`.execute(db)
    const begun = await sql<{ key: string }>`
      insert into watched_condition (key, type, raised_at) select key, ${type}, now() from unnest(${keys}::text[]) k (key)
      on conflict (key) do nothing returning key`.execute(db)
    const isNew = new Set(begun.rows.map(({ key }) => key))
    await recordEvents(db, [
      ...holding
        .filter(({ object }) => isNew.has(keyOf(type, object)))
        .map(({ object, clientUid = null, data }) => ({ type, object, clientUid, data })),
      ...(overType ? over.rows.map(({ key }) => ({ type: overType, object: key.slice(type.length + 1) })) : []),
    ])
  })

/** What is known to hold of a type. */
export async function knownConditions(db: Db, type: string): Promise<Set<string>> {
  const rows = await db.selectFrom('watched_condition').select('key').where('type', '=', type).execute()
  return new Set(rows.map(({ key }) => key.slice(type.length + 1)))
}
