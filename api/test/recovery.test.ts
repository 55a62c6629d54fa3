import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

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
