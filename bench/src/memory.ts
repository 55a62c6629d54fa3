import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf, residentBytes } from '@roadshow/test-kit/processes'

export const MB = 1024 * 1024
export const megabytes = (bytes: number, per = '') => `${Math.round(bytes / MB).toLocaleString('en')} MB${per}`

/** Bytes that a process holds in memory, now and at its peak since it is watched. */
export async function memoryOf(pid: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024
  return { now: field('VmRSS'), peak: field('VmHWM') }
}

/** Forgets the peak so far; answers what the process holds now. */
export async function watchMemory(pid: number): Promise<number> {
  await writeFile(`/proc/${pid}/clear_refs`, '5')
  return (await memoryOf(pid)).now
}

/** Bytes that a node and the processes it has started hold. */
export async function heldBytes(pid: number): Promise<number> {
  const pids = [pid, ...(await childrenOf(pid))]
  return (await Promise.all(pids.map(residentBytes))).reduce((sum, bytes) => sum + bytes, 0)
}

const LOOK_MS = 100

/** The most that a node and its processes hold while it works. */
export async function peakDuring(pid: number, work: () => Promise<unknown>, onLook = async () => {}): Promise<number> {
  let peak = 0
  const done = new AbortController()
  const working = work().finally(() => done.abort())
  while (!done.signal.aborted) {
    peak = Math.max(peak, await heldBytes(pid))
    await onLook()
    await sleep(LOOK_MS)
  }
  await working
  return peak
}
