import { readFile, writeFile } from 'node:fs/promises'

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
