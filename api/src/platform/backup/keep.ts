import { readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { StartError } from '../runtime/start-error.ts'
import { MANIFEST, SUMS } from './format.ts'

/** When a complete backup was made; undefined for any other folder, and for one that was cut off. */
async function madeAt(folder: string): Promise<string | undefined> {
  try {
    await readFile(path.join(folder, SUMS))
    const { createdAt } = JSON.parse(await readFile(path.join(folder, MANIFEST), 'utf8')) as { createdAt?: unknown }
    return typeof createdAt === 'string' ? createdAt : undefined
  } catch {
    return undefined
  }
}

/** The complete backups in a folder, newest first. */
async function backupsIn(folder: string) {
  const found: { folder: string; createdAt: string }[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const each = path.join(folder, entry.name)
    const createdAt = entry.isDirectory() ? await madeAt(each) : undefined
    if (createdAt) found.push({ folder: each, createdAt })
  }
  return found.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
}

/** The backup in a folder, or the newest of those that the folder holds. */
export async function newestBackup(folder: string): Promise<string> {
  const entries = await readdir(folder).catch(() => [] as string[])
  if (entries.length === 0 || entries.includes(MANIFEST)) return folder
  const [newest] = await backupsIn(folder)
  if (!newest) throw new StartError(`No complete backup found in ${folder}.`)
  return newest.folder
}

/** Removes the oldest complete backups beside a new one, so that this many stay. Nothing else is touched. */
export async function keepNewest(fresh: string, count: number, say: (sentence: string) => void): Promise<void> {
  for (const { folder } of (await backupsIn(path.dirname(fresh))).slice(count)) {
    if (folder === fresh) continue
    await rm(folder, { recursive: true })
    say(`Removed the old backup ${folder}.`)
  }
}
