import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { type AppliedMigration, readSchema } from '../migrate.ts'
import { succeeds } from '../../runtime/promises.ts'
import type { DataFolder } from './folder.ts'

const noted = z.array(z.object({ name: z.string(), oldestNode: z.string().nullable() }))

/**
 * Notes which migrations have run, right before the server stops: a version that cannot use them refuses the folder without
 * starting the server, which would write. After a crash there is no note, and the server is asked.
 */
export async function noteSchema({ schemaFile }: DataFolder, superuserUrl: string): Promise<void> {
  const write = async () => {
    const part = `${schemaFile}.part`
    await writeFile(part, JSON.stringify(await readSchema(superuserUrl)), { mode: 0o600, flush: true })
    await rename(part, schemaFile)
  }
  // A server that is gone already, or a full disk, stops no stop.
  await succeeds(write())
}

/** What was noted when the server stopped; none without a note. */
export async function readNotedSchema({ schemaFile }: DataFolder): Promise<AppliedMigration[]> {
  try {
    return noted.parse(JSON.parse(await readFile(schemaFile, 'utf8')))
  } catch {
    return []
  }
}

export const forgetSchema = ({ schemaFile }: DataFolder): Promise<void> => rm(schemaFile, { force: true })
