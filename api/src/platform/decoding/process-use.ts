import { readFileSync } from 'node:fs'

export interface ProcessUse {
  residentMb: number
  processorMs: number
}

// Linux counts processor time in hundredths of a second.
const TICK_MS = 10
const KB_OF_MB = 1024

/** What a process takes, its threads included; undefined once it has ended, and on systems other than Linux. */
export function readProcessUse(pid: number): ProcessUse | undefined {
  try {
    const resident = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    // The name of the program, in parentheses, may hold spaces.
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const [user, system] = fields.split(' ').slice(11, 13).map(Number)
    return { residentMb: Number(resident ?? 0) / KB_OF_MB, processorMs: ((user ?? 0) + (system ?? 0)) * TICK_MS }
  } catch {
    return undefined
  }
}
