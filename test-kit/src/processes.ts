import { readdir, readFile } from 'node:fs/promises'

/** The processes that a process has started and that still run. */
export async function childrenOf(pid: number): Promise<number[]> {
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    // A process may end between two looks.
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const [, fields = ''] = stat.split(') ')
    const [state, parent] = fields.split(' ')
    if (state !== 'Z' && Number(parent) === pid) found.push(Number(name))
  }
  return found
}

/** Bytes that a process holds in memory; 0 once it has ended. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
}
