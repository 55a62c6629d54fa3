import type { Db } from '../connection.ts'

/**
 * Memory of one database. A replica has its own, since it may be behind; so has a transaction, whose snapshot may be older
 * than what others have seen.
 */
export function perDatabase<T>(create: () => T): (db: Db) => T {
  const memories = new WeakMap<Db, T>()
  return (db) => {
    const known = memories.get(db)
    if (known !== undefined) return known
    const fresh = create()
    memories.set(db, fresh)
    return fresh
  }
}
