import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'

const script = fileURLToPath(new URL('../../scripts/pitr.mjs', import.meta.url))
const isPossible = process.getuid?.() === 0 && ['/usr/bin/pgbackrest', '/usr/lib/postgresql'].every(existsSync)

test.skipIf(!isPossible)(
  'the documented way back leads to a second before a deletion, and from an empty disk to the newest archived state',
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [script, '--quick'], { cwd: path.dirname(script) })
    expect(stdout).toMatch(/a second before the deletion: all rows are there, and nothing later/)
    expect(stdout).toMatch(/Restored after the loss of the disk: .* Lost are the last [\d.-]+ s/)
  },
  300_000,
)

/** The processes that name a folder on their command line. */
async function processesOn(folder: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(folder))
}

test.skipIf(!isPossible)(
  'a rehearsal that is stopped leaves neither its server nor its files',
  async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-stopped-'))
    await chmod(folder, 0o755)
    // oxlint-disable-next-line node/no-process-env
    const env = { ...process.env, TMPDIR: folder }
    const rehearsal = spawn(process.execPath, [script, '--quick'], { cwd: path.dirname(script), env })
    const isServing = async () => (await processesOn(folder)).some((line) => line.includes('/bin/postgres'))
    await vi.waitFor(async () => expect(await isServing()).toBe(true), { timeout: 60_000, interval: 100 })
    rehearsal.kill('SIGTERM')
    await once(rehearsal, 'exit')
    expect(await processesOn(folder)).toEqual([])
    expect(await readdir(folder)).toEqual([])
    await rm(folder, { recursive: true })
  },
  120_000,
)
