import { setImmediate } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import type { Db } from '../db/connection.ts'
import { hashToken } from './session.ts'

type Waiting<Row> = { resolve: (row: Row | undefined) => void; reject: (error: unknown) => void }

/**
 * Reads what tokens stand for, one statement for all calls that arrive while the previous one is under way. Nothing is
 * remembered between statements: a token that ended anywhere is ended for the next call. The statement takes an array
 * of hashes and answers `token_hash` among its columns.
 */
export function tokenReader<Row extends { token_hash: Buffer }>(
  db: Db,
  statement: string,
  onRead?: (rows: Row[]) => void,
): (token: string) => Promise<Row | undefined> {
  let waiting = new Map<string, Waiting<Row>[]>()
  let isReading = false

  async function readAll(): Promise<void> {
    isReading = true
    while (waiting.size > 0) {
      // Whatever else has just arrived is read along.
      await setImmediate()
      const batch = waiting
      waiting = new Map()
      try {
        const asked = [...batch].map(([token, callers]) => ({ hash: hashToken(token), callers }))
        const hashes = asked.map(({ hash }) => hash)
        const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(statement, [hashes]))
        const found = new Map(rows.map((row) => [textOf(row.token_hash), row]))
        for (const { hash, callers } of asked) for (const caller of callers) caller.resolve(found.get(textOf(hash)))
        onRead?.(rows)
      } catch (error) {
        for (const callers of batch.values()) for (const caller of callers) caller.reject(error)
      }
    }
    isReading = false
  }

  return (token) =>
    new Promise((resolve, reject) => {
      const callers = waiting.get(token) ?? []
      callers.push({ resolve, reject })
      waiting.set(token, callers)
      if (!isReading) void readAll()
    })
}

const textOf = (hash: Buffer) => hash.toString('base64')
