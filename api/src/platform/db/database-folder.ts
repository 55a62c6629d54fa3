import os from 'node:os'
import { sql } from 'kysely'
import type { Db } from './connection.ts'

const ownAddresses = (): Set<string> =>
  new Set(Object.values(os.networkInterfaces()).flatMap((found = []) => found.map(({ address }) => address)))

/**
 * The folder of the database's files, where the server runs on this machine and the role may know it (`pg_read_all_settings`).
 * PostgreSQL itself cannot tell how full its disk is.
 */
export async function databaseFolder(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ folder: string; address: string | null }>`
    select setting as folder, host(inet_server_addr()) as address from pg_settings where name = 'data_directory'`.execute(
    db,
  )
  const [found] = rows
  if (!found) return undefined
  // A socket of this machine has no address.
  return found.address === null || ownAddresses().has(found.address) ? found.folder : undefined
}
