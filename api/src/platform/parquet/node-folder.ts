import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

const PREFIX = `${os.hostname()}-`

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Removes folders of processes on this machine that are gone. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(PREFIX) && /^(\d+)-/.exec(name.slice(PREFIX.length))?.[1]
    if (pid && !isRunning(Number(pid))) await rm(path.join(parent, name), { recursive: true, force: true })
  }
}

/** A folder of this process alone: nodes may share their data folder. */
export async function makeNodeFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o700 })
  await removeAbandoned(parent)
  return mkdtemp(path.join(parent, `${PREFIX}${process.pid}-`))
}
