import { access, constants, statfs } from 'node:fs/promises'
import os from 'node:os'

const SHARED_MEMORY = '/dev/shm'
const ROOM_NEEDED = 8 * 2 ** 30

/**
 * A folder in memory where there is plenty of it, otherwise one on the disk. Each clone is a thousand files, which take
 * several times as long to create on a disk.
 */
export async function folderForClones(): Promise<string> {
  try {
    await access(SHARED_MEMORY, constants.W_OK)
    const { bavail, bsize } = await statfs(SHARED_MEMORY)
    if (Math.min(bavail * bsize, process.availableMemory()) >= ROOM_NEEDED) return SHARED_MEMORY
  } catch {
    // Not every system has it.
  }
  return os.tmpdir()
}
